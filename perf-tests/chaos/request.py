"""A strict parser for requests at an origin, because the gateway must never forward a malformed one."""

import asyncio
import hashlib
import re

_LINE = re.compile(rb"(GET|HEAD|POST) (/[!-~]*) HTTP/1\.1")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
_HEX = re.compile(rb"[0-9A-Fa-f]{1,8}")


class Malformed(Exception):
    """The gateway has sent a malformed request."""


class Request:
    def __init__(self, method, path, fields, reader, writer):
        self.method = method
        self.segments = path.partition("?")[0].split("/")[1:]
        self.fields = fields
        self.number = fields.get("x-number", "-")
        self._reader = reader
        self._writer = writer

    async def digest(self):
        """Reads the body; (length, SHA-256)."""
        if self.fields.get("expect", "").lower() == "100-continue":
            self._writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        sha, total = hashlib.sha256(), 0
        async for part in self._parts():
            sha.update(part)
            total += len(part)
        return total, sha.hexdigest()

    async def _parts(self):
        if "transfer-encoding" in self.fields:
            while True:
                size = await self._line()
                if not _HEX.fullmatch(size):
                    raise Malformed(f"chunk size {size[:100]!r}")
                if int(size, 16) == 0:
                    while await self._line():
                        pass
                    return
                yield await self._reader.readexactly(int(size, 16))
                if await self._line():
                    raise Malformed("a chunk is longer than its size")
        left = int(self.fields.get("content-length", "0"))
        while left:
            part = await self._reader.read(min(left, 1 << 16))
            if not part:
                raise asyncio.IncompleteReadError(b"", left)
            left -= len(part)
            yield part

    async def _line(self):
        line = await self._reader.readuntil(b"\r\n")
        return line[:-2]


async def read(reader, writer):
    """The head of the next request; None if the connection ended before it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as end:
        if end.partial and not _may_begin(end.partial):
            raise Malformed(f"{end.partial[:100]!r}") from None
        return None
    first, *lines = head[:-4].split(b"\r\n")
    line = _LINE.fullmatch(first)
    if not line:
        raise Malformed(f"request line {first[:100]!r}")
    fields = {}
    for text in lines:
        field = _FIELD.fullmatch(text)
        if not field:
            raise Malformed(f"field {text[:100]!r}")
        name = field[1].decode().lower()
        if name in fields and name in ("content-length", "transfer-encoding", "host"):
            raise Malformed(f"a second {name}")
        fields[name] = field[2].decode("latin-1")
    if "transfer-encoding" in fields and ("content-length" in fields or fields["transfer-encoding"] != "chunked"):
        raise Malformed("unclear framing")
    return Request(line[1].decode(), line[2].decode(), fields, reader, writer)


def _may_begin(partial):
    return any(partial.startswith(method[: len(partial)]) for method in (b"GET ", b"HEAD ", b"POST "))
