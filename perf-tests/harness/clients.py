"""A keep-alive client that records the outcome of each request."""

import socket
import time
from collections import Counter

from . import wire


class KeepAliveClient:
    """Sends one request at a time until connects are refused."""

    def __init__(self, port, path):
        self.port = port
        self.path = path
        # By outcome: answered, another status, cut (a truncated response), unanswered.
        self.outcomes = Counter()
        # Send times of the unanswered requests, in time.monotonic().
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
        """Sends requests on one connection until it ends; returns the number of responses."""
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
