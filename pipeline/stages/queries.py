"""Grounded questions and confusion sets → candidate queries that carry their concepts."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import DEFINITION, Plan
from pipeline.records import (
    Concept,
    ConfusionSet,
    Query,
    Question,
    Reject,
    Relevance,
    Taint,
    Wording,
)
from pipeline.schemas import concept_document_id
from pipeline.stages.tally import TAKEN, CountIn, SetAside, count, note
from pipeline.text import content_id, normalise
from splits.keys import CLOSE_RELATIONS, DESCRIBED
from umls_tools.confusion.shown import shown_name
from umls_tools.confusion.taint import taint_of
from umls_tools.confusion.wordings import english_query, native_query
from umls_tools.licence import Gate
from umls_tools.naming.judging import with_repaired_names
from umls_tools.paraphrase import describe

STAGE = "pose"

Unposed = Question | ConfusionSet


class PoseQueries(beam.PTransform):
    """Questions and confusion sets → queries, with rejects set aside."""

    def __init__(self, plan: Plan, concepts: beam.PCollection, gate: Gate) -> None:
        super().__init__()
        self.plan = plan
        self.concepts = concepts
        self.gate = gate

    @no_annotations
    def expand(self, unposed: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`."""
        wanted = unposed | "Wanted" >> beam.FlatMap(_wanted)
        known = self.concepts | "By CUI" >> beam.Map(_by_cui)
        met = (
            {"wanted": wanted, "known": known}
            | "Meet" >> beam.CoGroupByKey()
            | "Hand out" >> beam.FlatMap(_hand_out)
        )
        waiting = unposed | CountIn(STAGE) | "By id" >> beam.Map(_by_id)
        return (
            {"waiting": waiting, "concepts": met}
            | "Gather" >> beam.CoGroupByKey()
            | "Pose" >> beam.FlatMap(_pose_group, self.plan, self.gate)
            | SetAside(STAGE)
        )


def pose_question(
    question: Question, concepts: Mapping[str, Concept], languages: tuple[str, ...]
) -> Iterator[Query | Reject]:
    """A question as a candidate of each task that its source may serve."""
    if not normalise(question.text):
        yield Reject(STAGE, question.source_id, "no_text")
        return
    known = tuple(concepts[cui] for cui in question.cuis if cui in concepts)
    unseen = tuple(cui for cui in question.cuis if cui not in concepts)
    if not known:
        yield Reject(STAGE, question.source_id, "concept_unknown", " ".join(question.cuis))
        return
    if question.language not in languages:
        yield Reject(STAGE, question.source_id, "language_not_in_plan", question.language)
        return
    for task in question.tasks:
        yield Query(
            query_id=f"{task}-{content_id(question.source_id)}",
            task=task,
            stratum="",
            source_id=question.source_id,
            source=question.source,
            origin="source",
            original=Wording(question.text, question.language, (), 0),
            natives=(),
            concepts=known,
            relevant=question.relevant,
            licence=question.licence,
            unseen=unseen,
        )


def other_forms(posed: Query | Reject) -> Iterator[Query]:
    """An English question asked once more, by the definition of its focus, if there is one."""
    if isinstance(posed, Reject) or posed.original.language != "en":
        return
    wording = describe(posed.original.text, posed.concepts)
    if isinstance(wording, str):
        note(STAGE, f"not paraphrased: {wording}")
        return
    count(STAGE, TAKEN)
    note(STAGE, "paraphrased")
    source_id = posed.source_id + DESCRIBED
    query_id = f"{posed.task}-{content_id(source_id)}"
    yield dataclasses.replace(
        posed, query_id=query_id, source_id=source_id, origin="umls", original=wording
    )


def pose_set(
    mined: ConfusionSet, concepts: Mapping[str, Concept], languages: tuple[str, ...]
) -> Iterator[Query | Reject]:
    """A confusion set as a query for its gold: a synonym in English, native names elsewhere."""
    gold = concepts[mined.gold]
    shown = shown_name(gold)
    original = english_query(gold, shown.text) if shown else None
    if shown is None or original is None:
        yield Reject(STAGE, f"{mined.gold} {mined.tier}", "no_other_wording")
        return
    others = (native_query(gold, one, shown.text) for one in languages if one != "en")
    yield Query(
        query_id=f"concepts-{content_id(_id(mined))}",
        task="concepts",
        stratum=mined.tier,
        source_id=f"umls:{mined.gold}",
        source="umls",
        origin="umls",
        original=original,
        natives=tuple(wording for wording in others if wording),
        concepts=(gold, *(concepts[one.cui] for one in mined.distractors)),
        relevant=(Relevance(concept_document_id(mined.gold), 1),),
        licence="",
        distractors=mined.distractors,
        excluded=mined.excluded,
    )


def _tainted(posed: Query | Reject, taint: Taint) -> Query | Reject:
    return posed if isinstance(posed, Reject) else dataclasses.replace(posed, taint=taint)


def _cuis(unposed: Unposed) -> tuple[str, ...]:
    if isinstance(unposed, Question):
        return unposed.cuis
    return (unposed.gold, *(one.cui for one in unposed.distractors))


def _id(unposed: Unposed) -> str:
    """What tells a set: its gold, its tier, and who stands around the gold."""
    if isinstance(unposed, Question):
        return unposed.source_id
    others = " ".join(sorted(one.cui for one in unposed.distractors))
    return f"{unposed.gold} {unposed.tier} {content_id(others)}"


def _by_id(unposed: Unposed) -> tuple[str, Unposed]:
    return _id(unposed), unposed


def _wanted(unposed: Unposed) -> Iterator[tuple[str, str]]:
    for cui in _cuis(unposed):
        yield cui, _id(unposed)


def _by_cui(concept: Concept) -> tuple[str, Concept]:
    """The concept without what no query needs: definitions have become wordings if any."""
    close = tuple(one for one in concept.relations if one.kind in CLOSE_RELATIONS)
    return concept.cui, dataclasses.replace(concept, relations=close)


def _hand_out(
    group: tuple[str, Mapping[str, Iterable[Any]]],
) -> Iterator[tuple[str, Concept]]:
    """Every concept wanted, once for each; tasks are kept apart by what it may be shown as, too."""
    _, sides = group
    wanted = sorted(set(sides["wanted"]))
    for concept in sides["known"] if wanted else ():
        named = with_repaired_names(concept)
        yield from ((unposed_id, named) for unposed_id in wanted)


def _pose_group(
    group: tuple[str, Mapping[str, Iterable[Any]]], plan: Plan, gate: Gate
) -> Iterator[Query | Reject]:
    _, sides = group
    concepts = {concept.cui: concept for concept in sides["concepts"]}
    for unposed in sides["waiting"]:
        if isinstance(unposed, Question):
            posed_so_far = list(pose_question(unposed, concepts, plan.languages))
            yield from posed_so_far
            if plan.grounding.paraphrase == DEFINITION:
                yield from (form for one in posed_so_far for form in other_forms(one))
        else:
            taint = taint_of(unposed, concepts, gate.levels)
            for posed in pose_set(unposed, concepts, plan.languages):
                yield _tainted(posed, taint)
