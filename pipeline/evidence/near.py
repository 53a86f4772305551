"""Passages that say the same in nearly the same words: MinHash lets them meet, Jaccard decides.

No similarity of sets tells "left femur" from "right femur", nor one disease from another in the
sentences of a template. So two passages are only one when their numbers with their signs, and their
words of side, negation and direction are the same, and when either one stands in the other as it is
or they differ in function words alone.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pipeline.text import content_id, normalise

WORDS = 5  # of a gram
# Of pairs with a Jaccard of 0.9 these let 99.9 % meet, of those with one of 0.5 one in twenty.
_BANDS, _ROWS = 12, 8
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*(?:\s?%)?")
_SIGNS = "<>≤≥=±+-"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_OPPOSITES = (
    "left right bilateral unilateral upper lower proximal distal anterior posterior medial "
    "lateral no not nor none never without neither cannot absent absence lack present presence "
    "high low higher highest lowest more less most least increase increased increases increasing "
    "decrease decreased decreases decreasing elevated reduced male female males females men women "
    "boys girls maternal paternal dominant recessive positive negative benign malignant acute "
    "chronic before after gain loss agonist antagonist primary secondary with normal abnormal"
)
_TELLING = frozenset(_OPPOSITES.split())
_TELLING_STARTS = ("hyper", "hypo", "non", "anti")
_SMALL_WORDS = (
    "a about all also an and any are as at be been both by can could do does for from had has have "
    "he her his how however if in into is it its may of on or she should so some such than that "
    "the their them then there these they this those thus to was we were what when where which "
    "while who will would you your"
)
_FUNCTION_WORDS = frozenset(_SMALL_WORDS.split())
_DASHES = str.maketrans("−–—", "---")

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A passage as far as finding its near duplicates needs it."""

    passage_id: str
    bands: tuple[str, ...]  # passages that share one may be near
    words: str  # its text, normalised


def sketch_of(passage_id: str, text: str) -> Sketch:
    """A text of fewer words than a gram has no band, and so no near duplicate."""
    words = normalise(text)
    grams = _grams(words)
    return Sketch(passage_id, _bands(grams, telling(text)) if len(grams) else (), words)


def telling(text: str) -> str:
    """The id of all that must be the same in two texts, in any order."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES).replace("’", "'")
    words = (word for word in _WORD.findall(folded) if _tells(word))
    return content_id(*sorted([*words, *_numbers(folded)]))


def _tells(word: str) -> bool:
    return word in _TELLING or word.startswith(_TELLING_STARTS) or word.endswith("n't")


def _numbers(text: str) -> Iterator[str]:
    """Numbers with the signs before them, without white space."""
    for found in _NUMBER.finditer(text):
        before = text[max(0, found.start() - 4) : found.start()].rstrip()
        signs = before[len(before.rstrip(_SIGNS)) :]
        yield signs + "".join(found[0].split())


def near_duplicates(sketches: Iterable[Sketch], threshold: float) -> dict[str, str]:
    """For each passage that is near another, also by way of others, the smallest id among them.

    The smallest ids themselves are left out.
    """
    held = {one.passage_id: one for one in sorted(sketches, key=lambda one: one.passage_id)}
    meeting: defaultdict[str, list[str]] = defaultdict(list)
    for sketch in held.values():
        for band in sketch.bands:
            meeting[band].append(sketch.passage_id)
    kept = {passage_id: passage_id for passage_id in held}
    seen: set[tuple[str, str]] = set()
    for band in sorted(meeting):
        for pair in combinations(meeting[band], 2):
            first, second = (_root(kept, one) for one in pair)
            if first == second or pair in seen:
                continue
            seen.add(pair)
            one, other = (held[passage_id].words for passage_id in pair)
            if _same_substance(one, other) and jaccard(one, other) >= threshold:
                kept[max(first, second)] = min(first, second)
    roots = {passage_id: _root(kept, passage_id) for passage_id in held}
    return {passage_id: root for passage_id, root in roots.items() if root != passage_id}


def jaccard(one: str, other: str) -> float:
    """Shared grams of words over all grams of two normalised texts."""
    mine, theirs = _grams(one), _grams(other)
    shared = len(np.intersect1d(mine, theirs, assume_unique=True))
    return shared / (len(mine) + len(theirs) - shared)


def _same_substance(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return f" {shorter} " in f" {longer} " or _content(one) == _content(other)


def _content(words: str) -> list[str]:
    return [word for word in words.split() if word not in _FUNCTION_WORDS]


def _root(kept: dict[str, str], one: str) -> str:
    while kept[one] != one:
        one = kept[one]
    return one


def _grams(text: str) -> Hashes:
    """Hashes of all runs of words, sorted, each once: sums of products, modulo 2⁶⁴."""
    words = text.split()
    hashes = np.fromiter(map(_word, words), np.uint64, len(words))
    count = max(0, len(words) - WORDS + 1)
    total = np.zeros(count, np.uint64)
    for place, factor in enumerate(_factors("gram", WORDS)):
        total += hashes[place : place + count] * factor
    return np.unique(total)


def _bands(grams: Hashes, told: str) -> tuple[str, ...]:
    mixed = grams * _factors("row", _BANDS * _ROWS)[:, None]
    least = mixed.min(axis=1).reshape(_BANDS, _ROWS)
    return tuple(content_id(told, str(at), row.tobytes().hex()) for at, row in enumerate(least))


@lru_cache(1 << 16)
def _word(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")


@lru_cache
def _factors(purpose: str, count: int) -> Hashes:
    """Odd numbers: multiplied by one, no two numbers of 64 bits become the same."""
    return np.array([_word(f"{purpose} {number}") | 1 for number in range(count)], np.uint64)
