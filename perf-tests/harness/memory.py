"""Memory use of a gateway in three figures."""

from dataclasses import dataclass
from typing import Optional

from . import proc

MIB = 1 << 20

# Makes the JVM count allocations outside the heap, including pooled direct buffers.
COUNT_OFF_HEAP = "-XX:NativeMemoryTracking=summary"


@dataclass(frozen=True)
class Memory:
    resident: int
    direct: Optional[int] = None
    heap_after_collection: Optional[int] = None

    def __str__(self):
        def shown(value):
            return "not reported" if value is None else f"{value / MIB:.1f} MiB"

        return (
            f"RSS {shown(self.resident)}, direct {shown(self.direct)}, "
            f"heap after collection {shown(self.heap_after_collection)}"
        )


def of(proxy, direct_metric=None):
    pids = proxy.pids()
    if not proxy.jvm:
        return Memory(proc.resident_bytes(pids))
    heap = proxy.jvm.heap_after_collection(proxy.process.pid)
    direct = proxy.metric(direct_metric) if direct_metric else proxy.jvm.off_heap(proxy.process.pid)
    return Memory(proc.resident_bytes(pids), None if direct is None else int(direct), heap)
