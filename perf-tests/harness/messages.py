"""Messages on open connections: WebSockets and server-sent events. Both programs are in perf-tests/target/benchmarks.jar."""

import json
from dataclasses import dataclass

from . import tools, wire
from .cases import WEBSOCKET
from .openloop import FLAGS, JAR, check_jar

_PACKAGE = "dev.lychgate.perf.load"
_KINDS = {WEBSOCKET: "websocket"}


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
        told = self._tell("open", _KINDS.get(case.traffic, "events"), port, case.path, case.connections)
        if told["open"] != case.connections:
            self.close()
            raise tools.Refused(f"only {told['open']} of {case.connections} connections received a message")

    def run(self, seconds):
        return Counted(**self._tell("run", seconds))

    def close(self):
        self._tell("close")

    def _tell(self, *words):
        pipes = self._process.popen
        self._process.check_running()
        pipes.stdin.write(" ".join(map(str, words)) + "\n")
        pipes.stdin.flush()
        told = pipes.stdout.readline()
        if not told:
            self._process.wait(5)
            self._process.check_running()
            raise tools.Refused(f"the generator printed nothing:\n{self._process.log_tail()}")
        return json.loads(told)
