"""Wilson's interval for a share, and Krippendorff's alpha for the agreement of raters."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import nan, sqrt

Z = 1.959963984540054  # of 95 %, two-sided


def wilson(successes: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, JASA 22:209, 1927); all of [0, 1] for no case."""
    if total == 0:
        return 0.0, 1.0
    share = successes / total
    centre = share + Z * Z / (2 * total)
    half = Z * sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    scale = 1 + Z * Z / total
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def krippendorff(units: Iterable[Sequence[str]]) -> float:
    """Nominal alpha (Krippendorff, Content Analysis, 2004, chapter 11): 1 agreed, 0 by chance.

    Each unit holds what raters said of one item, any number of them; a unit of one says nothing.
    NaN where no item has two raters, or where all of them said the same of everything: without
    variation there is no telling agreement from habit.
    """
    coincidences: dict[tuple[str, str], float] = defaultdict(float)
    totals: dict[str, float] = defaultdict(float)
    for values in units:
        for (one, other), weight in _pairs(values).items():
            coincidences[one, other] += weight
            totals[one] += weight
    n = sum(totals.values())
    expected = n * n - sum(total * total for total in totals.values())
    if n == 0 or expected == 0:
        return nan
    observed = sum(w for (one, other), w in sorted(coincidences.items()) if one != other)
    return 1 - (n - 1) * observed / expected


def _pairs(values: Sequence[str]) -> dict[tuple[str, str], float]:
    """Every ordered pair of values of different raters, weighed so that each value counts once."""
    found: dict[tuple[str, str], float] = {}
    for at, one in enumerate(values):
        for other_at, other in enumerate(values):
            if at != other_at:
                found[one, other] = found.get((one, other), 0.0) + 1 / (len(values) - 1)
    return found
