"""Messages on open connections: WebSockets and server-sent events. Both programs are in perf-tests/target/benchmarks.jar."""

from dataclasses import dataclass

from . import tools, wire
from .openloop import FLAGS, JAR, check_jar

_PACKAGE = "dev.lychgate.perf.load"


@dataclass(frozen=True)
class Counted:
    messages: int
    seconds: float
    # Connections that ended before they were closed.
    ended: int

    @property
    def rate(self):
        return self.messages / self.seconds


class Origin:
    """Echoes messages at /echo, sends events at /events, and responds to other paths with 200."""

    def __init__(self, java, space):
        check_jar()
        self.ports = tuple(wire.free_ports(1))
        command = [java, *FLAGS, "-cp", JAR, f"{_PACKAGE}.MessageOrigin", str(self.ports[0])]
        self.process = space.start("origin", command)
        wire.await_ok(self.process, self.ports[0], "/ready")


class Generator:
    """One process for all runs, so that its code is compiled."""

    def __init__(self, java, space):
        check_jar()
        self._process = space.start("messages", [java, *FLAGS, "-cp", JAR, f"{_PACKAGE}.Messages"], talking=True)

    def open(self, port, case):
        """Opens the connections of the case; each has received a message at the end."""
        told = self._process.ask("open", case.traffic, port, case.path, case.connections)
        if told["open"] != case.connections:
            self.close()
            raise tools.Refused(f"only {told['open']} of {case.connections} connections received a message")

    def run(self, seconds):
        return Counted(**self._process.ask("run", seconds))

    def close(self):
        self._process.ask("close")
