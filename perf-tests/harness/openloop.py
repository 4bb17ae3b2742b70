"""The open-loop generator of perf-tests: latencies at a constant rate, measured from the due time of each request."""

import array
import os
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from typing import Optional

from . import cpus, proc, tools
from .rounds import rotated

JAR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "target", "benchmarks.jar")
_MAIN = "dev.lychgate.perf.load.OpenLoop"
FLAGS = ["-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled"]
# Warm-up in seconds before each run, and before the first run for compilation, the latter at the given request rate.
_WARMUP, _COMPILATION, _COMPILATION_RATE = 3, 10, 10_000
# Of the measured peak rate, or of the proxy's CPU.
SHARE = 0.5
# Limits of disturbance. If the generator itself sent a larger share of the direct requests late, or the host stole more
# CPU time, the 99th percentile is not the proxy's. The round is repeated up to _AGAIN times and the calmest one counts.
# Delays on the way through the proxy are reported only: a stalled proxy delays the generator, too.
LATE, STOLEN, _AGAIN = 0.01, 0.005, 2
# Tries to find the rate that uses half of a CPU, and seconds of each.
_TRIES, _TRIAL = 5, 3


@dataclass(frozen=True)
class Latencies:
    sent: int
    errors: int
    p50: float
    p99: float
    p999: float
    # Share of the requests that the generator itself sent more than a millisecond late.
    late: float = 0.0
    # Larger share of stolen time of the two CPUs.
    stolen: float = 0.0


@dataclass
class Round:
    case: str
    number: int
    proxy: str
    # Requests per second, equal for direct requests and those through the proxy.
    rate: float
    errors: int
    direct_p50: float
    direct_p99: float
    direct_p999: float
    through_p50: float
    through_p99: float
    through_p999: float
    added_p50: float
    added_p99: float
    added_p999: float
    # The larger value of the direct way and the way through the proxy.
    late: float
    stolen: float
    # Number of measurements until the host was calm or the retries were exhausted.
    tries: int
    proxy_share: Optional[float]
    # Responses within the measured time.
    requests: int

    def as_dict(self):
        return asdict(self)


def check_jar():
    if not os.path.isfile(JAR):
        raise tools.Refused(f"{JAR} is missing: build it with mvn -DskipTests package")


def percentile(ordered, share):
    """The smallest value that is not exceeded by this percentage of the values (nearest rank)."""
    if not ordered:
        raise ValueError("no values")
    return ordered[max(0, -(-len(ordered) * round(share * 1000) // 100_000) - 1)]


def read(path):
    """Sorted milliseconds from the generator's file."""
    micros = array.array("i")
    with open(path, "rb") as file:
        micros.frombytes(file.read())
    if sys.byteorder == "little":
        micros.byteswap()
    return [one / 1000 for one in sorted(micros)]


class Generator:
    """One process for all runs, because startup and compilation beside the origin would delay the generator."""

    def __init__(self, java, space, placement):
        check_jar()
        self._cpus = (placement.proxy, placement.load)
        self._file = space.path("latencies")
        self._process = space.start("generator", [java, *FLAGS, "-cp", JAR, _MAIN], talking=True)
        self._compiled = False

    def run(self, port, case, rate, seconds):
        """Sends requests at the rate for a number of seconds, after an unmeasured warm-up."""
        if not self._compiled:
            self._run(port, case, _COMPILATION_RATE, 0, _COMPILATION)
            self._compiled = True
        began, before = time.monotonic(), [cpus.stolen_seconds(cpu) for cpu in self._cpus]
        told, ordered = self._run(port, case, rate, _WARMUP, seconds)
        lasted = time.monotonic() - began
        stolen = max(cpus.stolen_seconds(cpu) - then for cpu, then in zip(self._cpus, before)) / lasted
        errors = told["failed"] + told["unanswered"]
        values = (percentile(ordered, share) for share in (50, 99, 99.9))
        return Latencies(told["sent"], errors, *values, late=told["late"] / len(ordered), stolen=stolen)

    def _run(self, port, case, rate, warmup, seconds):
        numbers = [port, case.path, case.connections, f"{rate:.3f}", warmup, seconds, self._file]
        return self._process.ask(*numbers), read(self._file)


def added(case, number, proxy, rate, direct, through, proxy_share=None, tries=1):
    """A round: the latency that the proxy adds to direct requests, at each percentile."""
    return Round(
        case=case.name,
        number=number,
        proxy=proxy.name,
        rate=rate,
        errors=direct.errors + through.errors,
        **{f"direct_{name}": getattr(direct, name) for name in ("p50", "p99", "p999")},
        **{f"through_{name}": getattr(through, name) for name in ("p50", "p99", "p999")},
        **{f"added_{name}": getattr(through, name) - getattr(direct, name) for name in ("p50", "p99", "p999")},
        late=max(direct.late, through.late),
        stolen=max(direct.stolen, through.stolen),
        tries=tries,
        proxy_share=proxy_share,
        requests=through.sent,
    )


def measure_round(bench, case, number, proxies, rates):
    """For each proxy in turn: directly at the proxy's rate, then through it."""
    seconds, generator = bench.chosen.seconds, bench.generator()
    for proxy in rotated(proxies, number - 1):
        rate = rates[proxy.name]

        def once(rate=rate, proxy=proxy):
            direct = generator.run(bench.origin_ports(case)[0], case, rate, seconds)
            return (direct, *_through(generator, case, proxy, rate, seconds))

        (direct, through, share), tries = calmest(once, lambda one: unrest(one[0], one[1]))
        made = added(case, number, proxy, rate, direct, through, share, len(tries))
        # Failed requests of repeated rounds count, too.
        made.errors = sum(one[0].errors + one[1].errors for one in tries)
        yield made


def unrest(direct, through):
    """Values above 1 mean that the proxy's latency can't be distinguished from the disturbance."""
    return max(direct.late / LATE, direct.stolen / STOLEN, through.stolen / STOLEN)


def calmest(once, unrest_of):
    """The calmest result of ``once``, and all results: repeats until the disturbance is at most 1, or three times."""
    seen = [once()]
    while unrest_of(seen[-1]) > 1 and len(seen) <= _AGAIN:
        seen.append(once())
    return min(seen, key=unrest_of), seen


def _through(generator, case, proxy, rate, seconds):
    """Latencies, and the proxy's share of its CPU during the run."""
    before = proc.cpu_time(proxy.pids())
    through = generator.run(proxy.port, case, rate, seconds)
    spent = (proc.cpu_time(proxy.pids()) - before).total
    return through, spent / (seconds + _WARMUP)


def rates(measured, bench, case, proxies):
    """Requests per second for each proxy, which is warm afterwards. Single requests take other paths through compiled
    code than the many of a busy CPU, and the compilation of these paths would distort the result."""
    generator = bench.generator()
    found = peaks(measured, bench, case, proxies)
    for proxy in proxies:
        rate = SHARE * found[proxy.name]
        generator.run(proxy.port, case, rate, max(1, bench.warmup(proxy)))
        if not case.of_peak:
            for _ in range(_TRIES):
                _, share = _through(generator, case, proxy, rate, _TRIAL)
                rate = min(rate * SHARE / max(share, 0.01), found[proxy.name])
            print(f"      {proxy.name}: its CPU is half busy with {rate:,.0f} requests/s", flush=True)
        found[proxy.name] = rate
    return found


def peaks(measured, bench, case, proxies):
    """Requests per second of each proxy in a closed loop: from the rounds of c1 if available, otherwise measured now."""
    seen = {row["proxy"]: row["rate"] for done in measured if done["name"] == "c1" for row in done["medians"]}
    for proxy in proxies:
        if proxy.name not in seen:
            rates = [bench.measure(case, 0, proxy, bench.chosen.seconds).rate for _ in range(3)]
            seen[proxy.name] = max(1, statistics.median(rates))
            print(f"      {proxy.name}: peak {seen[proxy.name]:,.0f} requests/s", flush=True)
    return seen
