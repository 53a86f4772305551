"""What the measures see: a ranking laid over the judgements, one row a query."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import ABSENT, Codes, ranks_within, recode
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import Judgements

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Grades by query (in the judgements' order) and rank; 0 where nothing relevant stands.

    ``first_relevant`` is the chance that a relevant document comes first when documents with
    equal scores are put into random order.
    """

    gains: Floats  # queries × depth, as ranked
    ideal: Floats  # queries × depth, the best that could be
    relevant: Floats  # by query, the number of relevant documents
    first_relevant: Floats  # by query


def lay_over(ranking: Ranking, judgements: Judgements, depth: int) -> Ranked:
    """Rank as trec_eval does: by score, then by document id, both descending.

    Queries without judgements are left out; a judged query that was not answered has no gains.
    """
    count = len(judgements.queries)
    queries, documents, scores = _in_order(ranking, judgements)
    grades = _grades(queries, documents, ranking, judgements)
    relevant = judgements.query_codes[judgements.grades > 0]
    return Ranked(
        gains=_matrix(queries, grades, (count, depth)),
        ideal=_ideal(judgements, (count, depth)),
        relevant=np.bincount(relevant, minlength=count).astype(np.float64),
        first_relevant=_first_relevant(queries, scores, grades, count),
    )


def _in_order(ranking: Ranking, judgements: Judgements) -> tuple[Codes, Codes, Floats]:
    """Judged queries (by the judgements' codes), documents (by the ranking's) and scores."""
    queries = recode(ranking.queries, judgements.queries)[ranking.query_codes]
    order = np.lexsort((-ranking.document_codes, -ranking.scores, queries))
    order = order[np.searchsorted(queries[order], 0) :]  # ABSENT is negative
    return queries[order], ranking.document_codes[order], ranking.scores[order]


def _grades(queries: Codes, documents: Codes, ranking: Ranking, judgements: Judgements) -> Floats:
    """The grade of each row; negative ones, which some collections give to spam, count as 0."""
    judged = recode(judgements.documents, ranking.documents)[judgements.document_codes]
    met = np.flatnonzero(judged != ABSENT)
    width = len(ranking.documents)
    keys = judgements.query_codes[met] * width + judged[met]
    order = np.argsort(keys)
    grades = np.zeros(queries.size)
    if met.size:
        wanted = queries * width + documents
        place = np.minimum(np.searchsorted(keys[order], wanted), met.size - 1)
        found = keys[order][place] == wanted
        grades[found] = judgements.grades[met][order][place[found]]
    return np.maximum(grades, 0.0)


def _matrix(queries: Codes, grades: Floats, shape: tuple[int, int]) -> Floats:
    """Grades in order, grouped by query, as one row a query, cut at the depth."""
    ranks = ranks_within(queries)
    within = ranks < shape[1]
    matrix = np.zeros(shape)
    matrix[queries[within], ranks[within]] = grades[within]
    return matrix


def _ideal(judgements: Judgements, shape: tuple[int, int]) -> Floats:
    grades = np.maximum(judgements.grades, 0.0)
    order = np.lexsort((-grades, judgements.query_codes))
    return _matrix(judgements.query_codes[order], grades[order], shape)


def _first_relevant(queries: Codes, scores: Floats, grades: Floats, count: int) -> Floats:
    starts = np.flatnonzero(ranks_within(queries) == 0)
    top = np.zeros(count)
    top[queries[starts]] = scores[starts]
    tied = queries[scores == top[queries]]
    good = queries[(scores == top[queries]) & (grades > 0)]
    share: Floats = np.bincount(good, minlength=count) / np.maximum(
        np.bincount(tied, minlength=count), 1
    )
    return share
