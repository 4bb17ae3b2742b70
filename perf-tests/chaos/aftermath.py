"""Resources that a gateway holds at rest and after chaos: measured from outside, in its metrics and in its log."""

import re
import time
from dataclasses import dataclass

from harness import memory, proc, wire
from harness.memory import MIB

# Failing origins are part of the scenario; the error log reports them as warnings.
# Origin errors and slow exchanges are part of the scenario; the limit of open files depends on the machine.
_EXPECTED = r" +(ErrorLog - |slow - |Gateway - listener \S+ accepts )"
_BAD_LINE = re.compile(rf"LEAK|internal error|^\s+at |Exception|^\S+ (ERROR|WARN)(?!{_EXPECTED})")
# A scrape temporarily uses buffers and descriptors itself.
_SLACK_BYTES = 64 * 1024
_SLACK_DESCRIPTORS = 2


@dataclass(frozen=True)
class Rest:
    """A gateway at rest."""

    memory: memory.Memory
    descriptors: int
    pinned: float
    reserved: float

    def __str__(self):
        return (
            f"{self.memory}, direct buffers in use {self.pinned / MIB:.2f} MiB of {self.reserved / MIB:.0f} MiB, "
            f"{self.descriptors} descriptors"
        )


def read(gateway):
    held = memory.of(gateway, "lychgate_buffers_bytes")
    scrape = gateway.metrics()
    return Rest(
        held,
        proc.descriptors([gateway.process.pid]),
        scrape.sum("lychgate_buffers_bytes", area="direct", state="pinned"),
        scrape.sum("lychgate_buffers_bytes", area="direct", state="reserved"),
    )


def held(gateway):
    """Resources that the gateway still holds, by name; empty at rest."""
    scrape = gateway.metrics()
    counts = {
        "open sockets of clients": proc.accepted_connections(gateway.port),
        "client connections in the metrics": scrape.sum("lychgate_listener_connections"),
        "requests waiting for a connection": scrape.sum("lychgate_pool_pending"),
    }
    for state, count in scrape.by("state", "lychgate_pool_connections").items():
        counts[f"{state} pool connections"] = count
    return {name: int(count) for name, count in counts.items() if count}


def await_calm(gateway, seconds):
    """(seconds until the gateway held nothing, or None if it never did; the last held resources)."""
    began = time.monotonic()
    while True:
        left = held(gateway)
        took = time.monotonic() - began
        if not left:
            return took, left
        if took > seconds:
            return None, left
        time.sleep(0.2)


def provoke_leaks(gateway):
    """A leak is detected when a lost buffer has been collected and another one is allocated."""
    for _ in range(3):
        gateway.jvm.heap_after_collection(gateway.process.pid)
        for _ in range(300):
            wire.get(gateway.port, "/well/good/data/0/1000/counted")
        wire.get(gateway.admin_port, "/metrics")


def bad_lines(log):
    with open(log, encoding="utf-8", errors="replace") as lines:
        return [line.rstrip() for line in lines if _BAD_LINE.search(line)]


def compare(before, after, limit_mib, verdict):
    grown = (after.memory.heap_after_collection - before.memory.heap_after_collection) / MIB
    verdict.check(grown < limit_mib, f"heap after collection: {grown:+.1f} MiB (limit {limit_mib:g})")
    pinned = after.pinned - before.pinned
    verdict.check(pinned <= _SLACK_BYTES, f"direct buffers in use: {pinned:+.0f} bytes (limit {_SLACK_BYTES})")
    more = after.descriptors - before.descriptors
    verdict.check(more <= _SLACK_DESCRIPTORS, f"descriptors: {more:+d} (limit {_SLACK_DESCRIPTORS})")
