"""Classes of concepts that close relations tie together, over any number of steps, of bounded size.

Two concepts that are both synonymous with a third say nearly the same, though no relation stands
between them. Unbounded, such classes swallow the half of a vocabulary: every drug is a tablet. So
they grow as in Kruskal's algorithm, from the strongest relation to the weakest, and one that would
make a class larger than allowed is cut. What it tied directly is kept apart all the same, by its
own key (splits.keys).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from splits.candidates import Candidate

_EDGE, _CUI = "edge:", "cui:"
_TOLD = 10  # concepts that the report names

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Classes:
    """The class of each concept that has one, named for its smallest CUI, and what was cut.

    `cut` counts the relations that were, by the busier of their ends.
    """

    names: Mapping[str, str]
    cut: Mapping[str, int]

    def keys(self, one: Candidate) -> tuple[str, ...]:
        """What a candidate holds of classes."""
        cuis = (key.removeprefix(_CUI) for key in one.keys if key.startswith(_CUI))
        return tuple(sorted({f"class:{self.names[cui]}" for cui in cuis if cui in self.names}))

    def report(self) -> dict[str, Any]:
        """For the manifest: how many there are, how large, what was cut and where most of it."""
        sizes = Counter(self.names.values())
        ordered = sorted(self.cut.items(), key=lambda item: (-item[1], item[0]))
        return {
            "number": len(sizes),
            "largest": max(sizes.values(), default=0),
            "cut": sum(self.cut.values()),
            "cut_most_at": dict(ordered[:_TOLD]),
        }


def classes_of(candidates: Sequence[Candidate], most: int) -> Classes:
    """The classes over all relations that candidates hold, none of more than `most` concepts.

    An end of a relation needs no candidate of its own. A synonym ties more strongly than a drug's
    family, and a concept with few neighbours more strongly than one with many; then the smaller
    CUIs go first. A concept with so many neighbours that they would fill no one class is a dose
    form or a heading: its neighbours have nothing but that in common, so it ties none of them.
    """
    synonyms: dict[Edge, bool] = {}
    for one in candidates:
        synonyms.update({_ends(key): False for key in one.keys if key.startswith(_EDGE)})
    for one in candidates:
        synonyms.update({_ends(key): True for key in one.synonyms})
    neighbours = Counter(cui for edge in synonyms for cui in edge)

    def busier(edge: Edge) -> tuple[int, str]:
        return max((neighbours[cui], cui) for cui in edge)

    growing, cut = _Growing(most), Counter[str]()
    for edge in sorted(synonyms, key=lambda edge: (not synonyms[edge], busier(edge)[0], edge)):
        many, cui = busier(edge)
        if many >= most or not growing.join(*edge):
            cut[cui] += 1
    return Classes(growing.names(), cut)


def with_classes(candidates: Iterable[Candidate], classes: Classes) -> list[Candidate]:
    """Candidates that hold the classes of their concepts, too."""
    return [
        replace(one, keys=tuple(sorted((*one.keys, *more)))) if (more := classes.keys(one)) else one
        for one in candidates
    ]


def _ends(key: str) -> Edge:
    one, _, other = key.removeprefix(_EDGE).partition("|")
    return one, other


class _Growing:
    """Classes by union and find; the root of each is its smallest CUI."""

    def __init__(self, most: int) -> None:
        """Start with every concept alone."""
        self.most = most
        self.above: dict[str, str] = {}
        self.size: dict[str, int] = {}

    def root(self, cui: str) -> str:
        """The concept that a class is named for; paths are halved on the way."""
        while (over := self.above.setdefault(cui, cui)) != cui:
            self.above[cui] = self.above[over]
            cui = self.above[cui]
        return cui

    def join(self, one: str, other: str) -> bool:
        """Make one class of two; False when it would be too large."""
        first, second = sorted((self.root(one), self.root(other)))
        if first == second:
            return True
        size = self.size.get(first, 1) + self.size.get(second, 1)
        if size > self.most:
            return False
        self.above[second] = first
        self.size[first] = size
        return True

    def names(self) -> dict[str, str]:
        """The class of each concept that is not alone."""
        found = {cui: self.root(cui) for cui in sorted(self.above)}
        return {cui: name for cui, name in found.items() if self.size.get(name, 1) > 1}
