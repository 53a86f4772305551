"""An index that scores every document of a corpus for a query, and what follows from that."""

import abc
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.ranked import Floats
from pipeline.systems.base import Asked, Hit, Index


class ScoredIndex(Index):
    """Searches and reranks by the scores of all documents, which come sorted by id."""

    def __init__(self, document_ids: Sequence[str]) -> None:
        """Take the ids of the documents, in the order of their scores."""
        self._document_ids = document_ids
        self._places = {document_id: place for place, document_id in enumerate(document_ids)}

    @abc.abstractmethod
    def scores(self, text: str) -> Floats:
        """The score of every document for a query; 0 for one that has nothing of it."""

    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        """For each query at most `depth` documents with a positive score, the best."""
        for query in queries:
            scores = self.scores(query.text)
            for place in best_places(scores, depth):
                yield Hit(query.query_id, self._document_ids[place], float(scores[place]))

    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        """For each query all of its candidates, whatever their scores."""
        for query in queries:
            scores = self.scores(query.text)
            for document_id in candidates[query.query_id]:
                yield Hit(query.query_id, document_id, float(scores[self._places[document_id]]))


def best_places(scores: Floats, depth: int) -> list[int]:
    """The places of the `depth` highest positive scores; of equal ones the later place counts."""
    return best_of(scores, np.flatnonzero(scores > 0), depth)


def best_of(scores: NDArray[np.floating[Any]], places: NDArray[np.int64], depth: int) -> list[int]:
    """Those of the places with the `depth` highest scores; of equal ones the later place counts.

    Places follow the documents' ids, so ties fall as trec_eval breaks them: by id, descending.
    """
    if places.size > depth:
        threshold = np.partition(scores[places], -depth)[-depth]
        places = places[scores[places] >= threshold]
    best: list[int] = places[np.lexsort((-places, -scores[places]))][:depth].tolist()
    return best
