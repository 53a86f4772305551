"""Compares names exactly: the cosine of their vectors of grams, some names at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from umls_tools.confusion.arrays import Ints
from umls_tools.confusion.nearest.asking import Asked
from umls_tools.confusion.nearest.names import PAGE, Floats, NameIndex
from umls_tools.confusion.nearest.spelling import Places

TOGETHER = 16  # names whose pages are fetched together, so few that they stay in the cache


@dataclass(slots=True)
class Comparing:
    """Room for the weights of a name: four bytes for each gram of the index."""

    index: NameIndex
    _inverse_norms: Floats = field(init=False)
    _weights: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Make room; the last place is the padding's and stays 0."""
        self._inverse_norms = 1 / self.index.norms
        self._weights = np.zeros(self.index.grams + 1, np.int32)

    def cosines(self, asked: Asked, first: int, places: Sequence[Places]) -> Floats:
        """Of some of the names, from the `first`, each to its places, one after another."""
        sizes = [len(one) for one in places]
        others = np.concatenate(places)
        if not len(others):
            return np.zeros(0)
        index = self.index
        starts = index.page_starts.take(others)
        lengths = index.page_starts.take(others + 1) - starts
        ends = lengths.cumsum()
        pages = np.arange(ends[-1]) + np.repeat(starts - ends + lengths, lengths)
        rows = index.pages.reshape(-1, PAGE).take(pages, axis=0)
        bounds = np.append(0, ends)[np.append(0, np.cumsum(sizes))].tolist()
        sums = np.empty(len(rows), np.int64)
        for number, end in enumerate(bounds[1:]):
            its = slice(bounds[number], end)
            sums[its] = self._sums(asked, first + number, rows[its])
        products = np.add.reduceat(sums, ends - lengths)
        norms = np.repeat(asked.norms[first : first + len(places)], sizes)
        cosines: Floats = products * self._inverse_norms.take(others) / norms
        return cosines

    def _sums(self, asked: Asked, number: int, pages: Ints) -> Ints:
        """What each page has in common with one of the names, in whole numbers."""
        its = slice(asked.gram_starts[number], asked.gram_starts[number + 1])
        grams = asked.grams[its]
        self._weights[grams] = asked.weights[its]
        # No gram is out of bounds: to wrap them around only spares NumPy to ask.
        sums: Ints = np.einsum("ij->i", self._weights.take(pages, mode="wrap"))
        self._weights[grams] = 0
        return sums
