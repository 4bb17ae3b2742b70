"""A process that asks as a well-behaved client does: over HTTP/2, at a fixed rate, each request when it is due."""

import argparse
import json
import os
import select
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import frames as f

_REQUEST = f.request("GET", "/?length=1024")
_LENGTH = 1024
# After the last one was due, seconds.
_PATIENCE = 10
# The window is opened when so much of it is used up.
_OPEN_WINDOW = 1 << 15
# Under way on one connection; the gateway takes 100.
_STREAMS = 90


class Line:
    """One connection and the requests under way on it: when each was due, what has come of it."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(f.PREFACE + f.settings())
        self.reader = f.Reader()
        self.next = 1
        self.open = {}
        self.taken = 0

    def fileno(self):
        return self.socket.fileno()

    def ask(self, due):
        self.open[self.next] = [due, False, 0]
        self.socket.sendall(f.headers(self.next, _REQUEST))
        self.next += 2

    def hear(self, done):
        came = self.socket.recv(1 << 16)
        now = time.monotonic()
        for kind, flags, stream, payload in self.reader.feed(came):
            one = self.open.get(stream)
            if kind == f.SETTINGS and not flags & f.ACK:
                self.socket.sendall(f.frame(f.SETTINGS, f.ACK, 0))
            elif one is None:
                continue
            elif kind == f.HEADERS:
                # Field 8 of the static table is status 200.
                one[1] = payload[:1] == b"\x88"
            elif kind == f.DATA:
                one[2] += len(payload)
                self.taken += len(payload)
            if kind == f.RST_STREAM or (kind in (f.HEADERS, f.DATA) and flags & f.END_STREAM):
                del self.open[stream]
                done(one[0], now, kind != f.RST_STREAM and one[1] and one[2] == _LENGTH)
        if self.taken >= _OPEN_WINDOW:
            self.socket.sendall(f.window_update(0, self.taken))
            self.taken = 0
        return bool(came)


def ask_all(port, begin, rate, seconds):
    """(due, took, well) of each request, times in seconds; took is None if no answer came."""
    rows = []

    def done(due, now, well):
        rows.append((due - begin, now - due, well))

    def lost(line):
        rows.extend((one[0] - begin, None, False) for one in line.open.values())
        lines.remove(line)

    lines, number, count = [Line(port)], 0, int(rate * seconds)
    while number < count or (any(line.open for line in lines) and time.monotonic() < begin + seconds + _PATIENCE):
        now = time.monotonic()
        due = begin + number / rate
        if number < count and now >= due:
            number += 1
            line = min(lines, key=lambda one: len(one.open), default=None)
            if line is None or len(line.open) >= _STREAMS:
                line = Line(port)
                lines.append(line)
            try:
                line.ask(due)
            except OSError:
                lost(line)
            continue
        wait = due - now if number < count else 0.1
        for line in select.select(lines, [], [], max(0.0, wait))[0]:
            try:
                if not line.hear(done):
                    lost(line)
            except OSError:
                lost(line)
    for line in list(lines):
        lost(line)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--begin", type=float, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    rows = ask_all(chosen.port, chosen.begin, chosen.rate, chosen.seconds)
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(rows, report)


if __name__ == "__main__":
    main()
