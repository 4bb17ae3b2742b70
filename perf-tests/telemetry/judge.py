"""Checks that failing receivers do not affect traffic, and that the data received afterwards is correct."""

from collections import namedtuple

from resilience import bench

# An interval with one mode of the receivers; seconds after the first request.
Phase = namedtuple("Phase", "name mode begin end")

# The modes of the receivers in order, and their names.
FAULTS = (("refuse", "refusing"), ("stall", "stalling"), ("broken", "answering 500"), ("drip", "byte by byte"))
# Seconds at the end of a phase for the heap measurement; its effect on latencies is ignored.
LOOK = 3
# Seconds per interval for p50 and p99, of which the median counts, because the machine sometimes stalls.
PIECE = 2
# Limits of the difference to the parallel gateway, beyond that with healthy receivers: ratio, and milliseconds.
RATIO, SLACK = 1.5, 5
# Upper limit of the ratio with healthy receivers, in case other processes used the CPU.
MOST_USUAL = 2
# The same for the p99.9 of a whole phase, which shows rare events such as a loop blocked by a receiver.
WORST_RATIO, WORST_SLACK = 3, 100


def timetable(seconds, last):
    """All phases in order: healthy, each fault, healthy again for ``last`` seconds."""
    names = [("ok", "before"), *FAULTS]
    phases = [Phase(name, mode, n * seconds, (n + 1) * seconds) for n, (mode, name) in enumerate(names)]
    begin = phases[-1].end
    return [*phases, Phase("after", "ok", begin, begin + last)]


def failed(requests):
    return [one for one in requests if one.outcome != "ok" or one.status != 200]


def answered(requests, phase):
    """Requests due within a phase and answered, except during the heap measurement."""
    return [one for one in requests if phase.begin <= one.due < phase.end - LOOK and one.outcome == "ok"]


def pieces(requests, phase, share):
    """This percentile of the latencies in milliseconds, for each interval of a phase."""
    found = {}
    for one in answered(requests, phase):
        found.setdefault(int((one.due - phase.begin) // PIECE), []).append(bench.millis(one))
    return [bench.quantile(found[piece], share) for piece in sorted(found)]


def median(values):
    return bench.quantile(values, 0.5)


def worst(requests, phase):
    """p99.9 of a whole phase, milliseconds."""
    return bench.quantile([bench.millis(one) for one in answered(requests, phase)], 0.999)


def limit(beside, usual):
    """The latency limit, given that of the parallel gateway and the usual ratio between the two."""
    return RATIO * min(max(1, usual), MOST_USUAL) * beside + SLACK


def worst_limit(beside):
    return WORST_RATIO * beside + WORST_SLACK


def usual(own, beside):
    """The ratio of the latencies of two gateways, by interval."""
    return median([one / other for one, other in zip(own, beside)])


def missing(numbers, arrived, skip=0):
    """Requests of a range without an event of status 200, except the last ``skip``."""
    good = {number for number, status in arrived if status == 200}
    return [number for number in numbers[: len(numbers) - skip] if number not in good]
