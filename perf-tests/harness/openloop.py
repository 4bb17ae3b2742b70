"""The open-loop generator of perf-tests: latencies at a constant rate, counted from when each request was due."""

import array
import json
import os
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from typing import Optional

from . import cpus, proc, tools
from .rounds import rotated

_JAR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "target", "benchmarks.jar")
_MAIN = "dev.lychgate.perf.load.OpenLoop"
_FLAGS = ["-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled"]
# Before each run, and before the first of all, in which it compiles itself: seconds, the latter at so many requests per second.
_WARMUP, _COMPILATION, _COMPILATION_RATE = 3, 10, 10_000
# Of the measured peak, or of the proxy's CPU.
SHARE = 0.5
# Where the generator was late itself with more of the direct requests than that, or the host took more of a CPU's time, the 99th
# percentile is theirs, not the proxy's: the round is made again, so often at most, and the calmest one counts. How late it is
# on the way through the proxy is told but not judged by: a proxy that stalls and then answers all at once makes it late, too.
LATE, STOLEN, _AGAIN = 0.01, 0.005, 2
# The rate that makes a CPU half busy is found by trying, each time for so many seconds.
_TRIES, _TRIAL = 5, 3


@dataclass(frozen=True)
class Latencies:
    sent: int
    errors: int
    p50: float
    p99: float
    p999: float
    # Share of the requests that the generator itself took up more than a millisecond too late.
    late: float = 0.0
    # Share of its time that the host took from that one of the two CPUs from which it took more.
    stolen: float = 0.0


@dataclass
class Round:
    case: str
    number: int
    proxy: str
    # Requests per second, the same directly and through the proxy.
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
    # The larger of the direct way's and that through the proxy.
    late: float
    stolen: float
    # How often it was measured until the host was calm, or no longer waited for.
    tries: int
    proxy_share: Optional[float]
    # Answers within the time that counts.
    requests: int

    def as_dict(self):
        return asdict(self)


def check_jar():
    if not os.path.isfile(_JAR):
        raise tools.Refused(f"{_JAR} is missing: build it with mvn -DskipTests package")


def percentile(ordered, share):
    """The smallest value that so many per cent of all are not above (nearest rank)."""
    if not ordered:
        raise ValueError("no values")
    return ordered[max(0, -(-len(ordered) * round(share * 1000) // 100_000) - 1)]


def read(path):
    """Milliseconds, in order, from the generator's file."""
    micros = array.array("i")
    with open(path, "rb") as file:
        micros.frombytes(file.read())
    if sys.byteorder == "little":
        micros.byteswap()
    return [one / 1000 for one in sorted(micros)]


class Generator:
    """One process for all runs, since what starts and compiles beside the origin, on its CPU, is late itself."""

    def __init__(self, java, space, placement):
        check_jar()
        self._cpus = (placement.proxy, placement.load)
        self._file = space.path("latencies")
        self._process = space.start("generator", [java, *_FLAGS, "-cp", _JAR, _MAIN], talking=True)
        self._compiled = False

    def run(self, port, case, rate, seconds):
        """Asks at the rate for so many seconds, after some that don't count."""
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
        pipes = self._process.popen
        self._process.check_running()
        pipes.stdin.write(" ".join(map(str, numbers)) + "\n")
        pipes.stdin.flush()
        told = pipes.stdout.readline()
        if not told:
            self._process.wait(5)
            self._process.check_running()
            raise tools.Refused(f"the generator said nothing:\n{self._process.log_tail()}")
        return json.loads(told), read(self._file)


def added(case, number, proxy, rate, direct, through, proxy_share=None, tries=1):
    """A round: what the way through the proxy adds to the direct one at each percentile."""
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
    """For each proxy in turn: directly at the proxy's rate, and then through it."""
    seconds, generator = bench.chosen.seconds, bench.generator()
    for proxy in rotated(proxies, number - 1):
        rate = rates[proxy.name]

        def once(rate=rate, proxy=proxy):
            direct = generator.run(bench.origin_ports(case)[0], case, rate, seconds)
            return (direct, *_through(generator, case, proxy, rate, seconds))

        (direct, through, share), tries = calmest(once, lambda one: unrest(one[0], one[1]))
        made = added(case, number, proxy, rate, direct, through, share, len(tries))
        # Nobody's failed request is forgotten because it fell into a disturbed round.
        made.errors = sum(one[0].errors + one[1].errors for one in tries)
        yield made


def unrest(direct, through):
    """Above 1 if it can't be told what was slow: the larger, the less."""
    return max(direct.late / LATE, direct.stolen / STOLEN, through.stolen / STOLEN)


def calmest(once, unrest_of):
    """What ``once`` measured when there was least unrest, and all that it did: until that is 1 at most, or three times."""
    seen = [once()]
    while unrest_of(seen[-1]) > 1 and len(seen) <= _AGAIN:
        seen.append(once())
    return min(seen, key=unrest_of), seen


def _through(generator, case, proxy, rate, seconds):
    """Latencies, and the share of its CPU that the proxy took meanwhile."""
    before = proc.cpu_time(proxy.pids())
    through = generator.run(proxy.port, case, rate, seconds)
    spent = (proc.cpu_time(proxy.pids()) - before).total
    return through, spent / (seconds + _WARMUP)


def rates(measured, bench, case, proxies):
    """
    Requests per second at which each proxy is measured, which is warm by then in this kind of load as well: single requests
    take other ways through compiled code than the many of a full CPU, and a JVM that compiles those would be measured.
    """
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
    """Requests per second of each proxy in a closed loop: of the rounds of c1 if there were some, else measured now."""
    seen = {row["proxy"]: row["rate"] for done in measured if done["name"] == "c1" for row in done["medians"]}
    for proxy in proxies:
        if proxy.name not in seen:
            rates = [bench.measure(case, 0, proxy, bench.chosen.seconds).rate for _ in range(3)]
            seen[proxy.name] = max(1, statistics.median(rates))
            print(f"      {proxy.name}: peak {seen[proxy.name]:,.0f} requests/s", flush=True)
    return seen
