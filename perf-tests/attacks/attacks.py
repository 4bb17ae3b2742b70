"""Each attack: what a connection begins with, and what it says again and again."""

import struct
from dataclasses import dataclass
from typing import Callable

from . import frames as f

_PAGE = f.request("GET", "/?length=1024")
# Its origin is still busy with it when the stream is reset.
_WORK = f.request("GET", "/?length=1024&delay=2000")
_UPLOAD = f.request("POST", "/upload", ("content-length", "5"))
_BODY = f.request("POST", "/upload")
# In one go: more than may be reset at once.
_BURST = 250
_WIDE = 0x7FFFFFFF
_MIB = 1 << 20
# What a connection may pin whose client takes nothing: 2 MiB that wait, and a read of 64 KiB of each of its 100 streams' origins.
_CLOSED = int(8.25 * _MIB)
# Of one that takes what comes: reads that go on grow, up to 512 KiB each (docs/buffers.md), and leave in parts.
_TAKEN = 52 * _MIB


@dataclass(frozen=True)
class Attack:
    name: str
    # What is wrong with it: an error by which connections are to end, or none if they need not end.
    ends_by: str
    connections: int
    opening: bytes
    # What follows, by the number of the step; may be nothing.
    step: Callable[[int], bytes]
    # Steps per second of all connections together; 0 = as many as can be.
    rate: float = 0
    # Whether what comes is read.
    reads: bool = True
    # Bytes that each connection may pin; 0 = as all attacks together.
    pins: int = 0


def _streams(step, each):
    """The ids of a step's streams, one after the other."""
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
    """The first puts a large value into the table; all refer to it thousands of times, by a byte each."""
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
    """``pinning`` connections hold closed windows."""
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
        # Most memory: answers that their origins get rid of, so that the gateway has them all.
        _closed("closed windows", pinning, 65_536),
        # Most connections to origins; together below the most that a pool has.
        _closed("closed windows, long answers", min(pinning, 8), 1 << 20),
        # No attack: what the same requests cost others if their answers are taken.
        Attack(
            "long answers that are taken",
            "",
            min(pinning, 8),
            f.PREFACE + f.settings(window=_WIDE) + f.window_update(0, _WIDE - 65_535) + _asking(1 << 20),
            lambda step: b"",
            rate=100,
            pins=_TAKEN,
        ),
        # Twice as many as a pool has: what others need must be taken back.
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
