"""The tiers of difficulty. Structure decides which tier a pair belongs to; names only rank inside.

What a tier ranks by must not give the gold away to somebody who never read the question. Easy
and medium take a keyed sample, not the most and not the least similar names, and match the
length of the gold within a window in which the gold stands anywhere, not in the middle. Hard
takes the most similar names, but not all of them nearest to the gold itself (see `Hard`).
"""

import abc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from umls_tools.confusion.candidates import (
    Pool,
    Target,
    add_code_neighbours,
    add_cousins,
    add_look_alikes,
    add_siblings,
    add_strangers,
)
from umls_tools.confusion.matching import balanced, matched, most_similar, spread

LOOK_ALIKE = 0.7  # BI-SIM; "type 1" and "type 2" of one disease have about 0.95


class Tier(abc.ABC):
    """One degree of difficulty: where distractors come from and which are taken first."""

    @abc.abstractmethod
    def find(self, target: Target) -> Pool:
        """Candidates of this tier by structure, exclusions not yet applied."""

    @abc.abstractmethod
    def order(self, target: Target, allowed: Sequence[int], size: int) -> Iterator[int]:
        """Those of the candidates that the tier wants, best first; mining takes as many as fit."""


@dataclass(frozen=True, slots=True)
class Easy(Tier):
    """Another semantic group, or the same one without a common ancestor within `apart` steps.

    Distractors are a keyed sample matched to the length of the gold's name, those of the same
    group first: were nine of ten names drugs, the one disease would be found without the
    question. Names that look alike are left to the hard tier.
    """

    apart: int = 4
    cap: int = 200
    look_alike: float = LOOK_ALIKE

    def find(self, target: Target) -> Pool:
        """A sample of every group, less what is near in a hierarchy."""
        pool = Pool()
        add_strangers(pool, target, self.cap)
        return _only(pool, (node for node in pool.why if self._is_apart(target, node)))

    def _is_apart(self, target: Target, node: int) -> bool:
        if not target.same_group(node):
            return True
        steps = target.index.hierarchy.distance(target.gold, node)
        return steps is None or steps > self.apart

    def order(self, target: Target, allowed: Sequence[int], size: int) -> Iterator[int]:
        """The gold's group first, then by length, then as drawn; no look-alikes."""
        same = [node for node in allowed if target.same_group(node)]
        other = [node for node in allowed if not target.same_group(node)]
        for nodes in (matched(target, same), matched(target, other)):
            unlike = (node for node in nodes if not target.looks_like(node, self.look_alike))
            yield from balanced(target, unlike, size)


@dataclass(frozen=True, slots=True)
class Medium(Tier):
    """The same semantic type and a nearest common ancestor `nearest` to `farthest` steps away.

    The distance is the longer of the two ways up, the least over the sources; siblings are at
    1. Distractors are a keyed sample matched to the length of the gold's name: cousins share
    words with it by themselves. Look-alikes are left to the hard tier.
    """

    nearest: int = 2
    farthest: int = 3
    cap: int = 64
    look_alike: float = LOOK_ALIKE

    def find(self, target: Target) -> Pool:
        """Cousins in the hierarchies of single sources."""
        pool = Pool()
        add_cousins(pool, target, self.farthest, self.cap)
        return _only(pool, (node for node in pool.why if self._is_cousin(target, node)))

    def _is_cousin(self, target: Target, node: int) -> bool:
        if not target.same_group(node) or not target.index.share_type(target.gold, node):
            return False
        steps = target.index.hierarchy.distance(target.gold, node)
        return steps is not None and self.nearest <= steps <= self.farthest

    def order(self, target: Target, allowed: Sequence[int], size: int) -> Iterator[int]:
        """By length, then as drawn; no look-alikes."""
        nodes = spread(target.index, matched(target, allowed))
        unlike = (node for node in nodes if not target.looks_like(node, self.look_alike))
        return balanced(target, unlike, size)


@dataclass(frozen=True, slots=True)
class Hard(Tier):
    """Siblings under one parent of one source, adjacent codes, look-alikes; one semantic group.

    Ranked by the cosine of character 3-grams with the gold's name. Were simply the nearest taken,
    the gold would be the one name that all others resemble; see `most_similar` for what is done.
    """

    cap: int = 200
    look_alike: float = LOOK_ALIKE
    # Sources whose codes stand for a place in a classification; elsewhere a code is a number
    # given in the order of arrival, and the next one means nothing.
    code_sources: tuple[str, ...] = ("ATC", "ICD10", "ICD10AM", "ICD10CM", "ICD10PCS", "ICD9CM")

    def find(self, target: Target) -> Pool:
        """Siblings, neighbours by code and look-alikes, of the gold's semantic group."""
        pool = Pool()
        add_siblings(pool, target, self.cap)
        add_code_neighbours(pool, target, self.code_sources)
        add_look_alikes(pool, target, self.cap, self.look_alike)
        return _only(pool, (node for node in pool.why if target.same_group(node)))

    def order(self, target: Target, allowed: Sequence[int], size: int) -> Iterator[int]:
        """The most similar names first, the gold not always in their middle."""
        return most_similar(target, allowed, size)


TIERS: dict[str, type[Tier]] = {"easy": Easy, "medium": Medium, "hard": Hard}


def _only(pool: Pool, kept: Iterable[int]) -> Pool:
    return Pool({node: pool.why[node] for node in kept}, pool.cut)
