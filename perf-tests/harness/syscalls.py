"""System calls per request, counted by strace while wrk runs; the throughput meanwhile is meaningless."""

import re
import signal
import time

from . import tools, wrk

_ROW = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", re.MULTILINE)


def parse(table):
    """Calls by name, from the table of strace -c."""
    counts = {}
    for count, name in _ROW.findall(table):
        if name != "total":
            counts[name] = counts.get(name, 0) + int(count)
    return counts


def per_request(workspace, proxy, case, seconds=3):
    """Frequent calls per request by name, and the sum of all."""
    table = workspace.path(f"strace-{proxy.name}.txt")
    attach = [argument for pid in proxy.pids() for argument in ("-p", str(pid))]
    strace = workspace.start(f"strace-{proxy.name}", [tools.path("strace"), "-c", "-f", "-o", table, *attach])
    _await_attached(strace)
    result = wrk.run(proxy.port, case.path, case.connections, seconds)
    strace.signal(signal.SIGINT)
    if strace.wait(10) is None:
        raise tools.Refused("strace did not end")
    with open(table, encoding="utf-8") as file:
        counts = parse(file.read())
    requests = max(1, result.requests)
    frequent = {name: count / requests for name, count in counts.items() if count / requests >= 0.005}
    return {
        "requests": result.requests,
        "total": sum(counts.values()) / requests,
        "calls": dict(sorted(frequent.items(), key=lambda item: -item[1])),
    }


def _await_attached(strace):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if "attached" in strace.log_tail():
            time.sleep(0.5)  # strace attaches to the other threads of the process
            return
        if not strace.running():
            break
        time.sleep(0.05)
    raise tools.Refused(f"strace could not attach (tracing may be forbidden here): {strace.log_tail()}")
