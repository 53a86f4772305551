"""How hard each tier is, with intervals that know that the sets of one circle are kin.

Ten sets of a circle share their candidates, so circles are what is drawn again, not sets.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from pipeline.text import draw

TIERS = ("easy", "medium", "hard")
RESAMPLES = 1_000
OUTSIDE = 25  # resamples on either side of a 95 % interval


@dataclass(frozen=True)
class Tried:
    """A set that a system answered: its circle, and whether the gold came first."""

    tier: str
    circle: frozenset[str]
    hit: float


@dataclass(frozen=True)
class Accuracy:
    """Of one tier, with the 95 % interval by circles."""

    sets: int
    mean: float
    low: float
    high: float


def accuracies(tried: Iterable[Tried]) -> dict[str, Accuracy]:
    """By tier; a circle counts with all its sets."""
    by_tier: dict[str, dict[frozenset[str], list[float]]] = {}
    for one in tried:
        by_tier.setdefault(one.tier, {}).setdefault(one.circle, []).append(one.hit)
    return {tier: _accuracy(circles) for tier, circles in by_tier.items()}


def _accuracy(circles: Mapping[frozenset[str], Sequence[float]]) -> Accuracy:
    hits = [circles[one] for one in sorted(circles, key=sorted)]
    means = sorted(_resampled(hits, number) for number in range(RESAMPLES))
    every = [hit for one in hits for hit in one]
    return Accuracy(len(every), mean(every), means[OUTSIDE], means[-OUTSIDE - 1])


def _resampled(hits: Sequence[Sequence[float]], number: int) -> float:
    places = (draw(1, "resample", str(number), str(turn)) % len(hits) for turn in range(len(hits)))
    return mean(hit for place in places for hit in hits[place])


def become_harder(tried: Iterable[Tried]) -> bool:
    """Easy before medium before hard, and easy and hard with intervals that do not touch."""
    found = accuracies(tried)
    easy, medium, hard = (found[tier] for tier in TIERS)
    return easy.mean > medium.mean > hard.mean and easy.low > hard.high
