"""Systems that make one vector of a text, from the states of a network's last layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipeline.systems.base import Asked, SystemsError
from pipeline.systems.cache import Arrays
from pipeline.systems.checkpoints import Weights, load
from pipeline.systems.encoders import Encoders
from pipeline.systems.encoding import Array, Reading, States, Text, encode
from pipeline.systems.matching import MatchingIndex, Rows, take
from pipeline.systems.pooling import POOLINGS, of_unit_length

DENSE = "vectors"


@dataclass(frozen=True)
class Dense(Encoders):
    """One vector a text, compared by cosine or by inner product."""

    pooling: ClassVar[str] = "first"
    similarity: ClassVar[str] = "cosine"  # or "product"
    network: ClassVar[str] = "transformers:AutoModel"

    def encoded(self, texts: Sequence[Text]) -> Arrays:
        """A vector for each text."""
        return {DENSE: self.vectors(self.document_weights(), texts, self.document_reading)}

    def matching(self, ids: Sequence[str], rows: Sequence[int], arrays: Arrays) -> MatchingIndex:
        """An index over vectors."""
        return _VectorIndex(self, ids, rows, arrays[DENSE])

    def query_vectors(self, queries: Sequence[Asked]) -> Array:
        """A vector for each query."""
        texts = [(self.query_prefix + query.text,) for query in queries]
        return self.vectors(self.query_weights(), texts, self.query_reading)

    def vectors(self, weights: Weights, texts: Sequence[Text], reading: Reading) -> Array:
        """Encode texts of either kind."""
        checkpoint = load(weights, self.network)

        def use(states: States) -> Sequence[Array]:
            pooled: Sequence[Array] = POOLINGS[self.pooling](states).float().cpu().numpy()
            return pooled

        found = np.stack(encode(checkpoint, texts, reading, use))
        return self.finished(found)

    def finished(self, vectors: Array) -> Array:
        """Vectors whose product is the similarity; raises SystemsError for what is no number."""
        if not np.isfinite(vectors).all():
            raise SystemsError(f"{self.name}: vectors overflow in {self.dtype}; set dtype=float32")
        return of_unit_length(vectors) if self.similarity == "cosine" else vectors


class _VectorIndex(MatchingIndex):
    def __init__(
        self, system: Dense, ids: Sequence[str], rows: Sequence[int], vectors: Array
    ) -> None:
        super().__init__(ids, rows)
        self._system = system
        self._vectors = vectors

    def read(self, queries: Sequence[Asked]) -> list[Array]:
        return list(self._system.query_vectors(queries)) if queries else []

    def match(self, encoded: Sequence[Array], rows: Rows) -> Array:
        product: Array = np.stack(encoded) @ take(self._vectors, rows).T
        return product
