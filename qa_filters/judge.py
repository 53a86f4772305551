"""Asks every filter about one query in one language."""

import math
from collections.abc import Mapping

from pipeline.records import JudgedQuery, Query, Translation, Verdict
from qa_filters.base import Candidate, Filter, candidate_of

# Decimals of a score that count: the last bits of a float differ between versions of Python, whose
# sum() has been compensated since 3.12, and a verdict must not.
DIGITS = 6


def judge(
    query: Query, translation: Translation, filters: Mapping[str, Filter], answer: str = ""
) -> JudgedQuery:
    """The query with one verdict of every filter, in order of their names.

    ``answer`` is the name that a confusion set shows its gold under.
    """
    candidate = candidate_of(query, translation, answer)
    verdicts = tuple(_ask(name, filters[name], candidate) for name in sorted(filters))
    return JudgedQuery(query, translation, verdicts)


def _ask(name: str, filter_: Filter, candidate: Candidate) -> Verdict:
    score = round(filter_.score(candidate), DIGITS)
    return Verdict(name, score, math.isnan(score) or filter_.accepts(score, candidate))


def reasons(judged: JudgedQuery) -> tuple[str, ...]:
    """The names of the filters that refuse, in order."""
    return tuple(verdict.filter for verdict in judged.verdicts if not verdict.accepted)
