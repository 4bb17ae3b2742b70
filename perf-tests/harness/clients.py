"""A keep-alive client that knows how each of its requests ended."""

import socket
import time
from collections import Counter

from . import wire


class KeepAliveClient:
    """Asks, one request at a time, until nobody accepts connections any more."""

    def __init__(self, port, path):
        self.port = port
        self.path = path
        # By outcome: answered, another status, cut (an answer broke off), unanswered.
        self.outcomes = Counter()
        # When the unanswered ones were sent, as time.monotonic() tells.
        self.unanswered_sent = []

    def run(self):
        while True:
            try:
                connection = socket.create_connection((wire.HOST, self.port), 20)
            except OSError:
                return
            with connection, connection.makefile("rb") as stream:
                if self._ask_on(connection, stream) == 0:
                    return

    def _ask_on(self, connection, stream):
        """Asks on one connection until it ends; returns how many answers came."""
        answers = 0
        while True:
            sent = time.monotonic()
            try:
                connection.sendall(wire.request_head(self.port, self.path))
                answer = wire.read_answer(stream)
            except wire.CutShort:
                self.outcomes["cut"] += 1
                return answers
            except (wire.Unanswered, OSError):
                self.outcomes["unanswered"] += 1
                self.unanswered_sent.append(sent)
                return answers
            answers += 1
            self.outcomes["answered" if answer.status == 200 else f"status {answer.status}"] += 1
            if answer.headers.get("connection", "").lower() == "close":
                return answers
