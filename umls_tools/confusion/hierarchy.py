"""Ancestors and distances in the hierarchies of single sources.

Never across sources: the parents of one source and the grandparents of another make ancestors
that neither of them means. Hierarchies hold cycles and self edges, so every walk remembers
where it was.
"""

from dataclasses import dataclass, field

from umls_tools.confusion.arrays import Postings

CACHED_WALKS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """Parents and children of every concept, labelled with the source that says so."""

    parents: Postings
    children: Postings
    _walks: dict[tuple[int, int], dict[int, int]] = field(default_factory=dict, repr=False)

    def sources(self, node: int) -> list[int]:
        """The sources in which a concept has a parent, sorted."""
        return sorted(set(self.parents.labels_of(node).tolist()))

    def ancestors(self, node: int, source: int) -> dict[int, int]:
        """Every ancestor in one source with the length of the shortest way up; itself with 0."""
        if len(self._walks) >= CACHED_WALKS:
            self._walks.clear()
        known = self._walks.get((node, source))
        if known is None:
            known = self._walks[node, source] = self._climb(node, source)
        return known

    def _climb(self, node: int, source: int) -> dict[int, int]:
        distances = {node: 0}
        level = [node]
        while level:
            above = {p for n in level for p in self.parents.labelled(n, source).tolist()}
            steps = distances[level[0]] + 1
            level = sorted(above - distances.keys())
            distances.update(dict.fromkeys(level, steps))
        return distances

    def is_ancestor(self, upper: int, lower: int) -> bool:
        """Whether `upper` lies above `lower` at any depth in any one source."""
        return upper != lower and any(
            upper in self.ancestors(lower, source) for source in self.sources(lower)
        )

    def distance(self, left: int, right: int) -> int | None:
        """Steps to the nearest common ancestor, the longer of the two ways; None without one.

        The least over the sources. Siblings are at 1; first cousins, and a concept and the
        sibling of its parent, at 2.
        """
        shared = set(self.sources(left)) & set(self.sources(right))
        found = [self._distance_in(left, right, source) for source in sorted(shared)]
        return min((steps for steps in found if steps is not None), default=None)

    def _distance_in(self, left: int, right: int, source: int) -> int | None:
        ours, theirs = self.ancestors(left, source), self.ancestors(right, source)
        common = ours.keys() & theirs.keys()
        return min((max(ours[node], theirs[node]) for node in common), default=None)
