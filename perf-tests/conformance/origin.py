"""The origin: a scripted server on raw sockets that records all received bytes."""

import socket
import struct
import threading
import time

from harness import wire

from . import message
from .case import AwaitBody, Close, ContinueIfExpected, HalfClose, OnIdle, Pause, Reset

_LINGER = 12.0


def reserve():
    """A socket bound to its own port; it refuses connections until it listens."""
    held = socket.socket()
    held.bind((wire.HOST, 0))
    return held


def plain_answer(seen):
    """The 200 for requests without a script; X-Target identifies the request."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Target: " + seen.target[:1000] + b"\r\n\r\n"
    return head if seen.method == b"HEAD" else head + b"ok"


class Origin:
    """Serves one case: one thread accepts, and each connection has its own thread."""

    def __init__(self, held, case):
        self.case = case
        self.connections = []
        self.accepted = 0
        self.closed_by_proxy = 0
        self._held = held
        self._lock = threading.Lock()
        self._served = 0
        self._open = []
        self._stopping = False
        if case.origin != "refusing":
            held.listen(64)
            threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._held.accept()
            except OSError:
                return
            with self._lock:
                if self._stopping:
                    connection.close()
                    return
                self.accepted += 1
                received = bytearray()
                self.connections.append(received)
                self._open.append(connection)
            if self.case.origin == "closing":
                connection.close()
            elif self.case.origin == "resetting":
                _reset(connection)
            else:
                threading.Thread(target=self._serve, args=(connection, received), daemon=True).start()

    def _serve(self, connection, received):
        connection.settimeout(_LINGER)
        try:
            if self._answer_all(connection, received):
                with self._lock:
                    self.closed_by_proxy += 1
        except OSError:
            pass  # closed concurrently, by the proxy or by the end of the case
        finally:
            connection.close()

    def _answer_all(self, connection, received):
        """Serves one request after another; returns true if the proxy closed the connection."""
        begin = 0
        while True:
            seen, rest = message.read_request(bytes(received[begin:]))
            if seen is None:
                if not _more(connection, received):
                    return True
                continue
            with self._lock:
                number, self._served = self._served, self._served + 1
            steps = self.case.answers[number] if number < len(self.case.answers) else (plain_answer(seen),)
            steps = (steps,) if isinstance(steps, bytes) else steps
            if not any(isinstance(step, AwaitBody) for step in steps):
                steps = (AwaitBody(), *steps)
            for step in steps:
                if isinstance(step, AwaitBody):
                    while not seen.complete:
                        if not _more(connection, received):
                            return True
                        seen, rest = message.read_request(bytes(received[begin:]))
                elif isinstance(step, ContinueIfExpected):
                    if b"100-continue" in seen.items("Expect"):
                        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                elif not _step(connection, step):
                    return False
            while not seen.complete:
                if not _more(connection, received):
                    return True
                seen, rest = message.read_request(bytes(received[begin:]))
            begin = len(received) - len(rest)

    def stop(self):
        with self._lock:
            self._stopping = True
        try:
            self._held.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it was not listening
        self._held.close()
        for connection in self._open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # already closed


def _more(connection, received):
    piece = connection.recv(65_536)
    received += piece
    return bool(piece)


def _step(connection, step):
    """Runs one step of a script; returns false if the connection has ended."""
    if isinstance(step, bytes):
        connection.sendall(step)
    elif isinstance(step, Pause):
        time.sleep(step.seconds)
    elif isinstance(step, OnIdle):
        time.sleep(step.after)
    elif isinstance(step, HalfClose):
        connection.shutdown(socket.SHUT_WR)
    elif isinstance(step, Close):
        connection.close()
        return False
    elif isinstance(step, Reset):
        _reset(connection)
        return False
    return True


def _reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
