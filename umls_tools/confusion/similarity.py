"""How alike two names look; pure functions whose floats do not depend on any order."""

import math
from collections import Counter
from functools import lru_cache

from rapidfuzz.distance import LCSseq

from umls_tools.confusion.keys import normalised

GRAM = 3
DIGITS = 6  # what is left of a float before it is compared or kept


@lru_cache(maxsize=1 << 16)
def grams(text: str) -> Counter[str]:
    """Character 3-grams inside each word of the normalised text, a blank on either side."""
    padded = (f" {word} " for word in normalised(text).split())
    return Counter(
        word[start : start + GRAM] for word in padded for start in range(len(word) - GRAM + 1)
    )


def cosine(left: str, right: str) -> float:
    """Cosine of the two names' 3-gram counts, from 0 to 1.

    Plain counts, not weighted by rarity: the figure is then a property of the two names alone,
    which anybody can compute again from a release, and sums of integers have no order.
    """
    ours, theirs = grams(left), grams(right)
    if len(theirs) < len(ours):
        ours, theirs = theirs, ours
    shared = sum(count * theirs[gram] for gram, count in ours.items() if gram in theirs)
    return round(shared / math.sqrt(_square(ours) * _square(theirs)), DIGITS) if shared else 0.0


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


def orthographic(left: str, right: str) -> float:
    """BI-SIM (Kondrak and Dorr 2004): aligned bigrams over the longer length, from 0 to 1.

    Unlike the cosine it minds the order of letters and weighs the beginning more, as the eye
    does; it served best to find confusable drug names.
    """
    ours, theirs = normalised(left), normalised(right)
    longest = max(len(ours), len(theirs))
    if not longest:
        return 0.0
    return round(_aligned(ours, theirs) / (2 * longest), DIGITS)


def looks_alike(left: str, right: str, least: float) -> bool:
    """Whether the orthographic similarity of two names reaches `least`.

    Letters that agree, and letters before them that agree, are common subsequences both, so
    twice the longest one (and the first letter again) bounds the measure, far more cheaply.
    """
    ours, theirs = normalised(left), normalised(right)
    longest = max(len(ours), len(theirs), 1)
    bound = round((2 * LCSseq.similarity(ours, theirs) + 1) / (2 * longest), DIGITS)
    return bound >= least and orthographic(left, right) >= least


def _aligned(left: str, right: str) -> int:
    """The greatest number of letters that agree in an alignment of bigrams."""
    left, right = left[:1] + left, right[:1] + right  # the first letter counts twice
    row = [0] * len(right)
    for i in range(1, len(left)):
        before, here = left[i - 1], left[i]
        above = row
        row = [0]
        for j in range(1, len(right)):
            gain = (before == right[j - 1]) + (here == right[j])
            row.append(max(above[j], row[j - 1], above[j - 1] + gain))
    return row[-1]
