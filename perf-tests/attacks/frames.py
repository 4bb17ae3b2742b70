"""HTTP/2 frames as bytes, valid and malformed."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS, WITH_PRIORITY = 1, 1, 4, 0x20
INITIAL_WINDOW = 4

ERRORS = (
    "no-error protocol-error internal-error flow-control-error settings-timeout stream-closed frame-size-error "
    "refused-stream cancel compression-error connect-error enhance-your-calm inadequate-security http-1-1-required"
).split()


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def settings(**values):
    """``window`` is the initial window of a stream."""
    payload = struct.pack(">HI", INITIAL_WINDOW, values["window"]) if "window" in values else b""
    return frame(SETTINGS, 0, 0, payload)


def text(value):
    """An HPACK string without Huffman coding."""
    value = value.encode("latin-1")
    if len(value) < 127:
        return bytes((len(value),)) + value
    rest, size = len(value) - 127, bytearray((127,))
    while rest >= 128:
        size.append(rest & 127 | 128)
        rest >>= 7
    size.append(rest)
    return bytes(size) + value


def field(name, value, first=b"\x00"):
    return first + text(name) + text(value)


def request(method, path, *more, scheme="http"):
    fields = ((":method", method), (":scheme", scheme), (":authority", "localhost"), (":path", path), *more)
    return b"".join(field(*one) for one in fields)


def headers(stream, block, end=True):
    return frame(HEADERS, END_HEADERS | (END_STREAM if end else 0), stream, block)


def data(stream, payload, end=False):
    return frame(DATA, END_STREAM if end else 0, stream, payload)


def reset(stream, code=8):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def window_update(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


class Reader:
    """Parses received bytes: ``for kind, flags, stream, payload in reader.feed(bytes)``."""

    def __init__(self):
        self._rest = b""

    def feed(self, more):
        rest = self._rest + more
        at = 0
        while len(rest) - at >= 9:
            length = int.from_bytes(rest[at : at + 3], "big")
            if len(rest) - at < 9 + length:
                break
            stream = int.from_bytes(rest[at + 5 : at + 9], "big")
            yield rest[at + 3], rest[at + 4], stream, rest[at + 9 : at + 9 + length]
            at += 9 + length
        self._rest = rest[at:]
