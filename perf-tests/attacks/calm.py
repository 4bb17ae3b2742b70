"""A well-behaved HTTP/2 client: sends each request when it is due, at a fixed rate. Optionally uses TLS; some requests
then open a connection each, and their handshakes are included in the latency."""

import argparse
import json
import os
import select
import socket
import ssl
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import frames as f

_LENGTH = 1024
# Seconds after the last request is due.
_PATIENCE = 10
# Bytes consumed before the window is updated.
_OPEN_WINDOW = 1 << 15
# Concurrent requests per connection; the gateway allows 100.
_STREAMS = 90


class Line:
    """One connection with its active requests: due time and result of each."""

    request = f.request("GET", "/?length=1024")

    def __init__(self, port, fresh=False):
        self.fresh = fresh
        self.socket = self._connect(port)
        self._send(f.PREFACE + f.settings())
        self.reader = f.Reader()
        self.next = 1
        self.open = {}
        self.taken = 0

    def _connect(self, port):
        made = socket.create_connection(("127.0.0.1", port), 5)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def _send(self, these):
        self.socket.sendall(these)

    def _receive(self):
        """The bytes received, possibly none; None at the end."""
        return self.socket.recv(1 << 16) or None

    def fileno(self):
        return self.socket.fileno()

    def ask(self, due):
        self.open[self.next] = [due, False, 0]
        self._send(f.headers(self.next, self.request))
        self.next += 2

    def hear(self, done):
        came = self._receive()
        now = time.monotonic()
        for kind, flags, stream, payload in self.reader.feed(came or b""):
            one = self.open.get(stream)
            if kind == f.SETTINGS and not flags & f.ACK:
                self._send(f.frame(f.SETTINGS, f.ACK, 0))
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
                done(self, one[0], now, kind != f.RST_STREAM and one[1] and one[2] == _LENGTH)
        if self.taken >= _OPEN_WINDOW:
            self._send(f.window_update(0, self.taken))
            self.taken = 0
        return came is not None


class TlsLine(Line):
    """Same as above, inside TLS. Non-blocking: data written before the end of the handshake is sent after it."""

    request = f.request("GET", "/?length=1024", scheme="https")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])

    def _connect(self, port):
        self.waiting = b""
        self.shaken = False
        made = self.context.wrap_socket(super()._connect(port), do_handshake_on_connect=False, server_hostname="localhost")
        made.setblocking(False)
        return made

    def _send(self, these):
        self.waiting += these
        try:
            if not self.shaken:
                self.socket.do_handshake()
                self.shaken = True
            while self.waiting:
                self.waiting = self.waiting[self.socket.send(self.waiting) :]
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            # The little data sent here always fits the socket buffer, so the handshake waits for the peer.
            pass

    def _receive(self):
        came = b""
        self._send(b"")
        while self.shaken:
            try:
                more = self.socket.recv(1 << 16)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return came
            if not more:
                return came or None
            came += more
        return came


def ask_all(port, begin, rate, seconds, kind=Line, fresh=0):
    """Returns (due, took, well, fresh) of each request, times in seconds; took is None without a response. ``fresh``
    requests per second open a connection each."""
    rows = []

    def done(line, due, now, well):
        rows.append((due - begin, now - due, well, line.fresh))

    def lost(line):
        rows.extend((one[0] - begin, None, False, line.fresh) for one in line.open.values())
        lines.remove(line)
        line.socket.close()

    def choose(number):
        if every and number % every == 0:
            lines.append(kind(port, True))
            return lines[-1]
        line = min((one for one in lines if not one.fresh), key=lambda one: len(one.open), default=None)
        if line is None or len(line.open) >= _STREAMS:
            line = kind(port)
            lines.append(line)
        return line

    every = int(rate / fresh) if fresh else 0
    lines, number, count = [kind(port)], 0, int(rate * seconds)
    while number < count or (any(line.open for line in lines) and time.monotonic() < begin + seconds + _PATIENCE):
        now = time.monotonic()
        due = begin + number / rate
        if number < count and now >= due:
            number += 1
            try:
                line = choose(number)
            except OSError:
                rows.append((due - begin, None, False, False))
                continue
            try:
                line.ask(due)
            except OSError:
                lost(line)
            continue
        wait = due - now if number < count else 0.1
        for line in select.select(lines, [], [], max(0.0, wait))[0]:
            try:
                if not line.hear(done) or (line.fresh and not line.open):
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
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--fresh", type=float, default=0)
    chosen = parser.parse_args()
    kind = TlsLine if chosen.tls else Line
    rows = ask_all(chosen.port, chosen.begin, chosen.rate, chosen.seconds, kind, chosen.fresh)
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(rows, report)


if __name__ == "__main__":
    main()
