"""The tiers of difficulty. Structure decides which tier a pair belongs to; names only rank inside.

A tier says how any two members of a circle must stand to each other, and which candidates come
first. Easy takes names as they are drawn, medium the nearest of a drawn few, hard the nearest.
"""

import abc
from collections.abc import Iterable, Sequence
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
from umls_tools.confusion.kinship import adjacent_code, nearest_ancestor, shared_parent
from umls_tools.confusion.lookalike import MEASURE, confusable

LOOK_ALIKE = 0.7  # BI-SIM; "type 1" and "type 2" of one disease have about 0.95
COSINE = "cosine"
DRUGS = "CHEM"
DRAWN = "drawn"


class Tier(abc.ABC):
    """One degree of difficulty: where candidates come from and how two must stand to each other."""

    @abc.abstractmethod
    def find(self, target: Target) -> Pool:
        """Candidates of this tier by structure, exclusions not yet applied."""

    @abc.abstractmethod
    def tie(self, target: Target, other: int) -> str:
        """What puts the two into this tier, as KIND:WITNESS…, or ""; the same both ways."""

    @abc.abstractmethod
    def shortlist(self, target: Target, allowed: Sequence[int]) -> list[int]:
        """Those of the candidates that may join the target's circle, the first choice first."""

    def nearness(self, target: Target, other: int) -> float:
        """By what the tier prefers one candidate to another: how alike the two names are."""
        return target.similarity(other)

    def measure(self, target: Target) -> str:
        """The name of the similarity that is kept for the target's pairs."""
        return COSINE


@dataclass(frozen=True, slots=True)
class Easy(Tier):
    """Another semantic group, or the same one without a common ancestor within `apart` steps.

    Members are a keyed sample, those of the founder's group first; how alike their names are
    makes no difference, but names that look alike are left to the hard tier.
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
        near = nearest_ancestor(target.index, target.gold, node)
        return near is None or near[0] > self.apart

    def tie(self, target: Target, other: int) -> str:
        """``other_group:LEFT:RIGHT``, or ``distant:GROUP`` and the steps where there are any."""
        if target.looks_like(other, self.look_alike) or not self._is_apart(target, other):
            return ""
        if not target.same_group(other):
            groups = sorted((target.index.group(target.gold), target.index.group(other)))
            return "other_group:" + ":".join(groups)
        near = nearest_ancestor(target.index, target.gold, other)
        return f"distant:{target.index.group(other)}" + (f":{near[0]}" if near else "")

    def shortlist(self, target: Target, allowed: Sequence[int]) -> list[int]:
        """The founder's group first, then as drawn."""
        return sorted(allowed, key=lambda node: (not target.same_group(node), *_lot(target, node)))

    def nearness(self, target: Target, other: int) -> float:
        """The same for all: the order of the shortlist decides."""
        return 0.0

    def measure(self, target: Target) -> str:
        """The cosine is kept, though nothing was chosen by it."""
        return COSINE


@dataclass(frozen=True, slots=True)
class Medium(Tier):
    """The same semantic type and a nearest common ancestor `nearest` to `farthest` steps away.

    The distance is the longer of the two ways up, the least over the sources; siblings are at
    1. Of `breadth` drawn cousins those join whose names are most alike; names that look alike are
    left to the hard tier.
    """

    nearest: int = 2
    farthest: int = 3
    cap: int = 64
    breadth: int = 40
    look_alike: float = LOOK_ALIKE

    def find(self, target: Target) -> Pool:
        """Cousins in the hierarchies of single sources."""
        pool = Pool()
        add_cousins(pool, target, self.farthest, self.cap)
        return _only(pool, (node for node in pool.why if self._cousin(target, node)))

    def _cousin(self, target: Target, node: int) -> str:
        index = target.index
        if not target.same_group(node) or not index.share_type(target.gold, node):
            return ""
        near = nearest_ancestor(index, target.gold, node)
        if near is None or not self.nearest <= near[0] <= self.farthest:
            return ""
        steps, source, ancestor = near
        return f"cousin:{index.label(source)}:{index.cui(ancestor)}:{steps}"

    def tie(self, target: Target, other: int) -> str:
        """``cousin:SAB:ANCESTOR:STEPS``."""
        alike = target.looks_like(other, self.look_alike)
        return "" if alike else self._cousin(target, other)

    def shortlist(self, target: Target, allowed: Sequence[int]) -> list[int]:
        """As drawn, `breadth` of them."""
        return sorted(allowed, key=lambda node: _lot(target, node))[: self.breadth]


@dataclass(frozen=True, slots=True)
class Hard(Tier):
    """Siblings under one parent of one source, adjacent codes, look-alikes; one semantic group.

    The names nearest to each other, by the cosine of character 3-grams; of chemicals and drugs by
    how easily they are confused when read or heard.
    """

    cap: int = 200
    breadth: int = 60
    look_alike: float = LOOK_ALIKE
    sound_alike: float = 0.5  # of drugs, spelling and sound together
    # Sources whose codes stand for a place in a classification; elsewhere a code is a number
    # given in the order of arrival, and the next one means nothing.
    code_sources: tuple[str, ...] = ("ATC", "ICD10", "ICD10AM", "ICD10CM", "ICD10PCS", "ICD9CM")

    def find(self, target: Target) -> Pool:
        """Siblings, neighbours by code and look-alikes, of the gold's semantic group."""
        pool = Pool()
        add_siblings(pool, target, self.cap)
        add_code_neighbours(pool, target, self.code_sources)
        # Half of how confusable two drugs are is their spelling, so this much of it they need.
        least = max(2 * self.sound_alike - 1, 0.0) if self._is_drug(target) else self.look_alike
        add_look_alikes(pool, target, self.cap, least)
        return _only(pool, (node for node in pool.why if self.tie(target, node)))

    def tie(self, target: Target, other: int) -> str:
        """``sibling:SAB:PARENT``, ``adjacent_code:SAB``, ``look_alike`` or ``sound_alike``."""
        index = target.index
        if not target.same_group(other):
            return ""
        if parent := shared_parent(index, target.gold, other):
            return f"sibling:{parent}"
        if source := adjacent_code(index, target.gold, other, self.code_sources):
            return f"adjacent_code:{source}"
        if target.looks_like(other, self.look_alike):
            return "look_alike"
        drug = self._is_drug(target) and self.nearness(target, other) >= self.sound_alike
        return "sound_alike" if drug else ""

    def shortlist(self, target: Target, allowed: Sequence[int]) -> list[int]:
        """The nearest first, `breadth` of them; ties go to the smaller CUI."""
        ranked = sorted(allowed, key=lambda node: (-self.nearness(target, node), node))
        return ranked[: self.breadth]

    def nearness(self, target: Target, other: int) -> float:
        """Cosine of the names; of chemicals and drugs, how confusable they are."""
        if self._is_drug(target):
            return confusable(target.name, target.index.name(other))
        return target.similarity(other)

    def measure(self, target: Target) -> str:
        """Which of the two it is."""
        return MEASURE if self._is_drug(target) else COSINE

    def _is_drug(self, target: Target) -> bool:
        return target.index.group(target.gold) == DRUGS


TIERS: dict[str, type[Tier]] = {"easy": Easy, "medium": Medium, "hard": Hard}


def _lot(target: Target, node: int) -> tuple[int, int]:
    return target.draw(DRAWN, target.index.cui(node)), node


def _only(pool: Pool, kept: Iterable[int]) -> Pool:
    return Pool({node: pool.why[node] for node in kept}, pool.cut)
