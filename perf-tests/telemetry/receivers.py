"""OpenTSDB, two OTLP receivers and Splunk's collector, in one process; all fail on command, simultaneously.

Modes: ``ok`` responds normally; ``refuse`` closes the ports and every connection; ``stall`` reads and never responds;
``broken`` responds with 500; ``drip`` sends a byte each half second, of the head or, every other time, of the body after
a whole head. A GET of ``/mode/NAME`` on the control port sets the mode. Complete requests are parsed and stored in modes
in which a sender may assume delivery (``ok``, ``drip``); the report is written at SIGTERM.
"""

import argparse
import asyncio
import gzip
import os
import sys
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import process
from harness import wire
from telemetry import payloads

KINDS = ("opentsdb", "otlp", "spans", "hec")
TOKEN = "not-a-secret"
_ANSWERS = {"opentsdb": (204, b""), "otlp": (200, b""), "spans": (200, b""), "hec": (200, b'{"text":"Success","code":0}')}
_DRIP_EVERY = 0.5
_DRIPPED_BODY = b"." * 4096


class Kept:
    """Received data by kind."""

    def __init__(self):
        self.asked = Counter()
        # By kind: time of the first data after the last fault.
        self.again = {}
        self.faults = []
        self.tsdb = {}
        self.otlp = []
        self.spans = set()
        self.hec = {}

    def take(self, kind, head, body, mode):
        if mode == "ok":
            self.again.setdefault(kind, time.monotonic())
        try:
            self._read(kind, gzip.decompress(body) if head.get("content-encoding") == "gzip" else body)
            if kind == "hec" and head.get("authorization") != f"Splunk {TOKEN}":
                raise ValueError("another token")
        except (ValueError, KeyError, OSError, UnicodeDecodeError) as fault:
            self.faults.append(f"{kind}: {fault!r}")

    def _read(self, kind, body):
        if kind == "opentsdb":
            for moment, tags, value in payloads.tsdb_rows(body):
                self.tsdb.setdefault(moment, {})[tags] = value
        elif kind == "otlp":
            total = payloads.otlp_total(body)
            if total is not None:
                self.otlp.append(total)
        elif kind == "spans":
            self.spans.update(payloads.otlp_spans(body))
        else:
            self.hec.update(payloads.hec_events(body))

    def report(self):
        return {
            "asked": dict(self.asked),
            "again": self.again,
            "faults": self.faults,
            "opentsdb": [sum(self.tsdb[moment].values()) for moment in sorted(self.tsdb)],
            "otlp": self.otlp,
            "spans": len(self.spans),
            "hec": sorted(self.hec.items()),
        }


class Receivers:
    def __init__(self, ports):
        self.mode, self.ports, self.kept = "ok", ports, Kept()
        self.open, self.servers, self.tasks, self.answers = set(), [], set(), 0

    async def become(self, mode):
        self.mode = mode
        self.kept.again.clear()
        if mode == "refuse":
            for server in self.servers:
                server.close()
            self.servers = []
            for transport in list(self.open):
                transport.abort()
        elif not self.servers:
            loop = asyncio.get_running_loop()
            for kind, port in self.ports.items():
                made = await loop.create_server(lambda kind=kind: Conversation(self, kind), wire.HOST, port, backlog=64)
                self.servers.append(made)

    def begin(self, coroutine):
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class Conversation(asyncio.Protocol):
    def __init__(self, receivers, kind):
        self.receivers, self.kind, self.kept, self.transport = receivers, kind, b"", None

    def connection_made(self, transport):
        self.transport = transport
        self.receivers.open.add(transport)

    def connection_lost(self, _failure):
        self.receivers.open.discard(self.transport)

    def data_received(self, data):
        self.kept += data
        end = self.kept.find(b"\r\n\r\n")
        if end < 0:
            return
        lines = self.kept[:end].decode("latin-1").split("\r\n")[1:]
        head = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        whole = end + 4 + int(head.get("content-length", 0))
        if len(self.kept) >= whole:
            body, self.kept = self.kept[end + 4 : whole], self.kept[whole:]
            self._asked(head, body)

    def _asked(self, head, body):
        all_of_them = self.receivers
        mode = all_of_them.mode
        all_of_them.kept.asked[f"{self.kind} {mode}"] += 1
        if mode in ("ok", "drip"):
            all_of_them.kept.take(self.kind, head, body, mode)
        if mode == "ok":
            self.transport.write(answer(*_ANSWERS[self.kind]))
        elif mode == "broken":
            self.transport.write(answer(500, b"no"))
        elif mode == "drip":
            all_of_them.answers += 1
            at_once = len(answer(200, _DRIPPED_BODY)) - len(_DRIPPED_BODY) if all_of_them.answers % 2 else 0
            all_of_them.begin(self._drip(answer(200, _DRIPPED_BODY), at_once))

    async def _drip(self, text, at):
        self.transport.write(text[:at])
        while at < len(text) and not self.transport.is_closing():
            self.transport.write(text[at : at + 1])
            at += 1
            await asyncio.sleep(_DRIP_EVERY)


class Control(asyncio.Protocol):
    def __init__(self, receivers):
        self.receivers = receivers

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        parts = data.split(b" ", 2)[1].decode("ascii").split("/")
        self.receivers.begin(self._obey(parts[2] if parts[1] == "mode" else None))

    async def _obey(self, mode):
        if mode is not None:
            await self.receivers.become(mode)
        self.transport.write(answer(200, b""))
        self.transport.close()


def answer(status, body):
    return b"HTTP/1.1 %d Said So\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body


async def run(chosen):
    stop = process.stop_signal()
    receivers = Receivers(dict(zip(KINDS, chosen.ports)))
    await receivers.become("ok")
    await asyncio.get_running_loop().create_server(lambda: Control(receivers), wire.HOST, chosen.control)
    await stop.wait()
    process.write_report(chosen.report, receivers.kept.report())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ports", type=int, nargs=len(KINDS), required=True, help="of " + ", ".join(KINDS))
    parser.add_argument("--control", type=int, required=True, help="port that receives the mode")
    parser.add_argument("--report", required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
