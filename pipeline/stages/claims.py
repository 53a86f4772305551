"""Candidate queries → those whose task owns all that they hold."""

import dataclasses
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import Query, Reject
from pipeline.release.layout import WORK
from pipeline.stages.tally import CountIn, SetAside, note
from splits.candidates import Candidate, Slot, candidate_of
from splits.claim import Claim, claim
from splits.classes import Classes, classes_of, with_classes
from splits.near_duplicates import pairs
from splits.shares import Shares
from umls_tools.confusion.shown import shown_name
from umls_tools.semantic_types import group_of

STAGE = "claim"

_FILE = "claim.json"

Compact = tuple[Candidate, str, str]  # with language and text, to find near duplicates
# None for what is claimed, a reserve's turn, or the reject.
Ruling = tuple[str, Reject | int | None]


@dataclass(frozen=True, slots=True)
class Reserve:
    """A query that may be called if the filters leave its quota short, and its turn, from 0."""

    turn: int
    query: Query


class ClaimConcepts(beam.PTransform):
    """Queries → those that are claimed, more than the quotas ask for, with reserves and rejects.

    One worker decides over the whole pool, of which it sees keys and texts alone. How far the
    quotas were filled, and what stood in the way, is written for the manifest.
    """

    def __init__(self, plan: Plan, folder: str) -> None:
        super().__init__()
        self.plan = plan
        self.folder = folder

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
            | "Claim" >> beam.FlatMap(claim_and_tell, self.plan, self.folder)
        )
        by_id = queries | "By id" >> beam.Map(_by_id)
        kept = (
            {"queries": by_id, "decided": decided}
            | "Gather" >> beam.CoGroupByKey()
            | "Keep" >> beam.FlatMap(_keep)
        )
        reserves = kept | "Reserves" >> beam.FlatMap(_reserves)
        ruled = kept | "Ruled" >> beam.FlatMap(_ruled) | SetAside(STAGE)
        return ruled.main, reserves, ruled.rejects


def claim_and_tell(
    group: tuple[int, Iterable[Compact]], plan: Plan, folder: str
) -> Iterator[Ruling]:
    """Claim the pool, and write what the manifest says of it."""
    pool = list(group[1])
    classes = _classes(pool, plan)
    outcome = _decided(pool, plan, classes)
    said = told(outcome, asked(plan)) | {"classes": classes.report()}
    Path(folder, WORK, _FILE).write_text(json.dumps(said), "utf-8")
    yield from rulings(outcome)


def claim_pool(group: tuple[int, Iterable[Compact]], plan: Plan) -> Iterator[Ruling]:
    """For each query's id: None where it is claimed, its turn as a reserve, or its reject."""
    yield from rulings(decide(group[1], plan))


def decide(compacts: Iterable[Compact], plan: Plan) -> Claim:
    """Share the pool out as the plan asks."""
    pool = list(compacts)
    return _decided(pool, plan, _classes(pool, plan))


def _classes(pool: Iterable[Compact], plan: Plan) -> Classes:
    """Over the relations of all candidates at once."""
    return classes_of([candidate for candidate, _, _ in pool], plan.overlap.class_size)


def _decided(compacts: Iterable[Compact], plan: Plan, classes: Classes) -> Claim:
    pool = sorted(compacts, key=lambda compact: compact[0].candidate_id)
    shares = {
        slot: Shares(task.language_shares, task.group_shares)
        for slot, task in plan.quotas.items()
        if task.language_shares or task.group_shares
    }
    candidates = with_classes((candidate for candidate, _, _ in pool), classes)
    return claim(candidates, asked(plan), plan.seed, _conflicts(pool, plan), shares)


def asked(plan: Plan) -> dict[Slot, int]:
    """How many candidates each task or tier may claim: some will be refused later."""
    return {slot: math.ceil(task.quota * task.factor) for slot, task in sorted(plan.quotas.items())}


def rulings(outcome: Claim) -> Iterator[Ruling]:
    """What became of each candidate; contended keys are counted."""
    for kind, number in outcome.contended.items():
        note(STAGE, f"contended {kind}", number)
    for query_id in outcome.accepted:
        yield query_id, None
    for reserves in outcome.reserves.values():
        yield from ((query_id, turn) for turn, query_id in enumerate(reserves))
    for reject in outcome.rejects:
        yield reject.key, reject


def told(outcome: Claim, quotas: Mapping[Slot, int]) -> dict[str, dict[str, Any]]:
    """For the manifest, by task or tier: asked, claimed, by part; and of a shortfall the causes.

    `barred_by` counts candidates by kind of key and the task that owns it, or by their reason;
    `contended` names the keys that barred most. Classes of concepts are told beside it.
    """
    entries: dict[str, dict[str, Any]] = {}
    for slot, quota in sorted(quotas.items()):
        entry: dict[str, Any] = {"asked": quota, "claimed": quota - outcome.shortfall[slot]}
        parts = {part: number for part, number in outcome.parts.get(slot, {}).items() if part}
        entry |= {"parts": parts} if parts else {}
        if contention := outcome.contention.get(slot):
            entry |= {"barred_by": dict(contention.causes), "contended": dict(contention.keys)}
        entries["-".join(filter(None, slot))] = entry
    return entries


def read_claim(folder: Path) -> dict[str, dict[str, Any]]:
    """What a build's claim has to say; nothing where there was no candidate."""
    path = folder / WORK / _FILE
    found: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


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
    types = query.concepts[0].semantic_types if query.concepts else ()
    candidate = candidate_of(query, group=group_of(types))
    return candidate, query.original.language, query.original.text


def _one_group(_: Compact) -> int:
    return 0


def _by_id(query: Query) -> tuple[str, Query]:
    return query.query_id, query


def _reserves(kept: Query | Reserve | Reject) -> Iterator[Reserve]:
    if isinstance(kept, Reserve):
        yield kept


def _ruled(kept: Query | Reserve | Reject) -> Iterator[Query | Reject]:
    if not isinstance(kept, Reserve):
        yield kept


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
