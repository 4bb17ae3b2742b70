"""Large bodies with clients that use little CPU time, so that the proxy is the bottleneck.

The kernel discards received bytes without a copy, and sends from memory without a copy.
"""

import mmap
import os
import socket
import struct
import threading
import time
from dataclasses import dataclass

from . import wire

_DROPPED_AT_ONCE = 16 << 20
_HEAD_AT_ONCE = 4096


@dataclass(frozen=True)
class BulkResult:
    requests: int
    length: int
    seconds: float
    errors: int
    # Each kind of error once.
    problems: tuple


class Broken(Exception):
    """The connection ended, or the message was malformed."""


def open_connection(port, timeout=60):
    """A blocking socket: the kernel's timeout lets a single call wait for a whole body."""
    connection = socket.create_connection((wire.HOST, port), timeout)
    set_patience(connection, timeout)
    return connection


def set_patience(connection, seconds):
    connection.settimeout(None)
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))


def read_head(connection):
    """(first line, fields by lower-case name, length of the body read so far); None if the peer has closed before."""
    kept = b""
    while True:
        end = kept.find(b"\r\n\r\n")
        if end >= 0:
            first, *lines = kept[:end].decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in lines)
            return first, {name.lower(): value.strip() for name, _, value in pairs}, len(kept) - end - 4
        piece = connection.recv(_HEAD_AT_ONCE)
        if not piece:
            if kept:
                raise Broken("the connection ended within a head")
            return None
        kept += piece


class Drain:
    """Discards the bytes of a body. Not thread-safe."""

    def __init__(self):
        # Never touched, so it uses no memory: the call requires a buffer as long as the discarded bytes.
        self._nowhere = memoryview(mmap.mmap(-1, _DROPPED_AT_ONCE))

    def take(self, connection, length):
        while length > 0:
            asked = min(length, _DROPPED_AT_ONCE)
            count = connection.recv_into(self._nowhere, asked, socket.MSG_TRUNC | socket.MSG_WAITALL)
            if count == 0:
                raise Broken(f"the connection ended {length} bytes before the body did")
            length -= count


def _answer_length(head):
    if head is None:
        raise Broken("no response")
    first, fields, began = head
    if first.split(" ")[1] != "200" or "content-length" not in fields:
        raise Broken(f"{first} {fields} (expected: 200 with Content-Length)")
    return int(fields["content-length"]), began


class _Client(threading.Thread):
    """One body after another on one connection. The last one is completed, so that only whole bodies count."""

    def __init__(self, port, case, end):
        super().__init__(daemon=True)
        self.port, self.case, self.end = port, case, end
        self.requests = self.errors = self.length = 0
        self.problem = ""
        self._drain = Drain()

    def run(self):
        while time.monotonic() < self.end:
            try:
                with open_connection(self.port) as connection:
                    self._ask_on(connection)
            except (OSError, Broken) as failure:
                self.errors += 1
                self.problem = str(failure)
                time.sleep(0.05)

    def _ask_on(self, connection):
        case = self.case
        fields = {"Content_Length": case.upload} if case.upload else {}
        head = wire.request_head(self.port, case.path, "POST" if case.upload else "GET", **fields)
        with _body(case.upload) as source:
            while time.monotonic() < self.end:
                connection.sendall(head)
                _send(connection, source, case.upload)
                length, began = _answer_length(read_head(connection))
                if case.download and length != case.download:
                    raise Broken(f"a body of {length} bytes (expected: {case.download})")
                self._drain.take(connection, length - began)
                self.requests += 1
                self.length += case.body


def _body(length):
    """A file in memory; opened per client, because its pages are shared but its offset is not."""
    file = os.fdopen(os.memfd_create("upload"), "r+b")
    file.truncate(length)
    return file


def _send(connection, source, length):
    sent = 0
    while sent < length:
        count = os.sendfile(connection.fileno(), source.fileno(), sent, length - sent)
        if count == 0:
            raise Broken("nothing more could be sent")
        sent += count


def run(port, case, seconds):
    began = time.monotonic()
    clients = [_Client(port, case, began + seconds) for _ in range(case.connections)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    problems = sorted({client.problem for client in clients if client.problem})
    took = time.monotonic() - began
    requests, length, errors = (sum(getattr(one, name) for one in clients) for name in ("requests", "length", "errors"))
    return BulkResult(requests, length, took, errors, tuple(problems))
