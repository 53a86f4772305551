"""Near duplicates between tasks: exact character 5-gram Jaccard by prefix filtering.

Two sets of similarity `t` or more share so many grams that the rarest few of either must meet
(Chaudhuri et al. 2006, Bayardo et al. 2007): only texts that share a rare gram are compared, and
none that reaches the threshold is missed. Jaccard may keep two tasks apart, where dropping is
safe. It must not merge inside a task: "left femur" and "right femur" are close to any set measure.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.text import normalise

GRAM_LENGTH = 5
THRESHOLD = 0.7  # Lee et al. 2022; text-dedup and datatrove use about the same
_ROUNDING = 1e-9  # a prefix one too long costs a comparison, one too short loses a pair


@dataclass(frozen=True, slots=True)
class _Set:
    """A text as its grams, the rarest first."""

    text_id: str
    group: str
    grams: tuple[str, ...]
    members: frozenset[str]


def grams(text: str) -> frozenset[str]:
    """Character 5-grams of the normalised text; a shorter text is its own single gram."""
    normal = normalise(text)
    count = max(1, len(normal) - GRAM_LENGTH + 1)
    return frozenset(normal[start : start + GRAM_LENGTH] for start in range(count))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared grams over all grams of two texts."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def pairs(
    texts: Mapping[str, tuple[str, str]], threshold: float = THRESHOLD
) -> list[tuple[str, str, float]]:
    """Texts of different groups that are as similar as the threshold, or more so.

    `texts` maps an id to its group (task) and its text, all in one language. Pairs come as
    (smaller id, larger id, Jaccard), sorted; the order of the mapping does not matter.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"near duplicates: threshold {threshold}; it must be above 0, at most 1")
    posted: defaultdict[str, defaultdict[str, list[_Set]]] = defaultdict(lambda: defaultdict(list))
    found: list[tuple[str, str, float]] = []
    for one in _sets(texts):
        prefix = one.grams[: _prefix_length(len(one.grams), threshold)]
        for other in _met(one, prefix, posted, threshold):
            similarity = jaccard(one.members, other.members)
            if similarity >= threshold:
                first, second = sorted((one.text_id, other.text_id))
                found.append((first, second, similarity))
        for gram in prefix:
            posted[gram][one.group].append(one)
    return sorted(found)


def _sets(texts: Mapping[str, tuple[str, str]]) -> list[_Set]:
    """Texts as sets, the smallest first, so that whatever was posted is no larger."""
    members = {text_id: grams(text) for text_id, (_, text) in texts.items()}
    frequency = Counter(gram for held in members.values() for gram in held)

    def rarest_first(gram: str) -> tuple[int, str]:
        return frequency[gram], gram

    sets = [
        _Set(text_id, group, tuple(sorted(members[text_id], key=rarest_first)), members[text_id])
        for text_id, (group, _) in texts.items()
    ]
    return sorted(sets, key=lambda one: (len(one.grams), one.text_id))


def _prefix_length(size: int, threshold: float) -> int:
    """How many of the rarest grams must be looked at: one more than may go unshared."""
    return size - math.ceil(threshold * size - _ROUNDING) + 1


def _met(
    one: _Set,
    prefix: tuple[str, ...],
    posted: Mapping[str, Mapping[str, list[_Set]]],
    threshold: float,
) -> Iterator[_Set]:
    """Sets of other groups that share a prefix gram and are large enough, each once."""
    smallest = threshold * len(one.grams) - _ROUNDING
    seen: set[str] = set()
    for gram in prefix:
        for group, others in posted.get(gram, {}).items():
            if group == one.group:
                continue
            for other in others:
                if other.text_id not in seen and len(other.grams) >= smallest:
                    seen.add(other.text_id)
                    yield other
