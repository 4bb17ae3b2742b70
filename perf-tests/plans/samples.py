"""Figures for each label from JMeter's samples, and the latency that a gateway adds to them."""

import csv
import math
import statistics
from dataclasses import asdict, dataclass

WARM_UP = "warm-up"
PERCENTILES = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9}


@dataclass(frozen=True)
class Figures:
    """Figures of one label: a load level, or a kind of request. Times in whole ms, as JMeter records them."""

    count: int
    errors: int
    # Number of errors by kind.
    reasons: dict
    # Begin of the first sample and end of the last one, seconds since 1970.
    begin: float
    end: float
    rate: float
    mean: float
    # Standard error of the mean.
    mean_error: float
    p50: float
    p90: float
    p99: float
    p999: float
    max: float

    def as_dict(self):
        return asdict(self)


def percentile(ordered, share):
    """The nearest rank: the smallest value that is not exceeded by ``share`` per cent of the values."""
    if not ordered:
        raise ValueError("no values")
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]


def read(path):
    """Figures by label, in the order in which labels began, without the warm-up."""
    elapsed, wrong, begins, ends = {}, {}, {}, {}
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            label = row["label"]
            if label == WARM_UP:
                continue
            took, began = int(row["elapsed"]), int(row["timeStamp"])
            elapsed.setdefault(label, []).append(took)
            begins[label] = min(began, begins.get(label, began))
            ends[label] = max(began + took, ends.get(label, 0))
            if row["success"] != "true":
                reason = f"{row['responseCode']} {row['responseMessage']}"[:120]
                reasons = wrong.setdefault(label, {})
                reasons[reason] = reasons.get(reason, 0) + 1
    labels = sorted(elapsed, key=begins.get)
    return {label: _figures(elapsed[label], wrong.get(label, {}), begins[label], ends[label]) for label in labels}


def _figures(elapsed, reasons, begin, end):
    ordered = sorted(elapsed)
    count = len(ordered)
    spread = statistics.pstdev(ordered)
    return Figures(
        count=count,
        errors=sum(reasons.values()),
        reasons=reasons,
        begin=begin / 1000,
        end=end / 1000,
        rate=count / max(0.001, (end - begin) / 1000),
        mean=sum(ordered) / count,
        mean_error=spread / math.sqrt(count),
        **{name: float(percentile(ordered, share)) for name, share in PERCENTILES.items()},
        max=float(ordered[-1]),
    )


ADDED = ("mean", *PERCENTILES)


def added(direct, through):
    """Latency added by the gateway, ms: differences of means and percentiles of two figures."""
    seen = {name: through[name] - direct[name] for name in ADDED}
    seen["mean_error"] = math.hypot(direct["mean_error"], through["mean_error"])
    return seen


def median_of(rounds):
    """The medians over several rounds, by name."""
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def share_between(looks, begin, end):
    """Growth per second of a counter of seconds between two times: a share of a CPU. ``looks``: (time, counter), sorted.
    None without samples for the interval; the last sample may be slightly earlier than its end."""
    if looks:
        end = min(end, looks[-1][0])
    first, last = _at(looks, begin), _at(looks, end)
    if first is None or last is None or end <= begin:
        return None
    return (last - first) / (end - begin)


def _at(looks, moment):
    """Linear interpolation of the counter between two samples."""
    for (before, low), (after, high) in zip(looks, looks[1:]):
        if before <= moment <= after:
            return low + (high - low) * (moment - before) / (after - before)
    return None
