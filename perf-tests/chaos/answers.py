"""What faulty origins do instead of answering.

Those of IN_STEP show the gateway within the exchange that the connection is of no more use, so that nobody else is
harmed, even on a port that others share. Those of OUT_OF_STEP spoil a connection that looks sound. An answer that
returns true leaves its connection to the next request.
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
    """The gateway did not let go of a connection that had fallen silent."""


class Turn:
    """One request, the connection it came on, and the dice."""

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
        """A clean end, behind all that was said."""
        self.writer.close()

    async def until_let_go(self):
        """Says nothing more, until the gateway has closed."""

        async def listen():
            while await self.reader.read(1 << 16):
                pass

        try:
            await asyncio.wait_for(listen(), _PATIENCE)
        except asyncio.TimeoutError:
            raise Kept from None

    async def deaf_until_let_go(self):
        """The same, without reading: only writing can tell."""
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
    """A little all the time: only the whole exchange has a bound."""
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
    """More than the length, in one piece with it."""
    await turn.request.digest()
    await turn.say(_WHOLE + turn.rng.choice((b"surplus", _FORGED)))
    await turn.until_let_go()


async def early_answer(turn):
    """An answer before the body was read, and the end."""
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
    """No fault as such; one when it ends with a reset."""
    await turn.say(_OK + b"Connection: close\r\n\r\n" + bytes(turn.rng.randint(0, 200_000)))
    if turn.rng.random() < 0.5:
        await turn.close()
    else:
        turn.reset()


async def large(turn):
    """No fault: an answer beyond all buffers, for clients that don't read it. The connection stays sound."""
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
