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
("filter", filter, language, decision); ("score", filter, language, bin, decision);
("overlap", filter, filter), texts that both refuse, the names in order.
"""

GROUPS = ("form", "content", "meaning")
STEPS = ("judged", *GROUPS)
ACCEPTED, REJECTED, ABSTAINED = DECISIONS = ("accepted", "rejected", "abstained")
BINS = 20


@dataclass(frozen=True, slots=True)
class Example:
    """A refused text, to be shown with the reason."""

    filter: str
    language: str
    query_id: str
    score: float
    source_text: str
    text: str
    back_translation: str


def tally(judged: Iterable[JudgedQuery], filters: Mapping[str, Filter]) -> Tally:
    """All counts of the report over some judged queries."""
    counts: Tally = Counter()
    for query in judged:
        counts.update(_funnel_keys(query, filters))
        language = query.translation.language
        for verdict in query.verdicts:
            counts.update(_verdict_keys(verdict, language, filters[verdict.filter]))
        refusing = reasons(query)
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
        Example(
            verdict.filter,
            query.translation.language,
            query.query.query_id,
            verdict.score,
            query.query.original.text,
            query.translation.text,
            query.translation.back_translation,
        )
        for query in judged
        for verdict in query.verdicts
        if not verdict.accepted
    ]


def choose_examples(examples: Iterable[Example], limit: int) -> list[Example]:
    """At most ``limit`` examples of each filter and language, the same in whatever order they come.

    Chosen by a hash, so that they are typical, not the worst; choosing from chosen ones of parts
    gives the choice from the whole.
    """
    chosen: list[Example] = []
    taken: Counter[tuple[str, str]] = Counter()
    for example in sorted(examples, key=_example_order):
        group = (example.filter, example.language)
        if taken[group] < limit:
            taken[group] += 1
            chosen.append(example)
    return chosen


def _example_order(example: Example) -> tuple[str, str, str, str]:
    drawn = content_id(example.filter, example.language, example.query_id, example.text)
    return (example.filter, example.language, drawn, example.text)
