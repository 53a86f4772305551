"""Intervals by the bootstrap and p-values by permutation, both over whole clusters of queries.

A statistic here is the mean over strata (subsets) of each one's mean over queries. Strata are
resampled together, since a cluster may have queries in several of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import Codes
from pipeline.scorer.ranked import Floats

SAMPLES = 2000  # of the bootstrap
PERMUTATIONS = 9999  # with the observed one, ten thousand
LEVEL, POWER = 0.95, 0.8
_AT_ONCE = 500  # draws in memory at a time
_ROUNDING = 1e-12  # a permuted statistic as large as the observed one counts, in spite of rounding
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, its confidence interval and its standard error."""

    mean: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, slots=True)
class Strata:
    """Sums and numbers of values: one row a stratum, one column a cluster."""

    sums: Floats
    numbers: Floats

    @property
    def mean(self) -> float:
        """The mean over strata of their means."""
        return float(np.mean(self.sums.sum(axis=1) / self.numbers.sum(axis=1)))

    @property
    def clusters(self) -> int:
        """How many clusters have a value."""
        return int(self.numbers.shape[1])


def stratify(values: Sequence[Floats], clusters: Sequence[Codes], count: int) -> Strata:
    """Add up the values of each stratum by cluster; strata and clusters without any are left out.

    NaN is no value.
    """
    pairs = [
        (one[~np.isnan(one)], at[~np.isnan(one)]) for one, at in zip(values, clusters, strict=True)
    ]
    kept = [(one, at) for one, at in pairs if one.size]
    sums = np.array([np.bincount(at, one, count) for one, at in kept]).reshape(-1, count)
    numbers = np.array([np.bincount(at, minlength=count) for _, at in kept]).reshape(-1, count)
    used = numbers.any(axis=0)
    return Strata(sums[:, used], numbers[:, used].astype(np.float64))


def bootstrap(strata: Strata, seed: int = 0, samples: int = SAMPLES) -> Interval:
    """The mean with its 95 % interval, clusters drawn with replacement.

    Percentiles are taken further out than 2.5 and 97.5 where clusters are few, as Hesterberg (2015,
    "What Teachers Should Know About the Bootstrap") expands them: plain ones are too narrow by the
    factor sqrt((n - 1) / n) and take the normal distribution for Student's.
    """
    drawn = _resampled(strata, np.random.default_rng(seed), samples)
    tail = _tail(strata.clusters)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(strata.mean, float(low), float(high), float(np.std(drawn, ddof=1)))


def permute(differences: Strata, seed: int = 0, permutations: int = PERMUTATIONS) -> float:
    """The two-sided p-value of paired differences: the sign of each cluster's is flipped at random.

    The observed arrangement counts as one, so that p is never 0 (Phipson and Smyth 2010).
    """
    generator = np.random.default_rng(seed)
    observed = abs(differences.mean) - _ROUNDING
    weights = differences.sums / differences.numbers.sum(axis=1, keepdims=True)
    by_cluster = weights.mean(axis=0)
    extreme = 0
    for size in _blocks(permutations):
        signs = generator.integers(0, 2, (size, by_cluster.size), dtype=np.int8)
        flipped = (2.0 * signs - 1.0) @ by_cluster
        extreme += int((np.abs(flipped) >= observed).sum())
    return (extreme + 1) / (permutations + 1)


def holm(values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm 1979): of m, the smallest times m, and so on."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    adjusted, least = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = least
    return adjusted


def detectable(error: float) -> float:
    """The difference found at the 5 % level four times in five, by its standard error."""
    return (_NORMAL.inv_cdf((1 + LEVEL) / 2) + _NORMAL.inv_cdf(POWER)) * error


def _resampled(strata: Strata, generator: np.random.Generator, samples: int) -> Floats:
    """The statistic of each draw; a stratum of which nothing was drawn is left out of it."""
    count, found = strata.sums.shape[1], list[Floats]()
    chances = np.full(count, 1 / count)
    for size in _blocks(samples):
        times: NDArray[np.float64] = generator.multinomial(count, chances, size).astype(np.float64)
        sums, numbers = times @ strata.sums.T, times @ strata.numbers.T
        means = np.divide(sums, numbers, out=np.full_like(sums, np.nan), where=numbers > 0)
        found.append(np.nanmean(means, axis=1))
    return np.concatenate(found)


def _tail(clusters: int) -> float:
    """The share below the lower end: that of Student's quantile, spread for so few clusters."""
    if clusters <= 1:
        return 0.0
    spread = math.sqrt(clusters / (clusters - 1)) * _student(clusters - 1)
    return _NORMAL.cdf(-spread)


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, expanded in 1 / freedom (Fisher and Cornish 1960)."""
    z = _NORMAL.inv_cdf((1 + LEVEL) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    expanded = [term / float(freedom) ** power for power, term in enumerate(terms, 1)]
    return z + math.fsum(expanded)


def _blocks(total: int) -> list[int]:
    return [min(_AT_ONCE, total - start) for start in range(0, total, _AT_ONCE)]
