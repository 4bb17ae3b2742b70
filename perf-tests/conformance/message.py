"""A strict parser for HTTP/1.1 messages.

Any byte sequence that lenient parsers may interpret differently is a *fault* here. A message without faults means the
same to every parser before or after the proxy.
"""

import re
from dataclasses import dataclass, field

_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_REQUEST_LINE = re.compile(rb"(" + _TOKEN + rb") ([\x21-\x7e\x80-\xff]+) HTTP/(1\.[01])")
_STATUS_LINE = re.compile(rb"HTTP/(1\.[01]) ([1-5][0-9][0-9]) ([\t \x21-\x7e\x80-\xff]*)")
# Control bytes other than NUL, CR and LF may be kept for robustness (RFC 9110, 5.5).
_FIELD_LINE = re.compile(rb"(" + _TOKEN + rb"):[ \t]*([^\x00\r\n]*?)[ \t]*")
_QUOTED = rb'"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"'
_CHUNK_LINE = re.compile(
    rb"([0-9A-Fa-f]{1,16})((?:[ \t]*;[ \t]*" + _TOKEN + rb"(?:[ \t]*=[ \t]*(?:" + _TOKEN + rb"|" + _QUOTED + rb"))?)*)"
)
_NO_BODY = (204, 304)


@dataclass
class Message:
    """One request or response, possibly incomplete."""

    start: bytes = b""
    method: bytes = b""
    target: bytes = b""
    version: bytes = b""
    status: int = 0
    fields: list = field(default_factory=list)
    trailers: list = field(default_factory=list)
    framing: str = "none"
    body: bytes = b""
    complete: bool = False
    faults: list = field(default_factory=list)
    raw: bytes = b""

    def values(self, name):
        wanted = name.lower().encode("latin-1")
        return [value for key, value in self.fields if key.lower() == wanted]

    def value(self, name):
        """All field lines with that name as one list; None if there are none."""
        found = self.values(name)
        return b", ".join(found) if found else None

    def items(self, name):
        return [item.strip().lower() for value in self.values(name) for item in value.split(b",") if item.strip()]

    @property
    def final(self):
        return self.status >= 200 or self.status == 101


def _fields(lines, faults):
    found = []
    for line in lines:
        matched = _FIELD_LINE.fullmatch(line)
        if matched:
            found.append((matched.group(1), matched.group(2)))
            continue
        faults.append(f"field line {line[:60]!r}")
        name, colon, value = line.partition(b":")
        if colon:
            found.append((name.strip(), value.strip()))
    return found


def _length(message):
    """The framing that the fields announce; both or several are faults."""
    codings, lengths = message.values("Transfer-Encoding"), message.values("Content-Length")
    if codings and lengths:
        message.faults.append("Transfer-Encoding and Content-Length")
    if codings:
        if [value.lower() for value in codings] != [b"chunked"]:
            message.faults.append(f"Transfer-Encoding {codings!r}")
        if message.version == b"1.0":
            message.faults.append("Transfer-Encoding in HTTP/1.0")
        return "chunked", 0
    if not lengths:
        return None, 0
    if len(lengths) > 1 or not re.fullmatch(rb"[0-9]{1,4000}", lengths[0]):
        message.faults.append(f"Content-Length {lengths!r}")
        return "length", 0
    return "length", int(lengths[0])


def _read_chunks(message, rest):
    """Parses the chunked body in ``rest``; returns the following bytes, or None if it is incomplete."""
    while True:
        line, end, after = rest.partition(b"\r\n")
        if not end:
            return None
        matched = _CHUNK_LINE.fullmatch(line)
        if not matched:
            message.faults.append(f"chunk line {line[:60]!r}")
            return None
        size = int(matched.group(1), 16)
        if size == 0:
            rest = after
            break
        message.body += after[:size]
        if len(after) < size + 2:
            return None
        if after[size : size + 2] != b"\r\n":
            message.faults.append("no CRLF after the data of a chunk")
            return None
        rest = after[size + 2 :]
    lines = []
    while True:
        line, end, rest = rest.partition(b"\r\n")
        if not end:
            return None
        if not line:
            message.trailers = _fields(lines, message.faults)
            message.complete = True
            return rest
        lines.append(line)


def _read_body(message, framing, length, rest, ended):
    message.framing = framing
    if framing == "none":
        message.complete = True
        return rest
    if framing == "chunked":
        after = _read_chunks(message, rest)
        return b"" if after is None else after
    if framing == "length":
        message.body = rest[:length]
        message.complete = len(rest) >= length
        return rest[length:]
    message.body = rest
    message.complete = ended
    return b""


def _head(data):
    """(message, lines, rest), or None if the head is incomplete."""
    head, end, rest = data.partition(b"\r\n\r\n")
    if not end:
        return None
    lines = head.split(b"\r\n")
    message = Message(start=lines[0])
    return message, lines, rest


def read_request(data):
    """(request, rest); request is None if its head is incomplete."""
    split = _head(data)
    if split is None:
        return None, data
    message, lines, rest = split
    matched = _REQUEST_LINE.fullmatch(lines[0])
    if matched:
        message.method, message.target, message.version = matched.groups()
    else:
        message.faults.append(f"request line {lines[0][:60]!r}")
        words = lines[0].split() + [b"", b"", b""]
        message.method, message.target, message.version = words[0], words[1], words[2][-3:]
    message.fields = _fields(lines[1:], message.faults)
    hosts = len(message.values("Host"))
    if hosts > 1 or (hosts == 0 and message.version == b"1.1"):
        message.faults.append(f"{hosts} Host fields")
    framing, length = _length(message)
    rest = _read_body(message, framing or "none", length, rest, False)
    message.raw = data[: len(data) - len(rest)]
    return message, rest


def read_response(data, method, ended):
    """(response, rest); response is None if its head is incomplete."""
    split = _head(data)
    if split is None:
        return None, data
    message, lines, rest = split
    matched = _STATUS_LINE.fullmatch(lines[0])
    if matched:
        message.version, message.status = matched.group(1), int(matched.group(2))
    else:
        message.faults.append(f"status line {lines[0][:60]!r}")
        digits = re.match(rb"HTTP/(\d\.\d) +(\d+)", lines[0])
        if digits:
            message.version, message.status = digits.group(1), int(digits.group(2))
    message.fields = _fields(lines[1:], message.faults)
    framing, length = _length(message)
    if method == b"HEAD" or message.status < 200 or message.status in _NO_BODY:
        framing = "none"
    rest = _read_body(message, framing or "close", length, rest, ended)
    message.raw = data[: len(data) - len(rest)]
    return message, rest


def read_requests(data):
    """All requests in the bytes of one connection, and the rest with an incomplete head."""
    found = []
    while data:
        message, rest = read_request(data)
        if message is None:
            break
        found.append(message)
        data = rest
        if not message.complete:
            break
    return found, data


def read_responses(data, methods, ended):
    """All responses in the bytes that a client received, and the rest with an incomplete head."""
    found, finals = [], 0
    while data:
        method = methods[finals] if finals < len(methods) else b"GET"
        message, rest = read_response(data, method, ended)
        if message is None:
            break
        found.append(message)
        data = rest
        if message.final:
            finals += 1
        if not message.complete or message.status == 101:
            break
    return found, data
