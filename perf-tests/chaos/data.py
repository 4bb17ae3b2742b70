"""The bytes that well-behaved clients and origins exchange. Both sides know them, so that corruption is detected."""

import random

_POOL = random.Random("lychgate").randbytes(1 << 20)
SIZE = len(_POOL)

# (share, maximum length): most bodies are small, a few exceed all buffers.
_SIZES = ((0.5, 1 << 10), (0.35, 32 << 10), (0.14, 256 << 10), (0.01, SIZE))


def piece(offset, length):
    """``length`` bytes from ``offset`` on; offset + length is at most SIZE."""
    return _POOL[offset : offset + length]


def place(rng):
    """(offset, length) of a random range."""
    largest = rng.choices([size for _, size in _SIZES], [share for share, _ in _SIZES])[0]
    length = rng.randint(0, largest)
    return rng.randint(0, SIZE - length), length
