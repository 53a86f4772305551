"""Near duplicates between tasks: exact character 5-gram Jaccard by prefix filtering.

Two sets of similarity `t` or more share so many grams that the rarest few of either must meet
(Chaudhuri et al. 2006, Bayardo et al. 2007): only texts that share a rare gram are compared, and
none that reaches the threshold is missed. Jaccard may keep two tasks apart, where dropping is
safe. It must not merge inside a task: "left femur" and "right femur" are close to any set measure.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from pipeline.text import normalise

GRAM_LENGTH = 5
THRESHOLD = 0.7  # Lee et al. 2022; text-dedup and datatrove use about the same
_ROUNDING = 1e-9  # a prefix one too long costs a comparison, one too short loses a pair


@dataclass(frozen=True, slots=True)
class _Set:
    """A text as the numbers of its grams, in order: the rarest gram has the smallest number."""

    text_id: str
    group: str
    grams: tuple[int, ...]
    members: frozenset[int]


class _Index:
    """The rarest grams of every set so far, by group, with the place that the gram has in it.

    Sets must come by size, the smallest first. Of two sets with `x >= y` grams and similarity `t`,
    at least `t·x` grams are shared, and `2t/(1+t)·y`: so much may be left out of either prefix.
    """

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self.shared = threshold / (1 + threshold)  # of the grams of both sets, added up
        self.posted: defaultdict[int, defaultdict[str, deque[tuple[_Set, int]]]] = defaultdict(
            lambda: defaultdict(deque)
        )

    def near(self, one: _Set) -> Iterator[tuple[_Set, float]]:
        """Sets of other groups that reach the threshold, with their similarity."""
        for other in self._met(one):
            similarity = _jaccard(one.members, other.members)
            if similarity >= self.threshold:
                yield other, similarity

    def add(self, one: _Set) -> None:
        """Make a set known to those that follow."""
        for place, gram in enumerate(_prefix(one.grams, 2 * self.shared)):
            self.posted[gram][one.group].append((one, place))

    def _met(self, one: _Set) -> list[_Set]:
        """Sets of other groups that share a prefix gram and can still reach the threshold."""
        met: dict[str, _Set] = {}
        size = len(one.grams)
        smallest = self.threshold * size - _ROUNDING
        for place, gram in enumerate(_prefix(one.grams, self.threshold)):
            for group, others in self.posted.get(gram, {}).items():
                if group == one.group:
                    continue
                while others and len(others[0][0].grams) < smallest:
                    others.popleft()  # too small for all that follow, too
                for other, at in others:
                    # Grams before the first shared one are not shared.
                    most = min(size - place, len(other.grams) - at)
                    if most + _ROUNDING >= self.shared * (size + len(other.grams)):
                        met[other.text_id] = other
        return list(met.values())


def grams(text: str) -> frozenset[str]:
    """Character 5-grams of the normalised text; a shorter text is its own single gram."""
    normal = normalise(text)
    count = max(1, len(normal) - GRAM_LENGTH + 1)
    return frozenset(normal[start : start + GRAM_LENGTH] for start in range(count))


def jaccard(one: str, other: str) -> float:
    """Shared grams over all grams of two texts."""
    return _jaccard(grams(one), grams(other))


def pairs(
    texts: Mapping[str, tuple[str, str]], threshold: float = THRESHOLD
) -> list[tuple[str, str, float]]:
    """Texts of different groups that are as similar as the threshold, or more so.

    `texts` maps an id to its group (task) and its text, all in one language. Pairs come as
    (smaller id, larger id, Jaccard), sorted; the order of the mapping does not matter.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"near duplicates: threshold {threshold}; it must be above 0, at most 1")
    index = _Index(threshold)
    found: list[tuple[str, str, float]] = []
    for one in _sets(texts):
        for other, similarity in index.near(one):
            first, second = sorted((one.text_id, other.text_id))
            found.append((first, second, similarity))
        index.add(one)
    return sorted(found)


def _sets(texts: Mapping[str, tuple[str, str]]) -> list[_Set]:
    """Texts as sets, the smallest first."""
    held = {text_id: grams(text) for text_id, (_, text) in texts.items()}
    frequency = Counter(gram for members in held.values() for gram in members)
    rarest_first = sorted(frequency, key=lambda gram: (frequency[gram], gram))
    number = {gram: place for place, gram in enumerate(rarest_first)}
    sets = []
    for text_id, (group, _) in texts.items():
        ordered = tuple(sorted(number[gram] for gram in held[text_id]))
        sets.append(_Set(text_id, group, ordered, frozenset(ordered)))
    return sorted(sets, key=lambda one: (len(one.grams), one.text_id))


def _prefix(ordered: tuple[int, ...], shared: float) -> tuple[int, ...]:
    """The rarest grams, of which one must be shared if this part of all grams is."""
    return ordered[: len(ordered) - math.ceil(shared * len(ordered) - _ROUNDING) + 1]


def _jaccard(one: Set[Any], other: Set[Any]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
