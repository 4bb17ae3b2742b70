"""Well-behaved clients, one process: every response is compared with the expected bytes.

Two clients connect directly to the good origin, to measure the latency of the scripts themselves.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import data, process
from harness import wire

_PATIENCE = 15
_DIRECT = 2


class Wrong(Exception):
    """A response differs from the expected one."""


class Client:
    """Sends requests with pauses, on connections that each carry several requests."""

    def __init__(self, port, prefix, rng, chosen):
        self.port = port
        self.prefix = prefix
        self.rng = rng
        self.think = chosen.think
        self.millis = []
        self.asked = 0
        self.wrong = []

    async def run(self, stop):
        while not stop.is_set():
            try:
                await self._connection(stop)
            except (OSError, EOFError, ValueError, IndexError, Wrong, asyncio.TimeoutError) as failure:
                self.wrong.append(f"{self._last}: {failure!r}")

    async def _connection(self, stop):
        self._last = "connect"
        reader, writer = await asyncio.open_connection(wire.HOST, self.port, limit=1 << 17)
        try:
            for _ in range(self.rng.randint(1, 60)):
                self.asked += 1
                began = asyncio.get_running_loop().time()
                await asyncio.wait_for(self._exchange(reader, writer), _PATIENCE)
                self.millis.append((asyncio.get_running_loop().time() - began) * 1000)
                if await process.wait(stop, self.rng.uniform(0, 2 * self.think)):
                    return
        finally:
            writer.close()

    async def _exchange(self, reader, writer):
        upstream = self.rng.choice(("good", "mixed", "flapping")) if self.prefix else "good"
        # A flapping origin may close a connection just when a request is sent on it; a POST is never sent twice.
        methods = ("GET", "GET", "HEAD") if upstream == "flapping" else ("GET", "GET", "HEAD", "POST", "POST")
        method, (offset, length) = self.rng.choice(methods), data.place(self.rng)
        piece, number = data.piece(offset, length), f"{self.rng.getrandbits(64):x}"
        framing = self.rng.choice(("counted", "chunked"))
        target = f"{self.prefix}/{upstream}/data/{offset}/{length}/{framing}"
        self._last = f"{method} {target}"
        head = f"{method} {target} HTTP/1.1\r\nHost: {wire.HOST}:{self.port}\r\nX-Number: {number}\r\n"
        if method == "POST":
            await self._post(writer, head, piece, framing)
        else:
            writer.write(f"{head}\r\n".encode())
        fields, body = await _answer(reader, method)
        if fields.get("x-number") != number:
            raise Wrong(f"the response to another request: {fields.get('x-number')} (expected: {number})")
        if method == "GET" and body != piece:
            raise Wrong(f"{len(body)} bytes that differ from the sent ones")
        if method == "POST":
            digest = hashlib.sha256(piece).hexdigest()
            if json.loads(body) != {"bytes": length, "sha256": digest}:
                raise Wrong(f"the origin got {body!r} (expected: {length} bytes, {digest})")

    @staticmethod
    async def _post(writer, head, piece, framing):
        if framing == "counted":
            writer.write(f"{head}Content-Length: {len(piece)}\r\n\r\n".encode() + piece)
        else:
            writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            for begin in range(0, len(piece), 30_000):
                part = piece[begin : begin + 30_000]
                writer.write(b"%x\r\n" % len(part) + part + b"\r\n")
                await writer.drain()
            writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _answer(reader, method):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head[:-4].split("\r\n")
    if not first.startswith("HTTP/1.1 200 "):
        raise Wrong(f"{first} {head[-300:]!r}")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if fields.get("connection", "").lower() == "close":
        raise Wrong("a connection to be kept is announced as closed")
    if method == "HEAD":
        return fields, b""
    if "content-length" in fields:
        return fields, await reader.readexactly(int(fields["content-length"]))
    body = b""
    while True:
        size = int(await reader.readuntil(b"\r\n"), 16)
        body += await reader.readexactly(size)
        if await reader.readexactly(2) != b"\r\n":
            raise Wrong("a chunk is longer than its size")
        if size == 0:
            return fields, body


async def run(chosen):
    stop = process.stop_signal()
    clients, direct = [
        [Client(port, prefix, random.Random(f"{chosen.seed} {prefix} {number}"), chosen) for number in range(count)]
        for port, prefix, count in ((chosen.port, "/well", chosen.clients), (chosen.origin, "", _DIRECT))
    ]
    asyncio.get_running_loop().call_later(chosen.seconds, stop.set)
    await asyncio.gather(*(client.run(stop) for client in clients + direct))
    process.write_report(chosen.report, {"through": _summary(clients), "direct": _summary(direct)})


def _summary(clients):
    millis = sorted(value for client in clients for value in client.millis)
    return {
        "asked": sum(client.asked for client in clients),
        "answered": len(millis),
        "wrong": [text for client in clients for text in client.wrong],
        "p50": millis[len(millis) // 2] if millis else None,
        "p99": millis[len(millis) * 99 // 100] if millis else None,
        "max": millis[-1] if millis else None,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--port", type=int, required=True, help="of the gateway")
    parser.add_argument("--origin", type=int, required=True, help="port of the good origin")
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--think", type=float, required=True, help="seconds between two requests of a client, mean")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--report", required=True, help="file, written at the end")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
