"""HTTP over plain sockets, limited to the needs of the scripts: they must observe every byte and every kind of end."""

import json
import socket
import time
import urllib.parse
from dataclasses import dataclass

from . import tools

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict
    body: bytes

    def text(self):
        return self.body.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.body)


def free_ports(count):
    """Unused ports of the loopback address."""
    held = []
    try:
        for _ in range(count):
            listener = socket.socket()
            held.append(listener)
            listener.bind((HOST, 0))
        return [listener.getsockname()[1] for listener in held]
    finally:
        for listener in held:
            listener.close()


def split(url):
    """(port, path) of a URL, which must refer to this machine."""
    parts = urllib.parse.urlsplit(url if "//" in url else f"//{url}", scheme="http")
    if parts.scheme != "http" or parts.hostname not in (HOST, "localhost"):
        raise tools.Refused(f"{url}: only http://{HOST}:PORT is allowed, traffic stays on the loopback interface")
    path = parts.path or "/"
    return parts.port or 80, f"{path}?{parts.query}" if parts.query else path


class Unanswered(EOFError):
    """The connection ended before the first byte of a response."""


class CutShort(EOFError):
    """The connection ended within a response."""


def read_head(stream):
    """Status, lower-case header fields; raises Unanswered or CutShort if the stream ends before the head does."""
    try:
        line = stream.readline(65_536)
    except ConnectionError as failure:
        raise Unanswered(str(failure)) from None
    if not line:
        raise Unanswered("the connection ended")
    status = int(line.split(b" ", 2)[1])
    headers = {}
    while True:
        line = _read_line(stream).strip()
        if not line:
            return status, headers
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()


def read_answer(stream):
    """One whole response to a GET; raises Unanswered or CutShort."""
    status, headers = read_head(stream)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _read_chunks(stream)
    elif "content-length" in headers:
        body = _read_exactly(stream, int(headers["content-length"]))
    elif status in (204, 304):
        body = b""
    else:
        body = stream.read()
    return Answer(status, headers, body)


def _read_exactly(stream, length):
    try:
        body = stream.read(length)
    except ConnectionError as failure:
        raise CutShort(str(failure)) from None
    if len(body) != length:
        raise CutShort(f"the connection ended after {len(body)} of {length} bytes")
    return body


def _read_line(stream):
    try:
        line = stream.readline(65_536)
    except ConnectionError as failure:
        raise CutShort(str(failure)) from None
    if not line.endswith(b"\n"):
        raise CutShort("the connection ended within a line")
    return line


def _read_chunks(stream):
    body = b""
    while True:
        size = int(_read_line(stream).split(b";")[0], 16)
        if size == 0:
            while _read_line(stream).strip():
                pass
            return body
        body += _read_exactly(stream, size)
        _read_line(stream)


def request_head(port, path, method="GET", **fields):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def get(port, path, timeout=10.0):
    return send(port, request_head(port, path, Connection="close"), timeout)


def send(port, request, timeout=10.0):
    """Sends the bytes of a request, and returns its response."""
    with socket.create_connection((HOST, port), timeout) as connection:
        connection.sendall(request)
        with connection.makefile("rb") as stream:
            return read_answer(stream)


def await_ok(process, port, path, seconds=120.0, every=0.05):
    """Sends requests until the response is 200; returns the seconds since the process was started."""
    end = time.monotonic() + seconds
    last = "no response"
    while time.monotonic() < end:
        process.check_running()
        try:
            answer = get(port, path)
            if answer.status == 200:
                return time.monotonic() - process.started
            last = f"status {answer.status}"
        except (OSError, EOFError, ValueError) as failure:
            last = str(failure)
        time.sleep(every)
    raise tools.Refused(f"{process.name} did not get ready within {seconds:.0f} s ({last}):\n{process.log_tail()}")
