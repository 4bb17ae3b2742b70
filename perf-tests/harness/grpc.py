"""The origin of gRPC, in perf-tests/target/benchmarks.jar."""

import socket
import time

from . import tools, wire
from .openloop import FLAGS, JAR, check_jar

_MAIN = "dev.lychgate.perf.load.GrpcOrigin"
# Each message follows five bytes: a flag and its length.
PREFIX = 5


def messages(length, count):
    return (b"\0" + length.to_bytes(PREFIX - 1, "big") + bytes(length)) * count


class Origin:
    """Responds at /stream with 100 messages of 1 KiB, and at any other path with one of 100 bytes."""

    def __init__(self, java, space):
        check_jar()
        self.ports = tuple(wire.free_ports(1))
        self.process = space.start("origin", [java, *FLAGS, "-cp", JAR, _MAIN, str(self.ports[0])])
        self._await()

    def _await(self):
        for _ in range(200):
            self.process.check_running()
            try:
                socket.create_connection((wire.HOST, self.ports[0]), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise tools.Refused("the origin of gRPC did not listen within 10 s")
