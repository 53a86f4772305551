"""BM25 over the terms of titles and texts, by the bm25s library."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pipeline.scorer.ranked import Floats
from pipeline.scorer.release import Document
from pipeline.systems.base import Index, System, SystemsError
from pipeline.systems.scored import ScoredIndex
from pipeline.systems.words import terms

if TYPE_CHECKING:
    import bm25s


@dataclass(frozen=True, slots=True)
class Bm25(System):
    """Words in common, weighed by how rare they are; the lexical baseline.

    Lucene's formula and defaults (BM25Similarity: k1 1.2, b 0.75). A document that shares no
    term with the query is not found; among candidates it has the score 0.
    """

    name: ClassVar[str] = "bm25"

    k1: float = 1.2
    b: float = 0.75

    def index(self, documents: Sequence[Document]) -> Index:
        """Count the terms of each document's title and text."""
        vocabulary: dict[str, int] = {}
        # The library's own numbering of terms follows the order of a set.
        numbered = [
            [
                vocabulary.setdefault(term, len(vocabulary))
                for term in terms(f"{document.title} {document.text}")
            ]
            for document in documents
        ]
        if not vocabulary:
            raise SystemsError("the corpus holds no word; was the release fetched whole?")
        model = _load_model(self)
        model.index((numbered, vocabulary), create_empty_token=False, show_progress=False)
        return _Bm25Index([document.document_id for document in documents], vocabulary, model)


class _Bm25Index(ScoredIndex):
    def __init__(
        self, document_ids: Sequence[str], vocabulary: Mapping[str, int], model: "bm25s.BM25"
    ) -> None:
        super().__init__(document_ids)
        self._vocabulary = vocabulary
        self._model = model

    def scores(self, text: str) -> Floats:
        """The score of every document; terms that no document has count for nothing."""
        found = [self._vocabulary[term] for term in terms(text) if term in self._vocabulary]
        scores: Floats = self._model.get_scores_from_ids(found)
        return scores


def _load_model(system: Bm25) -> "bm25s.BM25":
    try:
        from bm25s import BM25  # noqa: PLC0415 - an optional dependency, slow to import
    except ImportError as error:
        raise SystemsError("bm25 needs bm25s: pip install 'mmed-bench-ir[systems]'") from error
    # It sets its own logger to DEBUG when it is imported, whatever the application wants.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return BM25(k1=system.k1, b=system.b, method="lucene", dtype="float64", backend="numpy")
