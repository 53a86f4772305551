"""Edges between concepts by arithmetic, so that both rows of an edge are found from either end.

Edges have numbers. A shape can say, for any concepts, which edges start there and which end there;
so the rows of MRREL come in order of CUI1, without all edges being held or sorted.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

import numpy as np

from tests.benchmarks.meta.concepts import Concepts
from tests.benchmarks.meta.draws import Numbers


class Ends(NamedTuple):
    """Edges seen from one of their ends: numbers of edges, of the atoms here and there.

    ``here`` and ``there`` are numbers of concepts.
    """

    edges: Numbers
    here: Numbers
    there: Numbers
    atom_here: Numbers
    atom_there: Numbers


class Shape(ABC):
    """Some edges, numbered from 0."""

    @abstractmethod
    def starting(self, block: Numbers) -> Ends:
        """The edges that start at some concepts, whose numbers follow one another."""

    @abstractmethod
    def ending(self, block: Numbers) -> Ends:
        """The edges that end there."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The numbers below ``count`` in another order, with a way back."""

    count: int
    factor: int

    def there(self, numbers: Numbers) -> Numbers:
        return (numbers * self.factor + self.factor) % self.count

    def back(self, numbers: Numbers) -> Numbers:
        return (numbers - self.factor) % self.count * pow(self.factor, -1, self.count) % self.count


def shuffle(count: int, number: int) -> Shuffle:
    """One of many shuffles of that many numbers."""
    factor = (2_654_435_761 * (number + 1)) % count | 1
    while gcd(factor, count) != 1:
        factor += 1
    return Shuffle(count, factor)


@dataclass(frozen=True, slots=True)
class Link(Shape):
    """Edges from any concept to any other, one at most of each; a few join one with itself."""

    concepts: Concepts
    count: int
    source: Shuffle
    target: Shuffle

    def starting(self, block: Numbers) -> Ends:
        return self._seen(block, self.source, self.target)

    def ending(self, block: Numbers) -> Ends:
        return self._seen(block, self.target, self.source)

    def _seen(self, block: Numbers, near: Shuffle, far: Shuffle) -> Ends:
        edges = near.back(block)
        is_there = edges < self.count
        edges = edges[is_there]
        return _between(self.concepts, edges, block[is_there], far.there(edges))


@dataclass(frozen=True, slots=True)
class Tree(Shape):
    """Edges from children to parents that have ``width`` children each."""

    concepts: Concepts
    count: int
    places: Shuffle
    width: int

    def starting(self, block: Numbers) -> Ends:
        children = self.places.back(block)
        is_child = (children > 0) & (children <= self.count)
        children = children[is_child]
        parents = self.places.there(children // self.width)
        return _between(self.concepts, children - 1, block[is_child], parents)

    def ending(self, block: Numbers) -> Ends:
        parents = self.places.back(block)
        is_parent = parents * self.width <= self.count
        owners = np.repeat(block[is_parent], self.width)
        children = (parents[is_parent][:, None] * self.width + np.arange(self.width)).ravel()
        is_child = (children > 0) & (children <= self.count)
        children, owners = children[is_child], owners[is_child]
        return _between(self.concepts, children - 1, owners, self.places.there(children))


@dataclass(frozen=True, slots=True)
class Loop(Shape):
    """Edges from grandparents of a tree to their grandchildren, as if those were parents."""

    tree: Tree
    count: int

    def starting(self, block: Numbers) -> Ends:
        return self._seen(block, *self._ends())

    def ending(self, block: Numbers) -> Ends:
        grandparents, grandchildren = self._ends()
        return self._seen(block, grandchildren, grandparents)

    def _ends(self) -> tuple[Numbers, Numbers]:
        first = self.tree.width**2
        places = first + np.arange(self.count) * (self.tree.count - first) // max(self.count, 1)
        there = self.tree.places.there
        return there(places // first), there(places)

    def _seen(self, block: Numbers, near: Numbers, far: Numbers) -> Ends:
        edges = np.flatnonzero((near >= block[0]) & (near <= block[-1]))
        return _between(self.tree.concepts, edges, near[edges], far[edges])


@dataclass(frozen=True, slots=True)
class Inner(Shape):
    """Edges between a further atom of a concept and its first, evenly spread over all concepts."""

    concepts: Concepts
    count: int

    def starting(self, block: Numbers) -> Ends:
        return self._seen(block)

    def ending(self, block: Numbers) -> Ends:
        seen = self._seen(block)
        return seen._replace(atom_here=seen.atom_there, atom_there=seen.atom_here)

    def _seen(self, block: Numbers) -> Ends:
        starts = self.concepts.starts[block[0] : block[-1] + 2]
        owners = np.repeat(block, np.diff(starts) - 1)
        first_further = starts[0] - block[0]
        further = first_further + np.arange(len(owners))
        atoms = further + owners + 1
        most = self.concepts.atoms - self.concepts.count
        edges = further * self.count // most
        is_there = edges != (further + 1) * self.count // most
        owners = owners[is_there]
        return Ends(edges[is_there], owners, owners, atoms[is_there], self.concepts.starts[owners])


def _between(concepts: Concepts, edges: Numbers, here: Numbers, there: Numbers) -> Ends:
    """Edges between the first atoms of the concepts at their ends."""
    return Ends(edges, here, there, concepts.starts[here], concepts.starts[there])
