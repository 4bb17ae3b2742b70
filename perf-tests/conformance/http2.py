"""HTTP/2 in raw bytes, limited to the cases: frames, header blocks without a dynamic table, statuses."""

from dataclasses import dataclass

DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4
END_STREAM, END_HEADERS = 1, 4
PROTOCOL_ERROR = 1

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

# RFC 7541, appendix A: the static table's entries of :status.
_STATUSES = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}
_STATUS_NAMES = range(8, 15)
# RFC 7541, appendix B: the codes of the digits.
_DIGITS = ("00000", "00001", "00010", "011001", "011010", "011011", "011100", "011101", "011110", "011111")


@dataclass
class Stream:
    status: int | None = None
    reset: int | None = None
    ended: bool = False
    # Whether a second header block has arrived.
    trailers: bool = False


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def begin():
    """The preface and empty SETTINGS."""
    return PREFACE + frame(SETTINGS, 0, 0)


def headers(stream, *fields, end=False):
    block = b"".join(b"\x00" + _string(name) + _string(value) for name, value in fields)
    return frame(HEADERS, END_HEADERS | (END_STREAM if end else 0), stream, block)


def data(stream, body, end=False):
    return frame(DATA, END_STREAM if end else 0, stream, body)


def request(stream, method, *fields, path=b"/", end=False, scheme=b"http"):
    pseudo = ((b":method", method), (b":scheme", scheme), (b":authority", b"example.com"), (b":path", path))
    return headers(stream, *pseudo, *fields, end=end)


def _string(text):
    if len(text) < 127:
        return bytes((len(text),)) + text
    length, rest = b"\x7f", len(text) - 127
    while rest >= 128:
        length, rest = length + bytes((rest % 128 + 128,)), rest // 128
    return length + bytes((rest,)) + text


def read_streams(received):
    """The received frames of every stream, by stream id."""
    streams, at = {}, 0
    while len(received) - at >= 9:
        length = int.from_bytes(received[at : at + 3], "big")
        kind, flags = received[at + 3], received[at + 4]
        number = int.from_bytes(received[at + 5 : at + 9], "big")
        payload = received[at + 9 : at + 9 + length]
        at += 9 + length
        if len(payload) < length or number == 0:
            continue
        stream = streams.setdefault(number, Stream())
        if kind == HEADERS and stream.status is None:
            stream.status = _status(payload)
        elif kind == HEADERS:
            stream.trailers = True
        if kind == RST_STREAM:
            stream.reset = int.from_bytes(payload, "big")
        stream.ended |= kind == RST_STREAM or (kind in (DATA, HEADERS) and flags & END_STREAM != 0)
    return streams


def _status(block):
    """The status at the start of a header block, after table size updates; None if it can't be decoded."""
    while block and block[0] & 0xE0 == 0x20:
        block = block[1:]
    if not block:
        return None
    if block[0] & 0x80:
        return _STATUSES.get(block[0] & 0x7F)
    index = block[0] & 0x3F if block[0] & 0x40 else block[0] & 0x0F
    if index not in _STATUS_NAMES or len(block) < 2:
        return None
    text = block[2 : 2 + (block[1] & 0x7F)]
    return _digits(text) if block[1] & 0x80 else int(text)


def _digits(coded):
    bits, number = "".join(f"{byte:08b}" for byte in coded), ""
    while len(number) < 3:
        digit = next((place for place, code in enumerate(_DIGITS) if bits.startswith(code)), None)
        if digit is None:
            return None
        number, bits = number + str(digit), bits[len(_DIGITS[digit]) :]
    return int(number)
