"""One system's answers to one subset, as columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import Codes, first_repeated


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scored documents of queries, in no order; a code is the place of an id in its list.

    ``source`` is the file that they are from, for messages.
    """

    source: str
    queries: Sequence[str]  # ascending
    documents: Sequence[str]  # ascending
    query_codes: Codes
    document_codes: Codes
    scores: NDArray[np.float64]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The query and the document of every row."""
        for query, document in zip(self.query_codes, self.document_codes, strict=True):
            yield self.queries[query], self.documents[document]


def first_not_finite(ranking: Ranking) -> int | None:
    """The first row whose score is NaN or infinite, if any."""
    bad = np.flatnonzero(~np.isfinite(ranking.scores))
    return int(bad[0]) if bad.size else None


def first_duplicate(ranking: Ranking) -> int | None:
    """The first row that ranks a document again for the same query, if any."""
    return first_repeated(ranking.query_codes * len(ranking.documents) + ranking.document_codes)
