"""Load by timetable: each request is sent when it is due, regardless of earlier ones.

Latency counts from the due time, so that a gateway that delays requests can't hide it by receiving fewer (open loop).
Idle connections are reused; new ones are opened if there are none. Each request carries its number in its query.
``--closed N`` instead sends as fast as N connections allow, to measure the capacity of the whole chain.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import process
from harness import wire

_BODY = b"y" * 200
# Seconds to wait for the last requests; longer than any timeout of a gateway under test.
_PATIENCE = 15


class Request:
    """One request and its result: ``ok`` (complete response), ``cut`` (partial response), ``unanswered`` (connection
    ended without response bytes), ``refused`` (no connection), ``never`` (still pending at the end)."""

    __slots__ = ("number", "path", "method", "due", "sent", "done", "outcome", "status", "error")

    def __init__(self, number, path, method, due):
        self.number, self.path, self.method, self.due = number, path, method, due
        self.sent = self.done = None
        self.outcome, self.status, self.error = "never", 0, ""

    def row(self):
        return [getattr(self, name) for name in Request.__slots__]

    def bytes(self):
        head = f"{self.method} {self.path}?{self.number} HTTP/1.1\r\nHost: {wire.HOST}\r\n"
        if self.method == "POST":
            return f"{head}Content-Length: {len(_BODY)}\r\n\r\n".encode() + _BODY
        return f"{head}\r\n".encode()


class Connection(asyncio.Protocol):
    def __init__(self, crowd):
        self.crowd = crowd
        self.request = None
        self.transport = None
        self.closing = False
        self._forget()

    def _forget(self):
        self.kept, self.body_at, self.whole = b"", 0, 0

    def connection_made(self, transport):
        self.transport = transport
        self.crowd.open += 1
        self.crowd.most = max(self.crowd.most, self.crowd.open)

    def send(self, request):
        self.request = request
        request.sent = time.monotonic()
        self.transport.write(request.bytes())

    def data_received(self, data):
        self.kept += data
        if not self.body_at:
            end = self.kept.find(b"\r\n\r\n")
            if end < 0:
                return
            self._head(self.kept[:end].decode("latin-1"), end + 4)
        if len(self.kept) >= self.whole:
            self._end("ok")

    def _head(self, head, body_at):
        first, *lines = head.split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.body_at = body_at
        self.whole = body_at + int(fields["content-length"])
        self.request.status = int(first.split(" ")[1])
        self.closing = fields.get("connection", "").lower() == "close"
        self.problem = fields.get("content-type", "").startswith("application/problem+json")

    def _end(self, outcome):
        request, self.request = self.request, None
        request.outcome, request.done = outcome, time.monotonic()
        if outcome == "ok" and self.problem:
            request.error = json.loads(self.kept[self.body_at : self.whole])["type"].rpartition(":")[2]
        self._forget()
        if self.closing:
            self.transport.close()
        elif outcome == "ok":
            self.crowd.idle.append(self)
        self.crowd.ended(request)

    def connection_lost(self, _failure):
        self.crowd.open -= 1
        self.closing = True
        if self.request is not None:
            self._end("cut" if self.body_at else "unanswered")
        elif self in self.crowd.idle:
            self.crowd.idle.remove(self)


class Crowd:
    """All clients: their connections and the pending requests."""

    def __init__(self, port):
        self.port = port
        self.idle = []
        self.open = self.most = self.pending = 0
        self.on_end = None
        self._opening = set()

    def send(self, request):
        self.pending += 1
        if self.idle:
            self.idle.pop().send(request)
            return
        opening = asyncio.create_task(self._open_and_send(request))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)

    async def _open_and_send(self, request):
        try:
            loop = asyncio.get_running_loop()
            _, connection = await loop.create_connection(lambda: Connection(self), wire.HOST, self.port)
        except OSError:
            request.outcome, request.done = "refused", time.monotonic()
            self.ended(request)
            return
        connection.send(request)

    def ended(self, request):
        self.pending -= 1
        if self.on_end is not None:
            self.on_end(request)


async def timetable(crowd, chosen):
    """Evenly spaced, paths in turn, methods at random."""
    dice, paths, requests = random.Random(chosen.seed), chosen.path, []
    for number in range(int(chosen.rate * chosen.seconds)):
        due = chosen.begin + number / chosen.rate
        method = "POST" if dice.random() * 100 < chosen.posts else "GET"
        requests.append(Request(chosen.first + number, paths[number % len(paths)], method, due))
    for request in requests:
        wait = request.due - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        crowd.send(request)
    end = time.monotonic() + _PATIENCE
    while crowd.pending and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return requests


async def closed(crowd, chosen):
    """A closed loop with this number of connections."""
    end, requests = chosen.begin + chosen.seconds, []

    def ask(_ended=None):
        now = time.monotonic()
        if now < end:
            request = Request(chosen.first + len(requests), chosen.path[len(requests) % len(chosen.path)], "GET", now)
            requests.append(request)
            crowd.send(request)

    crowd.on_end = ask
    for _ in range(chosen.closed):
        ask()
    await asyncio.sleep(chosen.seconds + 0.5)
    return requests


async def run(chosen):
    chosen.begin = chosen.begin or time.monotonic()
    crowd = Crowd(chosen.port)
    requests = await (closed if chosen.closed else timetable)(crowd, chosen)
    rows = [request.row() for request in requests]
    process.write_report(chosen.report, {"fields": Request.__slots__, "rows": rows, "connections": crowd.most})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="of the gateway")
    parser.add_argument("--path", action="append", required=True, help="several take turns")
    parser.add_argument("--rate", type=float, default=100, help="requests a second")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--posts", type=float, default=0, help="share of POSTs, percent")
    parser.add_argument("--begin", type=float, default=0, help="moment of the first request, monotonic; 0 = now")
    parser.add_argument("--first", type=int, default=0, help="number of the first request")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--closed", type=int, default=0)
    parser.add_argument("--report", required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
