"""Looks up the names nearest to a name: shared keys first, the cosine of those that share most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from umls_tools.confusion.arrays import Ints
from umls_tools.confusion.keys import normalised
from umls_tools.confusion.nearest.names import (
    PAGE,
    Floats,
    NameIndex,
    distinct,
    norms_of,
    places_in,
)
from umls_tools.confusion.nearest.spelling import Letters, Places, words_and_pairs

BLOCK = 256  # names that are taken apart at once
MOST_KEYS = 100  # of a name, those first that say most for the names that hold them
MILLIONTHS = 1_000_000  # cosines are compared as whole numbers of them
_LOW = 0xFFFFFFFF

Fit = npt.NDArray[np.bool_]


class Near(NamedTuple):
    """Places of names, the nearest first, with their cosines; ties go to the earlier place."""

    places: Places
    cosines: Floats
    cut: int  # holders of the name's keys that were not looked at


class _Asked(NamedTuple):
    """One name: its grams with their weights, its norm, and its keys in order of use."""

    grams: Places
    weights: Ints
    norm: float
    keys: Places


@dataclass(slots=True)
class Search:
    """Searches in an index, with room to work in that is as long as the index."""

    index: NameIndex
    _gone_through: int = field(init=False)
    _compared: int = field(init=False)
    _grams: int = field(init=False)
    _worth: Floats = field(init=False)
    _inverse_norms: Floats = field(init=False)
    _seats: Places = field(init=False)
    _weights: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Make room: sixteen bytes for each name, eight for each key."""
        self._gone_through, self._compared = self.index.reach.tolist()
        self._grams = self.index.grams
        self._worth = self.index.key_counts / self.index.key_weights
        self._inverse_norms = 1024 / self.index.norms
        self._seats = np.zeros(len(self.index), np.int64)
        self._weights = np.zeros(self._grams + 1, np.int32)

    def nearest(self, texts: Sequence[str], size: int, fit: Fit | None = None) -> Iterator[Near]:
        """For each text at most `size` names of the index, of those that are `fit`.

        A text that is a name of the index finds itself, too.
        """
        for first in range(0, len(texts), BLOCK):
            for asked in self._asked(texts[first : first + BLOCK]):
                places, cut = self._likely(asked.keys, fit)
                yield self._compare(asked, places, size, cut)

    def _asked(self, texts: Sequence[str]) -> Iterator[_Asked]:
        """Take names apart; those keys come first that say most for the fewest holders."""
        keys, grams = self.index.keys, self._grams
        letters = Letters.of([normalised(text) for text in texts])
        spelt = distinct(places_in(keys[:grams], letters.grams()))
        worded = distinct(places_in(keys[grams:], words_and_pairs(letters)))
        norms = norms_of(spelt, len(texts), self.index.key_weights).tolist()
        weights = self.index.key_weights[spelt[1]] * spelt[2].astype(np.int32)
        owner = np.concatenate((spelt[0], worded[0]))
        place = np.concatenate((spelt[1], worded[1] + grams))
        place = place[np.lexsort((place, self._worth[place], owner))]
        rows = np.arange(len(texts) + 1)
        spelt_at = np.searchsorted(spelt[0], rows).tolist()
        all_at = (spelt_at + np.searchsorted(worded[0], rows)).tolist()
        for row, norm in enumerate(norms):
            its = slice(spelt_at[row], spelt_at[row + 1])
            used = place[all_at[row] : min(all_at[row + 1], all_at[row] + MOST_KEYS)]
            yield _Asked(spelt[1][its], weights[its], norm, used)

    def _likely(self, keys: Places, fit: Fit | None) -> tuple[Places, int]:
        """The names that share most of the weight of the keys, relative to their own norm."""
        holders, weights, cut = self._holders(keys)
        self._seats[holders] = np.arange(len(holders))  # one seat each, however often it is there
        seats = self._seats.take(holders)
        sums = np.asarray(np.bincount(seats, weights, len(holders)), np.float64)
        sums *= self._inverse_norms.take(holders)
        if fit is not None:
            sums *= fit.take(holders)
        return self._best(holders, sums), cut

    def _holders(self, keys: Places) -> tuple[Places, Floats, int]:
        """Holders of as many keys as may be looked at; of the next a part, if there is room."""
        index = self.index
        sizes = index.key_counts.take(keys)
        room = self._gone_through - (np.cumsum(sizes) - sizes)
        taken = np.maximum(np.minimum(sizes, room), 0)
        starts = index.holder_starts.take(keys)
        bounds = zip(starts.tolist(), (starts + taken).tolist(), strict=True)
        lists = [index.holders[start:end] for start, end in bounds if end > start]
        holders = np.concatenate(lists) if lists else index.holders[:0]
        weights = np.repeat(index.key_weights.take(keys).astype(np.float64), taken)
        return holders.astype(np.int64), weights, int(sizes.sum() - taken.sum())

    def _best(self, holders: Places, scores: Floats) -> Places:
        """As many as are compared, the best; of equals the first. Who has no seat scores 0."""
        if len(holders) <= self._compared:
            return holders[scores > 0]
        least = np.partition(scores, len(scores) - self._compared)[-self._compared]
        best = np.flatnonzero(scores >= max(least, np.finfo(np.float64).tiny))
        if len(best) > self._compared:
            best = best[np.lexsort((holders[best], -scores[best]))[: self._compared]]
        return holders.take(best)

    def _compare(self, asked: _Asked, places: Places, size: int, cut: int) -> Near:
        lengths = self._inverse_norms.take(places)
        cosines = self._products(asked, places) * lengths
        whole = np.rint(cosines * (MILLIONTHS / 1024 / asked.norm)).astype(np.int64)
        both = (whole << 32) - places
        both.sort()
        best = -both[: -size - 1 : -1]
        return Near(best & _LOW, -(best >> 32) / MILLIONTHS, cut)

    def _products(self, asked: _Asked, places: Places) -> Places:
        """Inner products, page by page."""
        if not len(places):
            return np.zeros(0, np.int64)
        index = self.index
        starts = index.page_starts.take(places)
        sizes = index.page_starts.take(places + 1) - starts
        ends = sizes.cumsum()
        pages = np.arange(ends[-1]) + np.repeat(starts - ends + sizes, sizes)
        rows = index.pages.reshape(-1, PAGE).take(pages, axis=0)
        self._weights[asked.grams] = asked.weights
        sums = self._weights.take(rows).sum(axis=1, dtype=np.int32).astype(np.int64)
        self._weights[asked.grams] = 0
        return np.add.reduceat(sums, ends - sizes)
