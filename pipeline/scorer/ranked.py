"""What the measures see: a ranking laid over the judgements, one row a query."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import ABSENT, Codes, ranks_within, recode
from pipeline.scorer.conventions import OURS, Convention
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import Judgements

Floats = NDArray[np.float64]
T = TypeVar("T", bound=np.generic)


# Up to so many judged documents a query, each is compared with all ranked ones; above, looked up.
_FEW = 64
_EMPTY = -2  # no document stands here; unlike ABSENT, which no ranked document is


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

    By default that is trec_eval's: by document id, descending. Queries without judgements are
    left out; a judged query that was not answered has no gains.
    """
    rows = _in_order(ranking, judgements, way)
    count = len(judgements.queries)
    pairs = _judged_pairs(ranking, judgements)
    gains, judged = _laid_out(rows, pairs, (count, depth))
    relevant = judgements.query_codes[judgements.grades > 0]
    return Ranked(
        gains=gains,
        ideal=_ideal(judgements, (count, depth)),
        relevant=np.bincount(relevant, minlength=count).astype(np.float64),
        first_relevant=_first_relevant(rows, pairs, gains),
        judged=judged,
        tied=_tied(rows, pairs, gains),
        retrieved=np.bincount(rows.queries, minlength=count).astype(np.float64),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """Ranked documents of judged queries, in order: by query, then by rank from 0."""

    queries: Codes  # by the judgements' list
    documents: Codes  # by the ranking's
    scores: Floats
    ranks: Codes

    def some(self, which: NDArray[np.bool_]) -> "_Rows":
        """Some of the rows."""
        queries, documents = self.queries[which], self.documents[which]
        return _Rows(queries, documents, self.scores[which], self.ranks[which])


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Judged pairs whose document was ranked for anything, by query and document code.

    Grades are not negative: collections give negative ones to spam, which counts as 0.
    """

    queries: Codes
    documents: Codes
    grades: Floats
    width: int  # how many documents there are codes for

    def grades_of(self, rows: _Rows) -> Floats:
        """The grade of each row, 0 where it was not judged."""
        grades = np.zeros(rows.queries.size)
        if self.queries.size:
            keys = self.queries * self.width + self.documents
            wanted = rows.queries * self.width + rows.documents
            place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
            found = keys[place] == wanted
            grades[found] = self.grades[place[found]]
        return grades


def _in_order(ranking: Ranking, judgements: Judgements, way: Convention) -> _Rows:
    queries = recode(ranking.queries, judgements.queries)[ranking.query_codes]
    scores, documents = ranking.scores, ranking.document_codes
    if way.is_single:
        scores = scores.astype(np.float32).astype(np.float64)
    ties = _tie_keys(ranking, way)
    if not _is_in_order(queries, scores, ties):
        order = np.lexsort((ties, -scores, queries))
        order = order[np.searchsorted(queries[order], 0) :]  # ABSENT is negative
        queries, documents, scores = queries[order], documents[order], scores[order]
    return _Rows(queries, documents, scores, ranks_within(queries))


def _is_in_order(queries: Codes, scores: Floats, ties: Codes) -> bool:
    """Whether rows stand as they are to be ranked, as most systems write them."""
    if not queries.size or queries.min() < 0:
        return False
    step = np.diff(queries)
    falling, level = scores[1:] < scores[:-1], scores[1:] == scores[:-1]
    rising = ties[1:] > ties[:-1]
    return bool(np.all((step > 0) | ((step == 0) & (falling | (level & rising)))))


def _tie_keys(ranking: Ranking, way: Convention) -> Codes:
    if way.ties == "as-given":
        return np.arange(ranking.document_codes.size)
    return -ranking.document_codes if way.ties == "docid-desc" else ranking.document_codes


def _judged_pairs(ranking: Ranking, judgements: Judgements) -> _Pairs:
    documents = recode(judgements.documents, ranking.documents)[judgements.document_codes]
    order = np.lexsort((documents, judgements.query_codes))
    order = order[documents[order] != ABSENT]
    grades = np.maximum(judgements.grades[order], 0.0)
    width = len(ranking.documents)
    return _Pairs(judgements.query_codes[order], documents[order], grades, width)


def _laid_out(rows: _Rows, pairs: _Pairs, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """The grade at each rank, and whether a judged document stands there."""
    gains, judged = np.zeros(shape), np.zeros(shape)
    places = ranks_within(pairs.queries)
    most = int(places.max(initial=-1)) + 1
    if most > _FEW:
        return _looked_up(rows, pairs, shape)
    ranked = _matrix(rows, rows.documents, np.full(shape, _EMPTY))
    for place in range(most):
        of_place = places == place
        wanted = np.full((shape[0], 1), ABSENT)
        grade = np.zeros((shape[0], 1))
        wanted[pairs.queries[of_place], 0] = pairs.documents[of_place]
        grade[pairs.queries[of_place], 0] = pairs.grades[of_place]
        query, rank = np.nonzero(ranked == wanted)
        gains[query, rank] = grade[query, 0]
        judged[query, rank] = 1.0
    return gains, judged


def _looked_up(rows: _Rows, pairs: _Pairs, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    marked = _Pairs(pairs.queries, pairs.documents, np.ones(pairs.grades.size), pairs.width)
    return (
        _matrix(rows, pairs.grades_of(rows), np.zeros(shape)),
        _matrix(rows, marked.grades_of(rows), np.zeros(shape)),
    )


def _matrix(rows: _Rows, values: NDArray[T], matrix: NDArray[T]) -> NDArray[T]:
    """The values of rows put where their query and rank are, cut at the depth."""
    depth = matrix.shape[1]
    within = rows.ranks < depth
    flat = rows.queries * depth + rows.ranks
    if not within.all():
        flat, values = flat[within], values[within]
    matrix.reshape(-1)[flat] = values
    return matrix


def _ideal(judgements: Judgements, shape: tuple[int, int]) -> Floats:
    grades = np.maximum(judgements.grades, 0.0)
    order = np.lexsort((-grades, judgements.query_codes))
    queries = judgements.query_codes[order]
    rows = _Rows(queries, order, grades, ranks_within(queries))
    return _matrix(rows, grades[order], np.zeros(shape))


def _tied(rows: _Rows, pairs: _Pairs, gains: Floats) -> Floats:
    """For each rank the mean grade of the query's documents with the same score.

    Expected gains under random order of ties (McSherry and Najork 2008): measures that are linear
    in the gains take them for the grades.
    """
    is_same = (np.diff(rows.queries) == 0) & (np.diff(rows.scores) == 0)
    if not is_same.any():
        return gains
    starts = np.flatnonzero(np.concatenate(([True], ~is_same)))
    lengths = np.diff(np.append(starts, rows.queries.size))
    means = np.add.reduceat(pairs.grades_of(rows), starts) / lengths
    return _matrix(rows, np.repeat(means, lengths), np.zeros(gains.shape))


def _first_relevant(rows: _Rows, pairs: _Pairs, gains: Floats) -> Floats:
    count = gains.shape[0]
    top = np.full(count, np.nan)
    starts = rows.ranks == 0
    top[rows.queries[starts]] = rows.scores[starts]
    at_top = rows.scores == top[rows.queries]
    if at_top.sum() == starts.sum():
        return (gains[:, 0] > 0).astype(np.float64)
    first = rows.some(at_top)
    good = first.queries[pairs.grades_of(first) > 0]
    share: Floats = np.bincount(good, minlength=count) / np.maximum(
        np.bincount(first.queries, minlength=count), 1
    )
    return share
