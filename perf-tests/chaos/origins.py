"""The origins, one process: good, mixed, flapping, faulty, restarting, and two ports that never respond.

``good`` responds correctly; ``mixed`` too, unless a path requests an IN_STEP fault. ``flapping`` closes idle connections
at random times. ``faulty`` follows the path, ``restarting`` listens intermittently, ``refusing`` never listens, and
``deaf`` has a full backlog.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import answers, data, process, request
from harness import wire

_CHUNK = 20_000
# Seconds; the gateway closes idle connections long before.
_FOR_EVER = 60


class Origin:
    def __init__(self, name, seen):
        self.name = name
        self.seen = seen
        self.open = set()
        self.rng = seen.rng

    async def serve(self, reader, writer):
        self.open.add(writer)
        self.seen.connections += 1
        try:
            patience = _FOR_EVER
            while await self._one(reader, writer, patience):
                patience = self._patience()
        except request.Malformed as fault:
            self.seen.wrong(f"{self.name} was sent {fault}")
        except answers.Kept:
            self.seen.wrong(f"{self.name}: a silent connection was kept")
        except (OSError, asyncio.IncompleteReadError):
            pass  # the gateway may close when its client has gone or the exchange has failed
        except asyncio.LimitOverrunError:
            self.seen.wrong(f"{self.name} was sent a head or line beyond all limits")
        finally:
            self.open.discard(writer)
            writer.close()

    async def _one(self, reader, writer, patience):
        """Handles one request; returns whether the connection stays open."""
        try:
            wanted = await asyncio.wait_for(request.read(reader, writer), patience)
        except asyncio.TimeoutError:
            self.seen.faults["idle connection closed"] += 1
            if self.rng.random() < 0.5:
                answers.reset(writer)
            return False
        if wanted is None:
            return False
        if wanted.segments[0] != self.name:
            self.seen.wrong(f"{self.name} was sent a request for {wanted.segments}")
        if wanted.segments[1] == "fault":
            kind = wanted.segments[2]
            self.seen.faults[kind] += 1
            return await answers.ALL[kind](answers.Turn(wanted, reader, writer, self.rng))
        await self._answer(wanted, writer)
        return True

    def _patience(self):
        """Seconds until a used connection is closed. A new connection must survive the request that it was opened for,
        and a retry on it."""
        return self.rng.uniform(0.05, 1) if self.name == "flapping" else _FOR_EVER

    async def _answer(self, wanted, writer):
        length, digest = await wanted.digest()
        self.seen.answered += 1
        if wanted.method == "POST":
            body, chunked = json.dumps({"bytes": length, "sha256": digest}).encode(), False
        else:
            _, what, offset, size, framing = wanted.segments
            body, chunked = data.piece(int(offset), int(size)), framing == "chunked"
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
        writer.write(f"HTTP/1.1 200 OK\r\n{framing}\r\nX-Number: {wanted.number}\r\n\r\n".encode())
        if wanted.method == "HEAD":
            return
        if chunked:
            for begin in range(0, len(body), _CHUNK):
                part = body[begin : begin + _CHUNK]
                writer.write(b"%x\r\n" % len(part) + part + b"\r\n")
            writer.write(b"0\r\n\r\n")
        else:
            writer.write(body)
        await writer.drain()


class Seen:
    """Counters of the origins."""

    def __init__(self, seed):
        self.rng = random.Random(f"origins {seed}")
        self.faults = Counter()
        self.violations = []
        self.answered = 0
        self.connections = 0

    def wrong(self, what):
        self.violations.append(what)

    def report(self):
        return {
            "faults": self.faults,
            "violations": self.violations,
            "answered": self.answered,
            "connections": self.connections,
        }


def listen(origin, port):
    return asyncio.start_server(origin.serve, wire.HOST, port, limit=1 << 17, backlog=1024)


async def restart(origin, port):
    """Alternates between listening and not listening; resets open connections at the change."""
    while True:
        server = await listen(origin, port)
        await asyncio.sleep(origin.rng.uniform(0.5, 2))
        server.close()
        for writer in list(origin.open):
            answers.reset(writer)
        origin.seen.faults["restart"] += 1
        await asyncio.sleep(origin.rng.uniform(0.2, 1))


def fall_deaf(port):
    """Returns a listening socket with a full backlog, so that connects stall, and its fillers. Keep the result."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((wire.HOST, port))
    listener.listen(0)
    held = [listener]
    for _ in range(4):
        caller = socket.socket()
        caller.setblocking(False)
        caller.connect_ex((wire.HOST, port))
        held.append(caller)
    return held


async def run(chosen):
    stop, seen, ports = process.stop_signal(), Seen(chosen.seed), json.loads(chosen.ports)
    servers = [await listen(Origin(name, seen), ports[name]) for name in ("mixed", "flapping", "faulty")]
    held = fall_deaf(ports["deaf"])
    restarting = asyncio.create_task(restart(Origin("restarting", seen), ports["restarting"]))
    # The origin of the readiness check is last.
    servers.append(await listen(Origin("good", seen), ports["good"]))
    waiting = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait({waiting, restarting}, return_when=asyncio.FIRST_COMPLETED)
    for task in done - {waiting}:
        task.result()
    restarting.cancel()
    process.write_report(chosen.report, seen.report())
    for one in (*servers, *held):
        one.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--ports", required=True, help="JSON: port by name")
    parser.add_argument("--report", required=True, help="file, written at the end")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
