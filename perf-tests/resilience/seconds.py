"""Results per second: responses, failures by reason, latency, and the share of each origin."""

import bisect
from collections import Counter
from dataclasses import dataclass, field

from . import bench, failures

ORIGINS = range(1, 6)
# Seconds per interval, to detect the begin and end of traffic to an origin.
_STRETCH = 0.5


class Traffic:
    """Attempts by origin and time. A dead origin records no attempts: they are the difference between the access log and
    the origins' records during that time."""

    def __init__(self, records):
        self._moments = {origin: [] for origin in ORIGINS}
        for record in records:
            for one in record.sightings:
                self._moments[one.origin].append(one.moment)
            unseen = record.attempts - len(record.sightings)
            dead, again = record.rules.faults[1]
            if dead - 0.5 <= record.request.due <= again:
                self._moments[1] += [max(record.request.sent, dead)] * max(0, unseen)
        for moments in self._moments.values():
            moments.sort()

    def between(self, begin, end, origin):
        moments = self._moments[origin]
        return moments[bisect.bisect_left(moments, begin) : bisect.bisect_left(moments, end)]

    def share(self, begin, end, origin):
        total = sum(len(self.between(begin, end, one)) for one in ORIGINS)
        return len(self.between(begin, end, origin)) / total if total else 0

    def first(self, origin, begin, end, holds):
        """The first time at which the share in the following half second satisfies ``holds``; None if there is none."""
        moment = begin
        while moment + _STRETCH <= end:
            if holds(self.share(moment, moment + _STRETCH, origin)):
                return moment
            moment += 0.1
        return None


@dataclass
class Second:
    """Requests due in this second, and attempts made in it."""

    number: int
    asked: int = 0
    answered: int = 0
    failed: Counter = field(default_factory=Counter)
    p50: float = None
    p99: float = None
    shares: dict = field(default_factory=dict)


def table(records, traffic, length):
    rows = [Second(number) for number in range(length)]
    reason_of = {
        id(record): name for name, several in failures.sort(records).items() for record in several
    }
    times = [[] for _ in rows]
    for record in records:
        at = int(record.request.due)
        row = rows[at]
        row.asked += 1
        if record.ok:
            row.answered += 1
            times[at].append(bench.millis(record.request))
        else:
            row.failed[reason_of[id(record)]] += 1
    for row in rows:
        row.p50, row.p99 = (bench.quantile(times[row.number], share) for share in (0.5, 0.99))
        row.shares = {origin: traffic.share(row.number, row.number + 1, origin) for origin in ORIGINS}
    return rows


def show(rows):
    names = [name for name in failures.REASONS if any(row.failed[name] for row in rows)]
    heads = " ".join(f"{name:>11}" for name in names)
    print(f"      second  asked right {heads}   p50 ms   p99 ms   % of attempts to origin 1  2  3  4  5")
    for row in rows:
        failed = " ".join(f"{row.failed[name] or '':>11}" for name in names)
        shares = " ".join(f"{100 * row.shares[origin]:2.0f}" for origin in ORIGINS)
        print(
            f"      {row.number:6d} {row.asked:6d} {row.answered:5d} {failed} {bench.shown(row.p50):>8} "
            f"{bench.shown(row.p99):>8}   {shares:>38}",
            flush=True,
        )
