"""Late interaction in many languages: the vectors that BGE-M3 has of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipeline.systems.base import Asked
from pipeline.systems.bge_m3_heads import head_of
from pipeline.systems.cache import Arrays
from pipeline.systems.checkpoints import Weights, load
from pipeline.systems.encoders import Encoders
from pipeline.systems.encoding import Array, Reading, States, Text, encode
from pipeline.systems.matching import MatchingIndex, Rows, spread, take
from pipeline.systems.multilingual import BGE_M3, BGE_M3_LENGTH, BGE_M3_REVISION, BGE_M3_SIZE
from pipeline.systems.pooling import of_unit_length


@dataclass(frozen=True)
class BgeM3Colbert(Encoders):
    """BGE-M3's vectors of tokens (Chen 2024), each query token held against all of a document's.

    A linear layer, unit length, the first token left out; the score is the mean over the query's
    tokens of the highest cosine. A corpus takes 4 KB a token of memory or cache.
    """

    name: ClassVar[str] = "bge-m3-colbert"
    size: ClassVar[str] = BGE_M3_SIZE

    model: str = BGE_M3
    revision: str = BGE_M3_REVISION
    query_length: int = BGE_M3_LENGTH
    document_length: int = BGE_M3_LENGTH

    def encoded(self, texts: Sequence[Text]) -> Arrays:
        """The vectors of one text after another, and how many each has."""
        found = self.tokens(self.document_weights(), texts, self.document_reading)
        lengths = np.array([len(one) for one in found], np.int64)
        return {"vectors": np.concatenate(found), "lengths": lengths}

    def matching(self, ids: Sequence[str], rows: Sequence[int], arrays: Arrays) -> MatchingIndex:
        """An index over vectors of tokens."""
        return _TokenIndex(self, ids, rows, arrays)

    def tokens(self, weights: Weights, texts: Sequence[Text], reading: Reading) -> list[Array]:
        """The vectors of each text: tokens × dimensions."""
        checkpoint = load(weights)
        head = head_of(weights, "colbert_linear.pt")

        def use(states: States) -> list[Array]:
            vectors = of_unit_length(head(states.hidden).float().cpu().numpy())
            return [row[1 : len(ids)] for ids, row in zip(states.tokens, vectors, strict=True)]

        return encode(checkpoint, texts, reading, use)


class _TokenIndex(MatchingIndex):
    def __init__(
        self, system: BgeM3Colbert, ids: Sequence[str], rows: Sequence[int], arrays: Arrays
    ) -> None:
        super().__init__(ids, rows)
        self._system = system
        self._vectors, self._lengths = arrays["vectors"], arrays["lengths"]
        self._starts = np.cumsum(self._lengths) - self._lengths

    def read(self, queries: Sequence[Asked]) -> list[Array]:
        system = self._system
        texts = [(query.text,) for query in queries]
        return system.tokens(system.query_weights(), texts, system.query_reading)

    def sizes(self) -> Rows:
        return np.asarray(self._lengths)

    def match(self, encoded: Sequence[Array], rows: Rows) -> Array:
        """Every text has a token, its end at the least, so no run of them is empty."""
        lengths = self._lengths[rows]
        vectors = take(self._vectors, spread(self._starts[rows], lengths))
        starts = np.cumsum(lengths) - lengths
        return np.stack(
            [np.maximum.reduceat(one @ vectors.T, starts, axis=1).mean(axis=0) for one in encoded]
        )
