"""Builds the index of names: goes through them block by block, so that little is held at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from umls_tools.confusion.arrays import Ints, Longs
from umls_tools.confusion.keys import normalised
from umls_tools.confusion.nearest.names import (
    PAGE,
    Floats,
    NameIndex,
    Reach,
    distinct,
    norms_of,
    places_in,
    weights_of,
)
from umls_tools.confusion.nearest.spelling import NOT_A_GRAM, Letters, Places, words_and_pairs

BLOCK = 1 << 15  # names that are taken apart at once
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def index_names(texts: Sequence[str], order: Longs, reach: Reach) -> NameIndex:
    """Index names by their places; `order` is a rank for each that says nothing about it."""
    return _Building(texts, order, reach.among(len(texts))).index()


class _Building:
    """The names, and what is known of them so far: keys, then counts and holders, then weights."""

    def __init__(self, texts: Sequence[str], order: Longs, reach: Reach) -> None:
        self.texts = texts
        self.reach = reach
        self.by_rank = np.lexsort((np.arange(len(order)), order))
        self.rank = np.empty(len(order), np.uint64)
        self.rank[self.by_rank] = np.arange(len(order), dtype=np.uint64)

    def index(self) -> NameIndex:
        keys = self._keys()
        grams = int(np.searchsorted(keys, NOT_A_GRAM))
        counts, starts, holders = self._holders(keys, grams)
        weights = weights_of(counts, len(self.texts))
        norms, page_starts, pages = self._pages(keys[:grams], weights)
        self._weigh_words(keys, grams, weights)
        return NameIndex(
            *(keys, counts, weights, starts, holders, norms, page_starts, pages),
            np.array([self.reach.holders, self.reach.compared], np.int32),
        )

    def _blocks(self) -> Iterator[tuple[int, int, Letters]]:
        """The first name of each block, how many there are, and their letters."""
        for first in range(0, len(self.texts), BLOCK):
            texts = [normalised(text) for text in self.texts[first : first + BLOCK]]
            yield first, len(texts), Letters.of(texts)

    def _keys(self) -> Longs:
        """All grams, and the words and pairs that stand in more than one place."""
        grams, others = [], []
        for _, _, letters in self._blocks():
            grams.append(np.unique(letters.grams().keys))
            others.append(words_and_pairs(letters).keys)
        known, counts = np.unique(_joined(others, np.uint64), return_counts=True)
        return np.concatenate((np.unique(_joined(grams, np.uint64)), known[counts > 1]))

    def _holders(self, keys: Longs, grams: int) -> tuple[Places, Places, Ints]:
        """How many names hold each key; by rank those that a search may go through."""
        found = []
        for first, _, letters in self._blocks():
            spelt = distinct(places_in(keys[:grams], letters.grams()))
            worded = distinct(places_in(keys[grams:], words_and_pairs(letters)))
            for (rows, places, _), shift in ((spelt, 0), (worded, grams)):
                key = (places + shift).astype(np.uint64) << _HALF
                found.append(key | self.rank[rows + first])
        both = _joined(found, np.uint64)
        found.clear()
        both.sort()
        counts = np.bincount((both >> _HALF).astype(np.int64), minlength=len(keys))
        within = np.arange(len(both)) - np.repeat(np.cumsum(counts) - counts, counts)
        kept = (both[within < self.reach.holders] & _LOW).astype(np.int64)
        starts = np.concatenate(([0], np.cumsum(np.minimum(counts, self.reach.holders))))
        return counts, starts, self.by_rank[kept].astype(np.int32)

    def _pages(self, grams: Longs, weights: Ints) -> tuple[Floats, Places, Ints]:
        norms, sizes, pages = [], [], []
        for _, length, letters in self._blocks():
            held = places_in(grams, letters.grams())
            norms.append(norms_of(distinct(held), length, weights))
            size = np.bincount(held.rows, minlength=length)
            sizes.append(-(-size // PAGE))
            pages.append(_paged(held.keys, size, len(grams)))
        starts = np.concatenate(([0], np.cumsum(_joined(sizes, np.int64))))
        return _joined(norms, np.float64), starts, _joined(pages, np.int32)

    def _weigh_words(self, keys: Longs, grams: int, weights: Ints) -> None:
        """Give a word half the weight of all its grams; a pair keeps that of its rarity."""
        for _, _, letters in self._blocks():
            words, lengths = letters.words_and_lengths()
            if not len(lengths):
                continue
            held = places_in(keys[:grams], letters.grams_of_letters())
            sums = np.add.reduceat(weights[held.keys], np.cumsum(lengths) - lengths)
            place = np.searchsorted(keys[grams:], words.keys)
            known = np.flatnonzero(np.append(keys[grams:], 0)[place] == words.keys)
            weights[grams + place[known]] = sums[known] // 2


def _paged(numbers: Longs, sizes: Places, padding: int) -> Ints:
    """The numbers of one row after another, each row padded to whole pages."""
    room = -(-sizes // PAGE) * PAGE
    shift = np.cumsum(room - sizes) - (room - sizes)
    found = np.full(int(room.sum()), padding, np.int32)
    found[np.arange(len(numbers)) + np.repeat(shift, sizes)] = numbers
    return found


def _joined(arrays: list[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, kind)
