"""Compares one jar of Lychgate with an earlier one, with a second process of the earlier jar as the control."""

import statistics
from dataclasses import dataclass

from . import goals, paired

EARLIER = "lychgate+earlier"
CONTROL = "lychgate+control"
NAMES = (EARLIER, CONTROL)


@dataclass(frozen=True)
class Ratio:
    """CPU time per request of one gateway divided by that of another, as the median of paired rounds."""

    title: str
    median: float
    low: float
    high: float
    rounds: int

    def __str__(self):
        interval = f"95 % interval {self.low:.3f} to {self.high:.3f}"
        return f"{self.title}: {self.median:.3f} ({interval}, {self.rounds} rounds)"


def ratios(case):
    """The cost of the jar under test as a ratio to the earlier jar, and that of its control as a ratio to itself."""
    pairs = (("--jar to --against", goals.GATEWAY, EARLIER), ("the same jar twice", CONTROL, goals.GATEWAY))
    found = []
    for title, numerator, denominator in pairs:
        values = goals.cost_ratios(case["rounds"], numerator, denominator)
        if values:
            low, high = paired.interval(values)
            found.append(Ratio(title, statistics.median(values), low, high, len(values)))
    return found
