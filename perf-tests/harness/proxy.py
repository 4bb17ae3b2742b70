"""The common base of all proxies under test."""

import signal
from dataclasses import dataclass
from typing import Optional, Tuple

from . import proc, tools, wire
from .cases import HTTP
from .certificate import Certificate


@dataclass(frozen=True)
class Setting:
    """The settings of a proxy, equal for all."""

    origin_ports: Tuple[int, ...]
    prefix: Tuple[str, ...] = ()
    # Maximum origin connections of a proxy with a bounded pool.
    pool: int = 1024
    # Access log with one line per exchange; None = off.
    access_log: str = ""
    # Timeout in seconds for a slow head, a stalled body or a client that does not read; 0 = the proxy's default.
    patience: int = 0
    # Maximum client connections; 0 = as many as leave a descriptor for an origin connection each.
    clients: int = 0
    # If set, a second port uses TLS, and both support HTTP/2.
    certificate: Optional[Certificate] = None
    # The kind of traffic: HTTP, GRPC, WEBSOCKET or EVENTS.
    traffic: str = HTTP

    @property
    def idle(self):
        """Idle timeout in seconds if ``patience`` is set: distinctly longer, so that the two are not confused."""
        return 4 * self.patience


class Proxy:
    name = ""
    # Signal for a graceful shutdown.
    drain_signal = signal.SIGTERM
    # Only for JVM proxies.
    jvm = None

    def __init__(self):
        self.port = None
        self.tls_port = None
        self.h2c_port = None
        self.process = None

    def version(self):
        raise NotImplementedError

    def command(self, workspace, setting):
        """Chooses the port, writes the configuration and returns the command line."""
        raise NotImplementedError

    def start(self, workspace, setting, ready_path, poll=0.05):
        """Starts the proxy and returns the seconds until the first proxied 200."""
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
        """Number of exchanges that the proxy reports since its start; None if it does not."""
        return None
