"""Runs of several systems made one: whoever is ranked high by many is ranked high."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import Document
from pipeline.scorer.runs import Run, read_run
from pipeline.systems.base import Asked, Hit, Index, System, SystemsError
from pipeline.systems.scored import best_of

Scores = Mapping[str, float]  # by document


@dataclass(frozen=True)
class Rrf(System):
    """Reciprocal rank fusion (Cormack 2009): the sum over the runs of 1 / (k + rank).

    `runs` are folders or Parquet files that `mmed-bench retrieve` or any tool wrote for the same
    release. Ranks start at 1; ties in a run fall as trec_eval breaks them.
    """

    name: ClassVar[str] = "rrf"

    runs: tuple[str, ...] = ()  # two at the least
    k: float = 60.0

    def __post_init__(self) -> None:
        """Refuse a constant that would divide by nothing."""
        if self.k < 0:
            raise ValueError(f"k: {self.k}; expected 0 or more")

    def index(self, documents: Sequence[Document]) -> Index:
        """Read the runs."""
        if len(self.runs) < 2:  # noqa: PLR2004 - one run needs no fusion
            raise SystemsError('rrf: fuses two runs or more; --set \'runs=["A", "B"]\' names them')
        return _FusedIndex(self, [document.document_id for document in documents])


class _FusedIndex(Index):
    def __init__(self, system: Rrf, document_ids: Sequence[str]) -> None:
        self._document_ids = document_ids
        self._places = {document_id: place for place, document_id in enumerate(document_ids)}
        self._fused: dict[tuple[str, str], dict[str, float]] = {}
        for path in system.runs:
            for subset, ranking in read_run(Run(path, Path(path))):
                self._add(subset.rpartition("-")[2], ranking, system.k)

    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        for query in queries:
            found = self._of(query)
            known = sorted(document for document in found if document in self._places)
            scores = np.array([found[document] for document in known])
            for place in best_of(scores, np.arange(len(known)), depth):
                yield Hit(query.query_id, known[place], float(scores[place]))

    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        for query in queries:
            found = self._of(query)
            for document in candidates[query.query_id]:
                yield Hit(query.query_id, document, found.get(document, 0.0))

    def _of(self, query: Asked) -> Scores:
        return self._fused.get((query.language, query.query_id), {})

    def _add(self, language: str, ranking: Ranking, k: float) -> None:
        """Rank by score and document id, both descending; a query's rows lie together then."""
        order = np.lexsort((-ranking.document_codes, -ranking.scores, ranking.query_codes))
        queries = ranking.query_codes[order]
        starts = np.searchsorted(queries, queries)
        for row, rank in zip(
            order.tolist(), (np.arange(order.size) - starts + 1).tolist(), strict=True
        ):
            query = ranking.queries[ranking.query_codes[row]]
            document = ranking.documents[ranking.document_codes[row]]
            fused = self._fused.setdefault((language, query), {})
            fused[document] = fused.get(document, 0.0) + 1 / (k + rank)
