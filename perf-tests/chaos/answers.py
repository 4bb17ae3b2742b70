"""Faults of origins in place of a response.

After an IN_STEP fault the gateway can detect within the exchange that the connection is unusable, so other exchanges are
unaffected, even on a shared port. OUT_OF_STEP faults corrupt a connection that appears usable. A function that returns
true keeps its connection open for the next request.
"""

import asyncio
import socket
import struct

_OK = b"HTTP/1.1 200 OK\r\n"
_WHOLE = _OK + b"Content-Length: 5\r\n\r\nwhole"
_FORGED = _OK + b"Content-Length: 6\r\nX-Number: forged\r\n\r\nforged"
# Longer than any timeout of the gateway.
_PATIENCE = 20


class Kept(Exception):
    """The gateway did not close a stalled connection."""


class Turn:
    """One request with its connection and random generator."""

    def __init__(self, request, reader, writer, rng):
        self.request = request
        self.reader = reader
        self.writer = writer
        self.rng = rng

    async def say(self, octets):
        self.writer.write(octets)
        await self.writer.drain()

    def reset(self):
        reset(self.writer)

    async def close(self):
        """Closes the connection cleanly after all bytes are sent."""
        self.writer.close()

    async def until_let_go(self):
        """Sends nothing more until the gateway has closed."""

        async def listen():
            while await self.reader.read(1 << 16):
                pass

        try:
            await asyncio.wait_for(listen(), _PATIENCE)
        except asyncio.TimeoutError:
            raise Kept from None

    async def deaf_until_let_go(self):
        """Same, without reading: only a write detects the close."""
        self.writer.transport.pause_reading()
        await asyncio.sleep(self.rng.uniform(1, 12))


def reset(writer):
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def reset_before(turn):
    turn.reset()


async def reset_later(turn):
    await turn.request.digest()
    await asyncio.sleep(turn.rng.uniform(0, 0.2))
    turn.reset()


async def close_before(turn):
    await turn.request.digest()
    await turn.close()


async def reset_in_head(turn):
    await turn.say(_OK + b"Content-Le")
    await asyncio.sleep(turn.rng.choice((0, 0.05)))
    turn.reset()


async def close_in_head(turn):
    await turn.say(_OK + b"Content-Le")
    await turn.close()


async def reset_in_body(turn):
    await turn.say(_OK + b"Content-Length: 100000\r\n\r\n" + bytes(turn.rng.randint(0, 90_000)))
    await asyncio.sleep(turn.rng.choice((0, 0.05)))
    turn.reset()


async def close_in_body(turn):
    await turn.say(_OK + b"Content-Length: 100000\r\n\r\n" + bytes(turn.rng.randint(0, 90_000)))
    await turn.close()


async def truncated_chunks(turn):
    end = turn.rng.choice((b"", b"ff", b"ff\r\nab"))
    await turn.say(_OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n" + end)
    await turn.close()


async def bad_chunk_size(turn):
    await turn.say(_OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n-1\r\nmore\r\n0\r\n\r\n")
    await turn.until_let_go()


async def stall_before(turn):
    await turn.until_let_go()


async def stall_in_head(turn):
    await turn.say(_OK + b"Content-Le")
    await turn.until_let_go()


async def stall_in_body(turn):
    await turn.say(_OK + b"Content-Length: 100000\r\n\r\n" + bytes(turn.rng.randint(0, 90_000)))
    await turn.until_let_go()


async def read_nothing(turn):
    await turn.deaf_until_let_go()
    turn.reset()


async def drip(turn):
    """Sends slowly but steadily: only the exchange timeout applies."""
    await turn.say(_OK + b"Content-Length: 1000\r\n\r\n")
    for _ in range(100):
        await turn.say(b"d")
        if turn.reader.at_eof():
            return
        await asyncio.sleep(0.2)
    raise Kept


async def garbage(turn):
    await turn.say(turn.rng.randbytes(turn.rng.randint(1, 2000)))
    await turn.until_let_go()


async def bad_head(turn):
    lines = (
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
        _OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nwhole",
        _OK + b"Content-Length: minus\r\n\r\n",
        _OK + b"No colon\r\n\r\n",
        _OK + b"X: a\0b\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n",
    )
    await turn.say(turn.rng.choice(lines))
    await turn.until_let_go()


async def huge_head(turn):
    await turn.say(_OK + b"X-Filling: " + b"x" * 300_000 + b"\r\nContent-Length: 0\r\n\r\n")
    await turn.until_let_go()


async def surplus(turn):
    """Sends more bytes than announced, in one write."""
    await turn.request.digest()
    await turn.say(_WHOLE + turn.rng.choice((b"surplus", _FORGED)))
    await turn.until_let_go()


async def early_answer(turn):
    """Responds before the request body is read, then closes."""
    await turn.say(b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nearly")
    if turn.rng.random() < 0.5:
        await turn.close()
    else:
        await asyncio.sleep(turn.rng.uniform(0, 0.1))
        turn.reset()


async def interim_flood(turn):
    for _ in range(turn.rng.randint(10, 50)):
        await turn.say(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 20)
    if turn.rng.random() < 0.5:
        await turn.request.digest()
        await turn.say(_OK + b"Connection: close\r\nContent-Length: 5\r\n\r\nwhole")
        await turn.close()
    else:
        await turn.until_let_go()


async def interim_for_ever(turn):
    for _ in range(400):
        await turn.say(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        if turn.reader.at_eof():
            return
        await asyncio.sleep(0.05)
    raise Kept


async def until_close(turn):
    """Not a fault unless it ends with a reset."""
    await turn.say(_OK + b"Connection: close\r\n\r\n" + bytes(turn.rng.randint(0, 200_000)))
    if turn.rng.random() < 0.5:
        await turn.close()
    else:
        turn.reset()


async def large(turn):
    """Not a fault: a response larger than all buffers, for clients that do not read. The connection remains usable."""
    await turn.request.digest()
    await turn.say(_OK + b"Content-Length: 8388608\r\n\r\n")
    block = bytes(1 << 16)
    for _ in range(128):
        await turn.say(block)
    return True


async def reset_after(turn):
    await turn.request.digest()
    await turn.say(_WHOLE)
    await asyncio.sleep(turn.rng.choice((0, 0, 0.01, 0.1)))
    turn.reset()


async def close_after(turn):
    await turn.request.digest()
    await turn.say(_WHOLE)
    await asyncio.sleep(turn.rng.choice((0, 0, 0.01, 0.1)))
    await turn.close()


async def unsolicited(turn):
    await turn.request.digest()
    await turn.say(_WHOLE)
    await asyncio.sleep(turn.rng.uniform(0, 0.3))
    await turn.say(turn.rng.choice((b"\r\n", b"unsolicited", _FORGED, b"HTTP/1.1 408 Request Timeout\r\n\r\n")))
    await turn.until_let_go()


def _named(*answers):
    return {answer.__name__.replace("_", "-"): answer for answer in answers}


IN_STEP = _named(
    reset_before,
    reset_later,
    close_before,
    reset_in_head,
    close_in_head,
    reset_in_body,
    close_in_body,
    truncated_chunks,
    bad_chunk_size,
    stall_before,
    stall_in_head,
    stall_in_body,
    read_nothing,
    drip,
    garbage,
    bad_head,
    huge_head,
    surplus,
    early_answer,
    interim_flood,
    interim_for_ever,
    until_close,
    large,
)
OUT_OF_STEP = _named(reset_after, close_after, unsolicited)
ALL = {**IN_STEP, **OUT_OF_STEP}
