"""One round: load on one proxy, and its CPU time."""

import time
from dataclasses import asdict, dataclass
from typing import Optional

from . import bulk, cpus, h2load, proc, wrk
from .cases import GIB, GRPC, MESSAGES, MIB


_GRPC = ("content-type: application/grpc", "te: trailers")


@dataclass
class Round:
    case: str
    number: int
    proxy: str
    requests: int
    # Requests per second, or MiB per second for large bodies.
    rate: float
    # CPU time per request, or per GiB for large bodies; None without responses.
    micros: Optional[float]
    micros_user: Optional[float]
    micros_system: Optional[float]
    p50_ms: Optional[float]
    p99_ms: Optional[float]
    errors: int
    resident_mb: float
    # Shares of one CPU: the proxy itself, other processes on its CPU, all processes on the load CPU.
    proxy_share: float
    foreign_share: float
    load_share: float
    # Context switches per request, or per GiB.
    switches: Optional[float]
    # nginx' µs per request in the same round, divided by this proxy's; above 1 is better than nginx.
    ratio: Optional[float] = None

    def as_dict(self):
        return asdict(self)


def rotated(proxies, by):
    by %= len(proxies)
    return proxies[by:] + proxies[:by]


@dataclass(frozen=True)
class _Done:
    """The work of a generator: ``work`` is requests, or GiB."""

    requests: int
    work: float
    rate: float
    p50_ms: Optional[float]
    p99_ms: Optional[float]
    errors: int


def _load(case, proxy, seconds, bench):
    if case.kind == MESSAGES:
        seen = bench.messages.run(seconds)
        return _Done(seen.messages, seen.messages, seen.rate, None, None, seen.ended)
    if case.body and not case.tls:
        seen = bulk.run(proxy.port, case, seconds)
        for problem in seen.problems:
            print(f"      {proxy.name}: {problem}", flush=True)
        return _Done(seen.requests, seen.length / GIB, seen.length / MIB / seen.seconds, None, None, seen.errors)
    scheme = "https" if case.tls else "http"
    port = proxy.tls_port if case.tls else proxy.port
    if case.rate:
        return counted(h2load.run_at_rate(port, case.path, case.connections, case.rate, seconds), seconds)
    if not case.streams:
        sent = {"keep_alive": case.keep_alive, "post": case.post, "fields": case.fields}
        seen = wrk.run(port, case.path, case.connections, seconds, scheme=scheme, **sent)
        if case.body:
            return _Done(seen.requests, seen.length / GIB, seen.length / MIB / seen.seconds, None, None, seen.error_count)
        return _Done(seen.requests, seen.requests, seen.rate, seen.p50_ms, seen.p99_ms, seen.error_count)
    port = port if case.tls else proxy.h2c_port
    sent = {"body": bench.request_body(case.post), "fields": _GRPC} if case.traffic == GRPC else {}
    return counted(h2load.run_http2(port, case.path, case.connections, case.streams, seconds, scheme, **sent), seconds)


def counted(seen, seconds):
    """The result of h2load, which has no percentiles. At the end of its time, responses may be incomplete: their status is
    counted, but neither their success nor their failure."""
    failed = seen.failed + max(0, seen.succeeded - seen.status_2xx)
    return _Done(seen.succeeded, seen.succeeded, seen.succeeded / seconds, None, None, failed)


def measure(case, number, proxy, placement, seconds, bench=None):
    """``bench``: the generator of messages and the bodies of requests, for the cases that need them."""
    if case.kind != MESSAGES:
        return _measure(case, number, proxy, placement, seconds, bench)
    bench.messages.open(proxy.port, case)
    try:
        return _measure(case, number, proxy, placement, seconds, bench)
    finally:
        bench.messages.close()


def _measure(case, number, proxy, placement, seconds, bench):
    pids = proxy.pids()
    began, cpu_before, switches = time.monotonic(), proc.cpu_time(pids), proc.switches(pids)
    proxy_busy, load_busy = cpus.busy_seconds(placement.proxy), cpus.busy_seconds(placement.load)
    done = _load(case, proxy, seconds, bench)
    spent = proc.cpu_time(pids) - cpu_before
    lasted = time.monotonic() - began
    proxy_busy = cpus.busy_seconds(placement.proxy) - proxy_busy
    load_busy = cpus.busy_seconds(placement.load) - load_busy

    def per_unit(amount):
        return amount / done.work if done.work else None

    return Round(
        case=case.name,
        number=number,
        proxy=proxy.name,
        requests=done.requests,
        rate=done.rate,
        micros=per_unit(1e6 * spent.total),
        micros_user=per_unit(1e6 * spent.user),
        micros_system=per_unit(1e6 * spent.system),
        p50_ms=done.p50_ms,
        p99_ms=done.p99_ms,
        errors=done.errors,
        resident_mb=proc.resident_bytes(pids) / 1e6,
        proxy_share=spent.total / lasted,
        foreign_share=max(0.0, (proxy_busy - spent.total) / lasted),
        load_share=load_busy / lasted,
        switches=per_unit(proc.switches(pids) - switches),
    )


def set_ratios(rounds_of_one_number):
    """Ratios are taken within a round, because the machine's speed changes between rounds."""
    nginx = next((r for r in rounds_of_one_number if r.proxy == "nginx"), None)
    for one in rounds_of_one_number:
        if nginx is not None and nginx.micros and one.micros:
            one.ratio = nginx.micros / one.micros
