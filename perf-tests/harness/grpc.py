"""An origin of gRPC: nghttpd, which responds to each call with a file and the trailer grpc-status: 0."""

import os
import socket
import time

from . import tools, wire

# Each message follows five bytes: a flag and its length.
PREFIX = 5
# By path: length and number of the messages in a response.
_RESPONSES = {"unary": (100, 1), "stream": (1024, 100)}


def messages(length, count):
    return (b"\0" + length.to_bytes(PREFIX - 1, "big") + bytes(length)) * count


class Origin:
    """Serves /unary, /stream and /ready over HTTP/2 without TLS."""

    def __init__(self, space):
        self.ports = tuple(wire.free_ports(1))
        files = space.subdirectory("grpc")
        for name, (length, count) in _RESPONSES.items():
            with open(os.path.join(files, name), "wb") as file:
                file.write(messages(length, count))
        with open(os.path.join(files, "ready"), "wb") as file:
            file.write(b"ready")
        options = ["--no-tls", "-d", files, "-c", "128", "--trailer", "grpc-status: 0"]
        self.process = space.start("origin", [tools.path("nghttpd"), *options, str(self.ports[0])])
        self._await()

    def _await(self):
        for _ in range(100):
            self.process.check_running()
            try:
                socket.create_connection((wire.HOST, self.ports[0]), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise tools.Refused("nghttpd did not listen within 5 s")
