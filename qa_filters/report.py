"""Counts verdicts for the quality report; counts and examples of parts add up to the whole's."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.records import JudgedQuery, Verdict
from pipeline.text import content_id
from qa_filters.base import Filter
from qa_filters.judge import reasons

Tally = Counter[tuple[str, ...]]
"""What was counted how often; tallies of parts are added with ``+``. The keys are

("funnel", task, language, step), where a step's queries passed it and all before it;
("refused", task, language, filter); ("kept", task, query, language), what all filters accept;
("filter", filter, language, decision); ("score", filter, language, bin, decision);
("overlap", filter, filter), texts that both refuse, the names in order.
"""

GROUPS = ("form", "content", "meaning")
STEPS = ("judged", *GROUPS)
ACCEPTED, REJECTED, ABSTAINED = DECISIONS = ("accepted", "rejected", "abstained")
BINS = 20
WHOLE = 1.0
NARROW = 0.1  # of a filter's scale: nearer to a threshold a text has barely passed


@dataclass(frozen=True, slots=True)
class Example:
    """A text to be shown with a filter's score: a refused one, or one that barely passed.

    ``margin`` is how far its score is from the next threshold, as a share of the filter's scale.
    """

    filter: str
    language: str
    query_id: str
    score: float
    source_text: str
    text: str
    back_translation: str
    margin: float = math.inf


def tally(judged: Iterable[JudgedQuery], filters: Mapping[str, Filter]) -> Tally:
    """All counts of the report over some judged queries."""
    counts: Tally = Counter()
    for query in judged:
        counts.update(_funnel_keys(query, filters))
        language = query.translation.language
        for verdict in query.verdicts:
            counts.update(_verdict_keys(verdict, language, filters[verdict.filter]))
        refusing = reasons(query)
        task = query.query.task
        counts.update(("refused", task, language, name) for name in refusing)
        if not refusing:
            counts["kept", task, query.query.query_id, language] += 1
        counts.update(("overlap", a, b) for a in refusing for b in refusing if a <= b)
    return counts


def decision_of(verdict: Verdict) -> str:
    """Accepted, rejected, or abstained where the filter did not apply."""
    if math.isnan(verdict.score) and verdict.accepted:
        return ABSTAINED
    return ACCEPTED if verdict.accepted else REJECTED


def bin_of(score: float, scale: tuple[float, float]) -> int:
    """The bar of a histogram that a score falls into; what lies outside goes into the last ones."""
    low, high = scale
    return min(BINS - 1, max(0, int((score - low) / (high - low) * BINS)))


def _funnel_keys(query: JudgedQuery, filters: Mapping[str, Filter]) -> list[tuple[str, ...]]:
    refusing = {filters[name].group for name in reasons(query)}
    passed = ["judged"]
    for group in GROUPS:
        if group in refusing:
            break
        passed.append(group)
    return [("funnel", query.query.task, query.translation.language, step) for step in passed]


def _verdict_keys(verdict: Verdict, language: str, filter_: Filter) -> list[tuple[str, ...]]:
    decision = decision_of(verdict)
    keys: list[tuple[str, ...]] = [("filter", verdict.filter, language, decision)]
    if not math.isnan(verdict.score):
        place = f"{bin_of(verdict.score, filter_.scale):02d}"
        keys.append(("score", verdict.filter, language, place, decision))
    return keys


def examples_of(judged: Iterable[JudgedQuery]) -> list[Example]:
    """One example for each refusal."""
    return [
        _example(query, verdict)
        for query in judged
        for verdict in query.verdicts
        if not verdict.accepted
    ]


def narrow_of(judged: Iterable[JudgedQuery], filters: Mapping[str, Filter]) -> list[Example]:
    """Texts that all filters accept, one for each whose threshold is near: the worst accepted."""
    found = (
        _example(query, verdict, margin_of(verdict.score, filters[verdict.filter]))
        for query in judged
        if query.accepted
        for verdict in query.verdicts
    )
    return [example for example in found if example.margin <= NARROW]


def margin_of(score: float, filter_: Filter) -> float:
    """How far a score is from the nearest threshold, as a share of the scale; else infinite."""
    low, high = filter_.scale
    values = [getattr(filter_, key) for key in filter_.thresholds]
    # Of a count the next one is as near as can be, and what must be whole is never nearly so.
    limits = [value for value in values if isinstance(value, float) and value != WHOLE]
    if math.isnan(score) or not limits:
        return math.inf
    return min(abs(score - limit) for limit in limits) / (high - low)


def _example(query: JudgedQuery, verdict: Verdict, margin: float = math.inf) -> Example:
    return Example(
        verdict.filter,
        query.translation.language,
        query.query.query_id,
        verdict.score,
        query.query.original.text,
        query.translation.text,
        query.translation.back_translation,
        margin,
    )


def choose_examples(examples: Iterable[Example], limit: int) -> list[Example]:
    """At most ``limit`` examples of each filter and language, the same in whatever order they come.

    Those with the smallest margin first; where there is none, by a hash, so that they are typical.
    Choosing from chosen ones of parts gives the choice from the whole.
    """
    chosen: list[Example] = []
    taken: Counter[tuple[str, str]] = Counter()
    for example in sorted(examples, key=_example_order):
        group = (example.filter, example.language)
        if taken[group] < limit:
            taken[group] += 1
            chosen.append(example)
    return chosen


def _example_order(example: Example) -> tuple[str, str, float, str, str]:
    drawn = content_id(example.filter, example.language, example.query_id, example.text)
    return (example.filter, example.language, example.margin, drawn, example.text)
