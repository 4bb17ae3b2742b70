"""Ratios of paired rounds with their confidence."""

import random
import statistics


def interval(values, share=0.95, draws=4000, seed=1):
    """The bootstrap interval of the median; smaller effects are not resolved. Deterministic for equal values."""
    if not values:
        raise ValueError("no values to resample")
    chance = random.Random(seed)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = round(draws * (1 - share) / 2)
    return medians[cut], medians[draws - 1 - cut]
