"""Faults of clients. Each opens one connection and closes it when it is done or the gateway closes."""

import asyncio

from . import answers, data

# (weight, upstream) of the resources that faulty clients request; half of the requests are faulty themselves.
_WHERE = (
    (20, "good"),
    (10, "mixed"),
    (10, "flapping"),
    (25, "mixed fault"),
    (25, "faulty fault"),
    (4, "restarting"),
    (4, "refusing"),
    (2, "deaf"),
)


class Draw:
    """The random generator of one fault, and the chosen resource."""

    def __init__(self, rng):
        self.rng = rng

    def path(self):
        where = self.rng.choices([name for _, name in _WHERE], [weight for weight, _ in _WHERE])[0]
        upstream, _, fault = where.partition(" ")
        if fault:
            kinds = answers.IN_STEP if upstream == "mixed" else answers.ALL
            return f"/{upstream}/fault/{self.rng.choice(sorted(kinds))}"
        return self.sound_path(upstream)

    def sound_path(self, upstream="good", least=0):
        offset, length = data.place(self.rng)
        framing = self.rng.choice(("counted", "chunked"))
        return f"/{upstream}/data/{min(offset, data.SIZE - max(least, length))}/{max(least, length)}/{framing}"

    def large_path(self):
        return self.rng.choice(("/mixed/fault/large", self.sound_path(least=900_000)))

    def head(self, method="GET", path=None, *fields):
        lines = [f"{method} {path or self.path()} HTTP/1.1", "Host: chaos.example", *fields]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def post_head(self, length, *fields):
        return self.head("POST", None, f"Content-Length: {length}", *fields)

    def part(self, octets):
        """All bytes except the end."""
        return octets[: self.rng.randint(1, len(octets) - 1)]

    async def moment(self, longest=0.2):
        await asyncio.sleep(self.rng.choice((0, self.rng.uniform(0, longest))))

    def leave(self, line):
        if self.rng.random() < 0.5:
            line.reset()
        else:
            line.close()


async def asks_rightly(line, draw):
    """No fault of the client; the origin determines the result."""
    for _ in range(draw.rng.randint(1, 5)):
        body = data.piece(0, draw.rng.randint(0, 100_000)) if draw.rng.random() < 0.4 else None
        head = draw.head() if body is None else draw.post_head(len(body))
        await line.say(head + (body or b""))
        before = line.count
        while line.count == before and await line.hear():
            pass
        await draw.moment(0.5)
    await line.say(draw.head("GET", None, "Connection: close"))
    await line.hear_all()


async def resets_in_head(line, draw):
    await line.say(draw.part(draw.head()))
    await draw.moment()
    draw.leave(line)


async def resets_in_body(line, draw):
    length = draw.rng.choice((100, 10_000, 1_000_000))
    await line.say(draw.post_head(length) + bytes(draw.rng.randint(0, length - 1)))
    await draw.moment()
    draw.leave(line)


async def resets_in_answer(line, draw):
    await line.say(draw.head(path=draw.large_path()))
    await line.hear_some(draw.rng.randint(0, 500_000))
    draw.leave(line)


async def resets_unanswered(line, draw):
    await line.say(draw.head())
    await draw.moment(1)
    draw.leave(line)


async def half_closes(line, draw):
    await line.say(draw.head())
    await draw.moment()
    line.half_close()
    await line.hear_all()


async def half_closes_in_body(line, draw):
    await line.say(draw.post_head(1000) + bytes(500))
    await draw.moment()
    line.half_close()
    await line.hear_all()


async def stalls_in_head(line, draw):
    await line.say(draw.part(draw.head()))
    await line.hear_all()


async def stalls_in_body(line, draw):
    await line.say(draw.post_head(100_000) + bytes(draw.rng.randint(0, 99_999)))
    await line.hear_all()


async def reads_nothing(line, draw):
    await line.say(draw.head(path=draw.large_path()))
    # Much longer than the write timeout, so that the gateway closes most connections.
    await asyncio.sleep(draw.rng.uniform(0, 12))
    draw.leave(line)


async def reads_slowly(line, draw):
    await line.say(draw.head(path=draw.large_path()))
    # The gateway closes before all is read; reading the remaining bytes in the sockets would take minutes.
    for _ in range(draw.rng.randint(1, 80)):
        if not await line.hear(draw.rng.choice((1, 1000, 30_000))):
            return
        await asyncio.sleep(draw.rng.uniform(0, 0.3))
    draw.leave(line)


async def sends_garbage(line, draw):
    kinds = (
        draw.rng.randbytes(draw.rng.randint(1, 5000)),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + draw.rng.randbytes(500),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET /good/../../x HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /good/%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/3.0\r\nHost: a\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
        b"\r\n" * 5000,
        draw.head("POST", None, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
        draw.head("POST", None, "Content-Length: 5", "Content-Length: 6"),
        draw.head("GET", None, "Bad Field: 1"),
        draw.head("GET", None, "Expect: wonders"),
    )
    await line.say(draw.rng.choice(kinds))
    await line.hear_all()


async def garbage_behind(line, draw):
    """A valid request and a malformed one in the same write."""
    await line.say(draw.head() + draw.rng.randbytes(draw.rng.randint(1, 3000)))
    await line.hear_all()


async def floods(line, draw):
    one = draw.head(path=draw.sound_path(draw.rng.choice(("good", "mixed", "flapping"))))
    await line.say(one * draw.rng.randint(10, 60) + draw.head())
    if draw.rng.random() < 0.5:
        await line.hear_all()
    else:
        await asyncio.sleep(draw.rng.uniform(0, 10))
        draw.leave(line)


async def huge_heads(line, draw):
    kinds = (
        draw.head(path="/good/" + "x" * 40_000),
        draw.head("GET", None, "X-Filling: " + "x" * 100_000),
        draw.head("GET", None, *(f"X-{number}: x" for number in range(1000))),
        b"x" * 1_000_000,
    )
    await line.say(draw.rng.choice(kinds))
    await line.hear_all()


async def truncates_chunks(line, draw):
    await line.say(draw.head("POST", None, "Transfer-Encoding: chunked") + b"5\r\nwhole\r\n")
    await line.say(draw.rng.choice((b"", b"f", b"ff\r\n", b"ff\r\nabc", b"0\r\n", b"0\r\nTrailer: a\r\n")))
    await draw.moment()
    draw.rng.choice((line.half_close, line.reset, line.close))()


async def bad_chunks(line, draw):
    chunks = (
        b"-1\r\n",
        b"zz\r\nab\r\n",
        b"5\r\nlonger\r\n",
        b"fffffffffffffffff\r\n",
        b"5\nwhole\r\n",
        b"5;\0\r\nwhole\r\n",
    )
    await line.say(draw.head("POST", None, "Transfer-Encoding: chunked") + b"5\r\nwhole\r\n" + draw.rng.choice(chunks))
    await line.hear_all()


async def says_nothing(line, draw):
    await line.hear_all()


async def leaves_at_once(line, draw):
    draw.leave(line)


async def expects_without_body(line, draw):
    await line.say(draw.post_head(draw.rng.choice((1, 100_000)), "Expect: 100-continue"))
    await line.hear_all()


async def byte_by_byte(line, draw):
    """Some heads complete within the timeout, others do not; bodies never stall, so the exchange timeout bounds them."""
    pause = draw.rng.choice((0.001, 0.02, 0.1))
    for octet in draw.post_head(50) + bytes(50):
        await line.say(bytes((octet,)))
        await asyncio.sleep(pause)
    await line.hear_all()


async def sends_and_never_ends(line, draw):
    """An endless body, sent as fast as the gateway reads."""
    await line.say(draw.head("POST", None, "Transfer-Encoding: chunked"))
    chunk = b"10000\r\n" + bytes(1 << 16) + b"\r\n"
    for _ in range(draw.rng.randint(1, 100)):
        await line.say(chunk)
        await asyncio.sleep(0.05)
    await line.hear_all()


_FAULTS = (
    (15, asks_rightly),
    (3, resets_in_head),
    (4, resets_in_body),
    (4, resets_in_answer),
    (4, resets_unanswered),
    (3, half_closes),
    (3, half_closes_in_body),
    (3, stalls_in_head),
    (4, stalls_in_body),
    (3, reads_nothing),
    (2, reads_slowly),
    (4, sends_garbage),
    (3, garbage_behind),
    (2, floods),
    (3, huge_heads),
    (4, truncates_chunks),
    (3, bad_chunks),
    (3, says_nothing),
    (2, leaves_at_once),
    (3, expects_without_body),
    (3, byte_by_byte),
    (1, sends_and_never_ends),
)


def choose(rng):
    return rng.choices([fault for _, fault in _FAULTS], [weight for weight, _ in _FAULTS])[0]
