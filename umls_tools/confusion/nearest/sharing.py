"""Finds the names that share most with a name: the product of two sparse tables.

One table has the names that are asked for and the stretches of lists that they use, the other
those stretches and the names in them. SciPy multiplies them in whole numbers, row by row, and
touches nothing but what is there.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from umls_tools.confusion.nearest.asking import Asked, within
from umls_tools.confusion.nearest.names import NameIndex
from umls_tools.confusion.nearest.spelling import Places

STRETCH = 64  # holders of a key that are gone through together
_HALF = 32
_LOW = (1 << 32) - 1

Fit = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Sharing:
    """The lists of an index cut into stretches; four bytes for each holder of a key."""

    index: NameIndex
    _room: int = field(init=False)
    _most: int = field(init=False)
    _first: Places = field(init=False)  # stretch of each key
    _lists: Any = field(init=False)
    _inverse_norms: npt.NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        """Cut; every list begins with a new stretch."""
        index = self.index
        self._room, self._most = index.reach.tolist()
        sizes = -(-np.diff(index.holder_starts) // STRETCH)
        self._first = np.concatenate(([0], np.cumsum(sizes)))
        key = np.repeat(np.arange(len(sizes)), sizes)
        starts = index.holder_starts[key] + within(key, len(sizes)) * STRETCH
        ends = np.append(starts, len(index.holders)).astype(np.int32)
        ones = np.ones(len(index.holders), np.int32)
        shape = len(starts), len(index)
        self._lists = csr_array((ones, index.holders, ends), shape=shape)
        self._inverse_norms = (1 / index.norms).astype(np.float32)

    def likely(self, asked: Asked, fit: Fit | None) -> tuple[list[Places], Places]:
        """For each name those that share most weight, relative to their own norm; who was cut.

        So many as are compared, in no order.
        """
        table, cut = self._used(asked)
        shared = table @ self._lists
        scores = shared.data.astype(np.float32) * self._inverse_norms.take(shared.indices)
        if fit is not None:
            scores *= fit.take(shared.indices)
        # A positive float's bits are a number that grows with it; of equals the earlier is better.
        ranks = scores.view(np.int32).astype(np.int64) << _HALF
        ranks -= shared.indices
        rows = pairwise(shared.indptr.tolist())
        return [self._best(ranks[start:end]) for start, end in rows], cut

    def _best(self, ranks: Places) -> Places:
        if len(ranks) > self._most:
            ranks = np.partition(ranks, len(ranks) - self._most)[-self._most :]
        return -ranks[ranks > 0] & _LOW

    def _used(self, asked: Asked) -> tuple[Any, Places]:
        """The stretches that each name uses, weighted; the last as far as there is room."""
        index = self.index
        sizes = index.key_counts.take(asked.keys)
        before = np.concatenate(([0], np.cumsum(sizes)))
        start = np.repeat(before[asked.key_starts[:-1]], np.diff(asked.key_starts))
        room = np.clip(self._room - (before[:-1] - start), 0, sizes)
        lists = np.minimum(-(-room // STRETCH), np.diff(self._first).take(asked.keys))
        cut = np.add.reduceat(np.append(sizes - room, 0), asked.key_starts[:-1])
        entry = np.repeat(np.arange(len(lists)), lists)
        stretch = self._first[asked.keys[entry]] + within(entry, len(lists))
        ends = np.concatenate(([0], np.cumsum(lists)))[asked.key_starts]
        weights = index.key_weights.take(asked.keys[entry])
        shape = len(asked), self._lists.shape[0]
        table = csr_array((weights, stretch.astype(np.int32), ends.astype(np.int32)), shape=shape)
        return table, np.where(np.diff(asked.key_starts) > 0, cut, 0)
