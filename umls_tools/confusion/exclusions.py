"""Which concepts may not stand beside a gold, in any tier, and why."""

from dataclasses import dataclass

import numpy as np

from umls_tools.confusion.arrays import Longs
from umls_tools.confusion.building import BROADER, FAMILY, SYNONYM
from umls_tools.confusion.index import ConceptIndex

# A family goes through its ingredient (two brands of one drug), but not through a concept that
# ties this many together, such as a dose form: what has it in common is not one drug.
LARGEST_FAMILY = 64


@dataclass(frozen=True, slots=True, eq=False)
class Exclusions:
    """What one gold excludes, looked up once for all of its candidates."""

    index: ConceptIndex
    gold: int
    synonyms: frozenset[int]
    family: frozenset[int]
    broader: frozenset[int]
    wordings: Longs

    def reason(self, other: int) -> str:
        """Why `other` may be no distractor of the gold, or "" if it may."""
        if other == self.gold:
            return "same_concept"
        return (
            self.index.bar(other)
            or self._by_edge(other)
            or self._by_hierarchy(other)
            or ("shared_name" if self.shares_name(other) else "")
        )

    def _by_edge(self, other: int) -> str:
        if other in self.synonyms:
            return "synonym_edge"
        if other in self.family:
            return "family"
        return "broader_narrower" if other in self.broader else ""

    def _by_hierarchy(self, other: int) -> str:
        hierarchy = self.index.hierarchy
        if hierarchy.is_ancestor(other, self.gold):
            return "ancestor"
        return "descendant" if hierarchy.is_ancestor(self.gold, other) else ""

    def shares_name(self, other: int) -> bool:
        """Whether the two have one wording in common, in any language."""
        return share_wording(self.wordings, self.index.wordings.of(other))


def exclusions_of(index: ConceptIndex, gold: int) -> Exclusions:
    """Look up what a gold excludes."""
    return Exclusions(
        index,
        gold,
        frozenset(index.linked(gold, SYNONYM)),
        _family(index, gold),
        frozenset(index.linked(gold, BROADER)),
        index.wordings.of(gold),
    )


def excluded(index: ConceptIndex, gold: str, other: str) -> str:
    """Why `other` may be no distractor of `gold`, or "" if it may.

    One of same_concept; general, no_semantic_type, no_english_name, no_fit_name, unknown (it is
    never shown); synonym_edge (SY, RQ, RL); family; broader_narrower; ancestor, descendant (at
    any depth of one source); shared_name (a wording key in common, in any language).
    """
    return exclusions_of(index, index.node(gold)).reason(index.node(other))


def share_wording(left: Longs, right: Longs) -> bool:
    """Whether two sorted lists of hashed wordings have one in common."""
    return bool(np.intersect1d(left, right, assume_unique=True).size)


def _family(index: ConceptIndex, gold: int) -> frozenset[int]:
    near = index.linked(gold, FAMILY)
    found = set(near)
    for relative in near:
        beyond = index.linked(relative, FAMILY)
        if len(beyond) <= LARGEST_FAMILY:
            found.update(beyond)
    return frozenset(found - {gold})
