"""A thousand connections at once to a slow origin, through proxies that are warm but have no connection to it."""

import time

from . import openloop, proc, tools, wrk
from .openloop import Latencies
from .rounds import rotated

# Connections to the origin that may be left when pools are called cold, how long they are waited for after each wave that
# empties the pools, and how many waves there may be, each a second longer.
_COLD, _WAIT, _MOST_WAVES = 8, 3, 5
_WAVES = 3

# Not as long as a round of other cases: of how many answers the first thousand are a part decides what their percentiles say.
_SECONDS = 10


def _latencies(seen):
    return Latencies(seen.requests, seen.error_count, seen.p50_ms, seen.p99_ms, seen.p999_ms)


def _run(port, case, seconds, more=""):
    return wrk.run(port, case.path + more, case.connections, seconds)


def empty_pools(case, proxy, origin_port):
    """Every connection to the origin carries a request at once, whose answer closes it. Refuses if some stay."""
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
    """New connections on both sides, several times, so that a JVM has compiled what opens them."""
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
