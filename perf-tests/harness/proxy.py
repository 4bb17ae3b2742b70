"""What all proxies under test have in common."""

import signal
from dataclasses import dataclass
from typing import Optional, Tuple

from . import proc, tools, wire
from .certificate import Certificate


@dataclass(frozen=True)
class Setting:
    """How a proxy is to be run, the same for each of them."""

    origin_ports: Tuple[int, ...]
    prefix: Tuple[str, ...] = ()
    # Connections to one origin that a proxy with a bounded pool may open.
    pool: int = 1024
    # File the proxy writes a line to for every exchange; None = access log off.
    access_log: str = ""
    # Seconds it waits for a client that is slow with its head, silent in its body, or reads nothing; 0 = its own.
    patience: int = 0
    # Clients that may be connected at once; 0 = as many as leave it a descriptor for an origin connection each.
    clients: int = 0
    # With it a second port speaks TLS, and both speak HTTP/2, too.
    certificate: Optional[Certificate] = None

    @property
    def idle(self):
        """Seconds it keeps an idle connection, if it has patience: so many more that one is not taken for the other."""
        return 4 * self.patience


class Proxy:
    name = ""
    # Tells it to finish what runs and then to end.
    drain_signal = signal.SIGTERM
    # Of a proxy that runs in one.
    jvm = None

    def __init__(self):
        self.port = None
        self.tls_port = None
        self.h2c_port = None
        self.process = None

    def version(self):
        raise NotImplementedError

    def command(self, workspace, setting):
        """Chooses its port, writes its configuration, returns the command line."""
        raise NotImplementedError

    def start(self, workspace, setting, ready_path, poll=0.05):
        """Starts it and returns the seconds until the first proxied 200."""
        command = list(setting.prefix) + self.command(workspace, setting)
        self.process = workspace.start(self.name, command)
        return wire.await_ok(self.process, self.port, ready_path, every=poll)

    def check_alone_on(self, cpu):
        allowed = proc.allowed_cpus(self.process.pid)
        if allowed != [cpu]:
            raise tools.Refused(f"{self.name} may run on CPUs {allowed}, not on {cpu} alone")
        if self.jvm:
            processors = self.jvm.processors(self.process.pid)
            if processors != 1:
                raise tools.Refused(f"the JVM of {self.name} believes it has {processors} CPUs: its threads would compete")

    def pids(self):
        self.process.check_running()
        return self.process.family()

    def exchanges(self, _without):
        """Exchanges it says it has served since its start; None where it doesn't say."""
        return None
