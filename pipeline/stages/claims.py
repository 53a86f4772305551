"""Candidate queries → those whose task owns all that they hold."""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import Query, Reject
from pipeline.stages.tally import CountIn, SetAside, note
from splits.candidates import Candidate, candidate_of
from splits.claim import claim
from splits.near_duplicates import pairs
from umls_tools.confusion.shown import shown_name

STAGE = "claim"

Decision = Reject | int | None
Compact = tuple[Candidate, str, str]  # with language and text, to find near duplicates


@dataclass(frozen=True, slots=True)
class Reserve:
    """A query that may be called if the filters leave its quota short, and its turn, from 0."""

    turn: int
    query: Query


class ClaimConcepts(beam.PTransform):
    """Queries → those that are claimed, more than the quotas ask for, with reserves and rejects.

    One worker decides over the whole pool, of which it sees keys and texts alone.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    @no_annotations
    def expand(
        self, queries: beam.PCollection
    ) -> tuple[beam.PCollection, beam.PCollection, beam.PCollection]:
        """Gives the claimed queries, the reserves and the rejects."""
        decided = (
            queries
            | CountIn(STAGE)
            | "Compact" >> beam.Map(_compact)
            | "Together" >> beam.GroupBy(_one_group)
            | "Claim" >> beam.FlatMap(claim_pool, self.plan)
        )
        by_id = queries | "By id" >> beam.Map(_by_id)
        kept = (
            {"queries": by_id, "decided": decided}
            | "Gather" >> beam.CoGroupByKey()
            | "Keep" >> beam.FlatMap(_keep)
        )
        reserves = kept | "Reserves" >> beam.Filter(_is_reserve)
        ruled = kept | "Ruled" >> beam.Filter(_is_ruled) | SetAside(STAGE)
        return ruled.main, reserves, ruled.rejects


def claim_pool(group: tuple[int, Iterable[Compact]], plan: Plan) -> Iterator[tuple[str, Decision]]:
    """For each query's id: None where it is claimed, its turn as a reserve, or its reject."""
    pool = sorted(group[1], key=lambda compact: compact[0].candidate_id)
    quotas = {
        slot: math.ceil(task.quota * task.factor) for slot, task in sorted(plan.quotas.items())
    }
    outcome = claim(
        (candidate for candidate, _, _ in pool), quotas, plan.seed, _conflicts(pool, plan)
    )
    for kind, number in outcome.contended.items():
        note(STAGE, f"contended {kind}", number)
    for query_id in outcome.accepted:
        yield query_id, None
    for reserves in outcome.reserves.values():
        yield from ((query_id, turn) for turn, query_id in enumerate(reserves))
    for reject in outcome.rejects:
        yield reject.key, reject


def _conflicts(pool: Iterable[Compact], plan: Plan) -> list[tuple[str, str]]:
    by_language: dict[str, dict[str, tuple[str, str]]] = {}
    for candidate, language, text in pool:
        by_language.setdefault(language, {})[candidate.candidate_id] = (candidate.task, text)
    return [
        (one, other)
        for texts in by_language.values()
        for one, other, _ in pairs(texts, plan.overlap.jaccard)
    ]


def _compact(query: Query) -> Compact:
    return candidate_of(query), query.original.language, query.original.text


def _one_group(_: Compact) -> int:
    return 0


def _by_id(query: Query) -> tuple[str, Query]:
    return query.query_id, query


def _is_reserve(kept: Query | Reserve | Reject) -> bool:
    return isinstance(kept, Reserve)


def _is_ruled(kept: Query | Reserve | Reject) -> bool:
    return not isinstance(kept, Reserve)


def _keep(group: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Query | Reserve | Reject]:
    _, sides = group
    for decision in sides["decided"]:
        if isinstance(decision, Reject):
            yield decision
        else:
            trimmed = [trim(query) for query in sides["queries"]]
            yield from trimmed if decision is None else (Reserve(decision, q) for q in trimmed)


def trim(query: Query) -> Query:
    """The query without what only claiming needed: of distractors the shown name is left.

    It travels on in as many copies as there are languages.
    """
    if query.task != "concepts":
        return query
    gold, *distractors = query.concepts
    bare = (
        dataclasses.replace(concept, names=(shown,), relations=())
        for concept in distractors
        if (shown := shown_name(concept))
    )
    return dataclasses.replace(query, concepts=(gold, *bare))
