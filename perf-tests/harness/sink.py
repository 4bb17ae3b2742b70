"""An origin that discards bodies: responds to any path with 200 after the whole request body.

Requires Content-Length; responds with 411 to chunked bodies. Run as a process: ``sink.py PORT``.
"""

import os
import socket
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from harness import bulk, wire

_TAKEN = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\ntaken\n"
_LENGTH_REQUIRED = b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Sink:
    """The process, as the comparison uses it."""

    def __init__(self, space):
        self.ports = tuple(wire.free_ports(1))
        command = [sys.executable, os.path.abspath(__file__), str(self.ports[0])]
        self.process = space.start("sink", command)
        wire.await_ok(self.process, self.ports[0], "/ready", seconds=10)


def serve(connection):
    drain = bulk.Drain()
    with connection:
        bulk.set_patience(connection, 600)
        try:
            while True:
                head = bulk.read_head(connection)
                if head is None:
                    return
                _, fields, began = head
                if "transfer-encoding" in fields:
                    connection.sendall(_LENGTH_REQUIRED)
                    return
                if fields.get("expect", "").lower() == "100-continue":
                    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                drain.take(connection, int(fields.get("content-length", 0)) - began)
                connection.sendall(_TAKEN)
        except (OSError, bulk.Broken):
            return  # closed by the proxy


def main(port):
    with socket.create_server((wire.HOST, port), backlog=4096) as listener:
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    main(int(sys.argv[1]))
