"""Memory per idle keep-alive connection that has been used once."""

import contextlib
import socket
import time
from dataclasses import asdict, dataclass
from typing import Optional

from . import memory, tools, wire, wrk

# Opened, used and closed before, so that one-time allocations are complete.
_WARMUP = 2000
_SETTLE = 2


@dataclass
class Round:
    case: str
    number: int
    proxy: str
    connections: int
    errors: int
    # Bytes per connection: growth of resident memory, of the live heap after a full collection, and both.
    resident: float
    heap: Optional[float]
    held: float

    def as_dict(self):
        return asdict(self)


def per_connection(before, after, count):
    """(resident, live heap or None, both), bytes per connection."""
    resident = (after.resident - before.resident) / count
    if before.heap_after_collection is None or after.heap_after_collection is None:
        return resident, None, resident
    heap = (after.heap_after_collection - before.heap_after_collection) / count
    return resident, heap, resident + heap


def _ask(connection, head):
    connection.sendall(head)
    with connection.makefile("rb") as stream:
        return wire.read_answer(stream).status == 200


def _open(stack, port, count, head):
    """Opens connections with one request each; returns them and the number of failures."""
    opened, failed = [], 0
    for _ in range(count):
        connection = stack.enter_context(socket.create_connection((wire.HOST, port), 20))
        failed += not _ask(connection, head)
        opened.append(connection)
    return opened, failed


def measure(bench, case, number, proxy):
    """A new process each time, because processes seldom return memory."""
    head = wire.request_head(proxy.port, case.path)
    wrk.run(proxy.port, case.path, 64, max(1, bench.warmup(proxy)))
    try:
        with contextlib.ExitStack() as stack:
            _open(stack, proxy.port, min(_WARMUP, case.connections), head)
        time.sleep(_SETTLE)
        before = memory.of(proxy)
        with contextlib.ExitStack() as stack:
            opened, failed = _open(stack, proxy.port, case.connections, head)
            time.sleep(_SETTLE)
            after = memory.of(proxy)
            # All connections must still be open.
            failed += sum(not _ask(connection, head) for connection in opened)
    except (OSError, EOFError) as failure:
        raise tools.Refused(f"{proxy.name} did not bear {case.connections} connections: {failure}") from None
    figures = per_connection(before, after, case.connections)
    return Round(case.name, number, proxy.name, case.connections, failed, *figures)
