"""One round: load on one proxy, and what it cost that proxy in CPU time."""

import time
from dataclasses import asdict, dataclass
from typing import Optional

from . import cpus, h2load, proc, wrk


@dataclass(frozen=True)
class Case:
    name: str
    path: str
    connections: int
    title: str
    tls: bool = False
    # HTTP/2 with so many streams at once on each connection; 0 = HTTP/1.1.
    streams: int = 0

    @property
    def needs_certificate(self):
        return self.tls or self.streams > 0


CASES = {
    case.name: case
    for case in (
        Case("c1", "/1k", 64, "1 KB GET, 64 keep-alive connections"),
        Case("c2", "/10k", 64, "10 KB GET, 64 keep-alive connections"),
        Case("c3", "/1k", 1000, "1 KB GET, 1000 keep-alive connections"),
        Case("tls", "/1k", 64, "1 KB GET over TLS, 64 keep-alive connections", tls=True),
        Case("h2", "/1k", 8, "1 KB GET over TLS and HTTP/2, 8 connections of 100 streams", tls=True, streams=100),
        Case("h2c", "/1k", 8, "1 KB GET over HTTP/2 without TLS, 8 connections of 100 streams", streams=100),
    )
}


@dataclass
class Round:
    case: str
    number: int
    proxy: str
    requests: int
    rate: float
    micros: float
    micros_user: float
    micros_system: float
    p50_ms: float
    p99_ms: float
    errors: int
    resident_mb: float
    # Shares of one CPU: the proxy itself, anything else on its CPU, everything on the load CPU.
    proxy_share: float
    foreign_share: float
    load_share: float
    # nginx' µs per request in the same round, divided by this proxy's; above 1 is better than nginx.
    ratio: Optional[float] = None

    def as_dict(self):
        return asdict(self)


def rotated(proxies, by):
    by %= len(proxies)
    return proxies[by:] + proxies[:by]


def _load(case, proxy, seconds):
    scheme = "https" if case.tls else "http"
    port = proxy.tls_port if case.tls else proxy.port
    if not case.streams:
        return wrk.run(port, case.path, case.connections, seconds, scheme=scheme)
    port = port if case.tls else proxy.h2c_port
    seen = h2load.run_http2(port, case.path, case.connections, case.streams, seconds, scheme)
    # It tells no percentiles.
    unknown = float("nan")
    failed = seen.failed + seen.errored + seen.timeout + seen.succeeded - seen.status_2xx
    return wrk.WrkResult(seen.succeeded, seconds, unknown, unknown, unknown, {"h2load": failed})


def measure(case, number, proxy, placement, seconds):
    pids = proxy.pids()
    began, cpu_before = time.monotonic(), proc.cpu_time(pids)
    proxy_busy, load_busy = cpus.busy_seconds(placement.proxy), cpus.busy_seconds(placement.load)
    result = _load(case, proxy, seconds)
    spent = proc.cpu_time(pids) - cpu_before
    lasted = time.monotonic() - began
    proxy_busy = cpus.busy_seconds(placement.proxy) - proxy_busy
    load_busy = cpus.busy_seconds(placement.load) - load_busy
    per_request = 1e6 / max(1, result.requests)
    return Round(
        case=case.name,
        number=number,
        proxy=proxy.name,
        requests=result.requests,
        rate=result.rate,
        micros=spent.total * per_request,
        micros_user=spent.user * per_request,
        micros_system=spent.system * per_request,
        p50_ms=result.p50_ms,
        p99_ms=result.p99_ms,
        errors=result.error_count,
        resident_mb=proc.resident_bytes(pids) / 1e6,
        proxy_share=spent.total / lasted,
        foreign_share=max(0.0, (proxy_busy - spent.total) / lasted),
        load_share=load_busy / lasted,
    )


def set_ratios(rounds_of_one_number):
    """Ratios are taken within a round, because the machine's speed changes between rounds."""
    nginx = next((r for r in rounds_of_one_number if r.proxy == "nginx"), None)
    for one in rounds_of_one_number:
        if nginx is not None and one.micros > 0:
            one.ratio = nginx.micros / one.micros
