"""A thousand simultaneous connections to a slow origin, through warm proxies without an origin connection."""

import time

from . import openloop, proc, tools, wrk
from .openloop import Latencies
from .rounds import rotated

# Origin connections at which pools count as cold, seconds to wait for that after each wave that empties the pools, and
# the maximum number of waves, each one second longer.
_COLD, _WAIT, _MOST_WAVES = 8, 3, 5
_WAVES = 3

# Shorter than rounds of other cases: the percentiles depend on the share of the first thousand responses.
_SECONDS = 10


def _latencies(seen):
    return Latencies(seen.requests, seen.error_count, seen.p50_ms, seen.p99_ms, seen.p999_ms)


def _run(port, case, seconds, more=""):
    return wrk.run(port, case.path + more, case.connections, seconds)


def empty_pools(case, proxy, origin_port):
    """Sends a request on every origin connection at once; each response closes its connection. Fails if some stay open."""
    for seconds in range(1, _MOST_WAVES + 1):
        _run(proxy.port, case, seconds, "&close=true")
        end = time.monotonic() + _WAIT
        while time.monotonic() < end:
            left = proc.connections_to(proxy.pids(), origin_port)
            if left <= _COLD:
                return
            time.sleep(0.1)
    raise tools.Refused(f"{proxy.name} keeps {left} connections to the origin: its pools can't be made cold")


def warm_up(bench, case, proxies):
    """New connections on both sides, several times, so that a JVM has compiled the connect code."""
    (origin_port,) = bench.origin_ports(case)
    for proxy in proxies:
        wrk.run(proxy.port, "/?length=1024", 64, max(1, bench.warmup(proxy)))
        for _ in range(_WAVES if proxy.jvm else 1):
            _run(proxy.port, case, 1)
            with bench.leaving_out(proxy.name):
                empty_pools(case, proxy, origin_port)


def measure_round(bench, case, number, proxies):
    (origin_port,) = bench.origin_ports(case)
    direct = _latencies(_run(origin_port, case, _SECONDS))
    for proxy in rotated(proxies, number - 1):
        with bench.leaving_out(proxy.name):
            empty_pools(case, proxy, origin_port)
            through = _latencies(_run(proxy.port, case, _SECONDS))
            yield openloop.added(case, number, proxy, through.sent / _SECONDS, direct, through)
