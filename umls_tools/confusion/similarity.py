"""How alike two names look; pure functions whose floats do not depend on any order."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
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
    return orthographic_to_each(left, [right])[0]


def orthographic_to_each(left: str, rights: Sequence[str]) -> list[float]:
    """BI-SIM of one name to each of several, all at once, which is far faster."""
    ours, theirs = normalised(left), [normalised(right) for right in rights]
    longest = [max(len(ours), len(one)) for one in theirs]
    if not ours or not any(theirs):
        return [0.0] * len(theirs)
    shared = _aligned(ours, theirs)
    pairs = zip(shared, longest, strict=True)
    return [round(one / (2 * length), DIGITS) for one, length in pairs]


def looks_alike(left: str, right: str, least: float) -> bool:
    """Whether the orthographic similarity of two names reaches `least`."""
    return bool(alike(left, [right], least))


def alike(left: str, rights: Sequence[str], least: float) -> list[int]:
    """Places of those names whose orthographic similarity to one name reaches `least`.

    Letters that agree, and letters before them that agree, are common subsequences both, so
    twice the longest one (and the first letter again) bounds the measure, far more cheaply.
    """
    near = [place for place, right in enumerate(rights) if _bound(left, right) >= least]
    measured = orthographic_to_each(left, [rights[place] for place in near])
    return [place for place, value in zip(near, measured, strict=True) if value >= least]


def _bound(left: str, right: str) -> float:
    ours, theirs = normalised(left), normalised(right)
    longest = max(len(ours), len(theirs), 1)
    return round((2 * LCSseq.similarity(ours, theirs) + 1) / (2 * longest), DIGITS)


def _aligned(left: str, rights: Sequence[str]) -> list[int]:
    """For each the greatest number of letters that agree in an alignment of bigrams.

    All fill one table, each a row of it, letter by letter of `left`; a shorter one's value stands
    where it ends.
    """
    left, doubled = (
        left[:1] + left,
        [right[:1] + right for right in rights],
    )  # the first counts twice
    width = max(map(len, doubled))
    points = np.array([[ord(letter) for letter in one.ljust(width, "\0")] for one in doubled])
    agree = {letter: (points == ord(letter)).astype(np.int32) for letter in set(left)}
    row = np.zeros(points.shape, np.int32)
    for before, here in pairwise(left):
        gain = agree[before][:, :-1] + agree[here][:, 1:]
        best = np.maximum(row[:, 1:], row[:, :-1] + gain)
        row[:, 1:] = np.maximum.accumulate(best, axis=1)
    return [int(row[place, max(len(one) - 1, 0)]) for place, one in enumerate(doubled)]
