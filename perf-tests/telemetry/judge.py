"""Whether traffic was the same while receivers failed, and whether what they got afterwards is right."""

from collections import namedtuple

from resilience import bench

# A stretch of the timetable in which the receivers do one thing; seconds after the first request.
Phase = namedtuple("Phase", "name mode begin end")

# What the receivers do in turn, and what that is called.
FAULTS = (("refuse", "refusing"), ("stall", "stalling"), ("broken", "answering 500"), ("drip", "byte by byte"))
# Seconds at the end of a phase in which the heap is collected and looked at: their latencies are not the receivers' doing.
LOOK = 3
# p50 and p99 are looked at in pieces of so many seconds, of which the median counts: the machine stands still at times.
PIECE = 2
# By how much they may differ from those of the gateway beside, more than they do with sound receivers, and milliseconds.
RATIO, SLACK = 1.5, 5
# A sound time in which others used the CPU excuses no more than this ratio.
MOST_USUAL = 2
# The same of the p99.9 of a whole phase, which shows what happens seldom, such as a loop that waits for a receiver.
WORST_RATIO, WORST_SLACK = 3, 100


def timetable(seconds, last):
    """All phases, one after the other: sound, each fault, sound again for ``last`` seconds."""
    names = [("ok", "before"), *FAULTS]
    phases = [Phase(name, mode, n * seconds, (n + 1) * seconds) for n, (mode, name) in enumerate(names)]
    begin = phases[-1].end
    return [*phases, Phase("after", "ok", begin, begin + last)]


def failed(requests):
    return [one for one in requests if one.outcome != "ok" or one.status != 200]


def answered(requests, phase):
    """Those that were due within a phase and answered; the time of the look at the heap is left out."""
    return [one for one in requests if phase.begin <= one.due < phase.end - LOOK and one.outcome == "ok"]


def pieces(requests, phase, share):
    """Milliseconds below which that share of the latencies lies, of each piece of a phase."""
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
    """The latency allowed, by that of the gateway beside at the same time and the ratio that is usual between the two."""
    return RATIO * min(max(1, usual), MOST_USUAL) * beside + SLACK


def worst_limit(beside):
    return WORST_RATIO * beside + WORST_SLACK


def usual(own, beside):
    """The ratio of the latencies of two gateways, piece by piece."""
    return median([one / other for one, other in zip(own, beside)])


def missing(numbers, arrived, skip=0):
    """Those of a range of requests of which no event with status 200 has come, but for the last ``skip``."""
    good = {number for number, status in arrived if status == 200}
    return [number for number in numbers[: len(numbers) - skip] if number not in good]
