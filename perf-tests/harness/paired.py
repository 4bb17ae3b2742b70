"""Ratios of paired rounds: what they say, and how surely."""

import random
import statistics


def interval(values, share=0.95, draws=4000, seed=1):
    """The interval of the median by resampling: within it, nothing is resolved. The same for the same values."""
    if not values:
        raise ValueError("no values to resample")
    chance = random.Random(seed)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = round(draws * (1 - share) / 2)
    return medians[cut], medians[draws - 1 - cut]
