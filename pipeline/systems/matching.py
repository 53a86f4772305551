"""Exact search: every query is held against every document, block by block."""

import abc
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.systems.base import Asked, Hit, Index
from pipeline.systems.encoding import Array
from pipeline.systems.scored import best_of

Rows = NDArray[np.int64]
QUERIES = 64  # of a block
ROWS = 65_536  # of a block


class MatchingIndex(Index):
    """Scores queries against rows; documents of the same text share a row, and so always tie."""

    least: float = -np.inf
    """What a score must exceed for its document to be found."""

    def __init__(self, document_ids: Sequence[str], rows: Sequence[int]) -> None:
        """Take the documents' ids, ascending, and the row of each."""
        self._document_ids = document_ids
        self._rows = np.array(rows, np.int64)
        self._of = dict(zip(document_ids, rows, strict=True))

    @abc.abstractmethod
    def read(self, queries: Sequence[Asked]) -> Sequence[Any]:
        """Encode queries."""

    @abc.abstractmethod
    def match(self, encoded: Sequence[Any], rows: Rows) -> Array:
        """The score of each encoded query with each row: queries × rows."""

    def sizes(self) -> Rows:
        """How much of a block each row takes; one by default."""
        return np.ones(int(self._rows.max(initial=-1)) + 1, np.int64)

    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        """For each query the best `depth` documents; of equal ones those of later ids."""
        encoded = self.read(queries)
        blocks = list(cut(self.sizes(), ROWS))
        for start in range(0, len(queries), QUERIES):
            block = encoded[start : start + QUERIES]
            matched = np.concatenate([self.match(block, rows) for rows in blocks], axis=1)
            for query, row in zip(queries[start : start + QUERIES], matched, strict=True):
                scores = row[self._rows]
                for place in best_of(scores, np.flatnonzero(scores > self.least), depth):
                    yield Hit(query.query_id, self._document_ids[place], float(scores[place]))

    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        """For each query all of its candidates."""
        for query, one in zip(queries, self.read(queries), strict=True):
            shown = candidates[query.query_id]
            rows = np.unique(np.array([self._of[document] for document in shown], np.int64))
            matched = self.match([one], rows)[0]
            places = np.searchsorted(rows, [self._of[document] for document in shown])
            for document, place in zip(shown, places, strict=True):
                yield Hit(query.query_id, document, float(matched[place]))


def cut(sizes: Rows, most: int) -> Iterator[Rows]:
    """The rows 0, 1, … in blocks whose sizes add up to `most`, or of one row that is larger."""
    start = 0
    ends = np.cumsum(sizes)
    while start < sizes.size:
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield np.arange(start, end)
        start = end


def take(array: NDArray[Any], rows: Rows) -> NDArray[Any]:
    """Some rows of an array; a view where they lie together."""
    if rows.size and rows[-1] - rows[0] + 1 == rows.size:
        return array[rows[0] : rows[-1] + 1]
    return array[rows]


def spread(starts: Rows, lengths: Rows) -> Rows:
    """The places of several runs of numbers, one run after another."""
    ends = np.cumsum(lengths)
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
