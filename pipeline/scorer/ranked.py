"""What the measures see: a ranking laid over the judgements, one row a query."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import ABSENT, Codes, ranks_within, recode
from pipeline.scorer.conventions import OURS, Convention
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
    judged: Floats  # queries × depth, 1 where a judged document stands
    tied: Floats  # queries × depth, the mean grade of the documents that tie for the rank
    retrieved: Floats  # by query, the number of ranked documents


def lay_over(
    ranking: Ranking, judgements: Judgements, depth: int, way: Convention = OURS
) -> Ranked:
    """Rank by score, descending, and where scores are equal as the convention says.

    By default that is trec_eval's: by document id, descending.

    Queries without judgements are left out; a judged query that was not answered has no gains.
    """
    count = len(judgements.queries)
    queries, documents, scores = _in_order(ranking, judgements, way)
    found, grades = _grades(queries, documents, ranking, judgements)
    relevant = judgements.query_codes[judgements.grades > 0]
    return Ranked(
        gains=_matrix(queries, grades, (count, depth)),
        ideal=_ideal(judgements, (count, depth)),
        relevant=np.bincount(relevant, minlength=count).astype(np.float64),
        first_relevant=_first_relevant(queries, scores, grades, count),
        judged=_matrix(queries, found.astype(np.float64), (count, depth)),
        tied=_matrix(queries, _tied_means(queries, scores, grades), (count, depth)),
        retrieved=np.bincount(queries, minlength=count).astype(np.float64),
    )


def _in_order(
    ranking: Ranking, judgements: Judgements, way: Convention
) -> tuple[Codes, Codes, Floats]:
    """Judged queries (by the judgements' codes), documents (by the ranking's) and scores."""
    queries = recode(ranking.queries, judgements.queries)[ranking.query_codes]
    scores = ranking.scores
    if way.is_single:
        scores = scores.astype(np.float32).astype(np.float64)
    order = np.lexsort((_tie_keys(ranking, way), -scores, queries))
    order = order[np.searchsorted(queries[order], 0) :]  # ABSENT is negative
    return queries[order], ranking.document_codes[order], scores[order]


def _tie_keys(ranking: Ranking, way: Convention) -> Codes:
    if way.ties == "as-given":
        return np.arange(ranking.document_codes.size)
    return -ranking.document_codes if way.ties == "docid-desc" else ranking.document_codes


def _grades(
    queries: Codes, documents: Codes, ranking: Ranking, judgements: Judgements
) -> tuple[NDArray[np.bool_], Floats]:
    """Whether each row was judged, and its grade; negative ones, as for spam, count as 0."""
    judged = recode(judgements.documents, ranking.documents)[judgements.document_codes]
    met = np.flatnonzero(judged != ABSENT)
    width = len(ranking.documents)
    keys = judgements.query_codes[met] * width + judged[met]
    order = np.argsort(keys)
    grades, found = np.zeros(queries.size), np.zeros(queries.size, bool)
    if met.size:
        wanted = queries * width + documents
        place = np.minimum(np.searchsorted(keys[order], wanted), met.size - 1)
        found = keys[order][place] == wanted
        grades[found] = judgements.grades[met][order][place[found]]
    return found, np.maximum(grades, 0.0)


def _tied_means(queries: Codes, scores: Floats, grades: Floats) -> Floats:
    """For each row the mean grade of its query's documents with the same score.

    Expected gains under random order of ties (McSherry and Najork 2008): measures that are linear
    in the gains take them for the grades.
    """
    if not queries.size:
        return grades
    starts = np.flatnonzero(
        (np.diff(queries, prepend=ABSENT) != 0) | (np.diff(scores, prepend=np.nan) != 0)
    )
    lengths = np.diff(np.append(starts, queries.size))
    return np.repeat(np.add.reduceat(grades, starts) / lengths, lengths)


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
