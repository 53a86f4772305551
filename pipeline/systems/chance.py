"""Documents drawn at random: what every other system must beat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pipeline.scorer.release import Document
from pipeline.systems.base import Asked, Hit, Index, System
from pipeline.text import draw

SCALE = 2.0**-64  # draws are 64-bit numbers; scores lie between 0 and 1


@dataclass(frozen=True, slots=True)
class Random(System):
    """Guesses, the same ones for the same seed, query and corpus; the floor of every measure.

    A query is guessed alike in all languages.
    """

    name: ClassVar[str] = "random"

    seed: int = 0

    def index(self, documents: Sequence[Document]) -> Index:
        """Keep the ids."""
        return _RandomIndex(self.seed, [document.document_id for document in documents])


class _RandomIndex(Index):
    def __init__(self, seed: int, document_ids: Sequence[str]) -> None:
        self._seed = seed
        self._document_ids = document_ids

    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        for query in queries:
            for document_id in self._sample(query.query_id, depth):
                yield self._hit(query.query_id, document_id)

    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        for query in queries:
            for document_id in candidates[query.query_id]:
                yield self._hit(query.query_id, document_id)

    def _hit(self, query_id: str, document_id: str) -> Hit:
        return Hit(query_id, document_id, draw(self._seed, query_id, document_id) * SCALE)

    def _sample(self, query_id: str, depth: int) -> Iterator[str]:
        """Different documents, by as many draws as are wanted: a shuffle that stops early.

        ``moved`` holds what the swaps of the shuffle have put into other places.
        """
        count = len(self._document_ids)
        moved: dict[int, int] = {}
        for place in range(min(depth, count)):
            other = place + draw(self._seed, "sample", query_id, str(place)) % (count - place)
            yield self._document_ids[moved.get(other, other)]
            moved[other] = moved.get(place, place)
