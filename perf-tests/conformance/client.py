"""The client: sends the steps of a case and records all received bytes."""

import select
import socket
import struct
import threading
import time

from harness import wire

from . import http2, message
from .case import AwaitAnswers, AwaitContinue, Close, HalfClose, Pause, Reset

# Seconds to watch for further bytes or the end of the connection after the last expected response.
QUIET = 0.35
_STEP_PATIENCE = 4.0
_LINGER = 6.0


class Client:
    """Reads in its own thread, so that a reset can't discard a response that has already arrived."""

    def __init__(self, port, address, methods, quiet=QUIET):
        self.methods = methods
        self._quiet = quiet
        self._address = address
        self.received = b""
        self.ending = "open"
        self._news = threading.Condition()
        self._given_up = False
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.bind((address, 0))
        self.socket.settimeout(10)
        self.socket.connect((wire.HOST, port))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        arrivals = select.poll()
        arrivals.register(self.socket, select.POLLIN)
        while True:
            if self._given_up:
                return
            # Short timeouts: a socket is not reset while a thread reads from it.
            if not arrivals.poll(100):
                continue
            try:
                piece, ending = self.socket.recv(65_536), "closed"
            except OSError:
                piece, ending = b"", "reset"
            with self._news:
                if self._given_up:
                    return
                if not piece:
                    self.ending = ending
                self.received += piece
                self._news.notify_all()
            if not piece:
                return

    def run(self, case):
        if case.protocol == "h2":
            self._run_http2(case)
            return
        for step in case.steps():
            if not self._step(step):
                break
        if self._given_up:
            time.sleep(case.settle)
            return
        if case.until_end:
            self._wait(lambda: False, case.patience)
        else:
            self._wait(lambda: self._finals() >= case.expect, case.patience)
            self._wait(lambda: False, _LINGER if self._closing() else self._quiet)
        time.sleep(case.settle)

    def _run_http2(self, case):
        """Waits for ``expect`` streams to end, complete or reset."""
        for step in case.steps():
            self._step(step)
        ended = lambda: sum(one.ended for one in http2.read_streams(self.received).values())
        self._wait(lambda: ended() >= case.expect, case.patience)
        time.sleep(case.settle)

    def _step(self, step):
        if isinstance(step, bytes):
            try:
                self.socket.sendall(self._told(step))
            except OSError:
                # The proxy has closed already; the reader has its bytes.
                self._wait(lambda: False, 1)
                return False
        elif isinstance(step, Pause):
            time.sleep(step.seconds)
        elif isinstance(step, AwaitAnswers):
            self._wait(lambda: self._finals() >= step.count, _STEP_PATIENCE)
        elif isinstance(step, AwaitContinue):
            self._wait(lambda: self._answers() > 0, step.seconds)
        elif isinstance(step, HalfClose):
            self.socket.shutdown(socket.SHUT_WR)
        elif isinstance(step, (Close, Reset)):
            self._leave(isinstance(step, Reset))
        return True

    def _told(self, step):
        """Replaces placeholders by the client's address, plain or with three digits per octet."""
        padded = ".".join(octet.zfill(3) for octet in self._address.split("."))
        return step.replace(b"{address}", self._address.encode()).replace(b"{padded}", padded.encode())

    def _leave(self, reset):
        with self._news:
            self._given_up = True
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            self.socket.shutdown(socket.SHUT_WR)
        self.socket.close()

    def _wait(self, reached, seconds):
        end = time.monotonic() + seconds
        with self._news:
            while not reached() and self.ending == "open":
                left = end - time.monotonic()
                if left <= 0:
                    return
                self._news.wait(left)

    def _responses(self):
        return message.read_responses(self.received, self.methods, self.ending != "open")[0]

    def _finals(self):
        return sum(1 for one in self._responses() if one.final and one.complete)

    def _answers(self):
        return len(self._responses())

    def _closing(self):
        """The last response said close; a proxy may first wait for data in transit."""
        finals = [one for one in self._responses() if one.final]
        return bool(finals) and b"close" in finals[-1].items("Connection")

    def close(self):
        with self._news:
            self._given_up = True
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # already closed
        self.socket.close()
