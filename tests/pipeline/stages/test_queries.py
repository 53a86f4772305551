import dataclasses
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import (
    Concept,
    ConfusionSet,
    Definition,
    Distractor,
    Name,
    Query,
    Question,
    Reject,
    Relation,
    Relevance,
    Taint,
    Wording,
)
from pipeline.stages.queries import PoseQueries, other_forms, pose_question, pose_set
from pipeline.stages.tally import REJECTS
from splits.keys import keys_of, text_key
from umls_tools.licence import Gate

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

LANGUAGES = ("en", "de", "ja")


def named(cui: str, *names: tuple[str, str], **more: object) -> Concept:
    ordered = tuple(
        Name(text, language, f"SAB{at}", "PT", f"A{at}", at, at == 0)
        for at, (language, text) in enumerate(names)
    )
    return Concept(cui, ordered, ("T047",), **more)


ITCH = named("C1", ("en", "scabies"), ("en", "the itch"), ("de", "Krätze"))
LICE = named("C2", ("en", "head lice"))
KNOWN = {"C1": ITCH, "C2": LICE}


def question(source_id: str = "q", **more: object) -> Question:
    relevant = (Relevance("p1", 1),)
    plain = Question(source_id, "Why?", "en", ("C1",), (), relevant, "test", "CC0-1.0", ("qa",))
    return dataclasses.replace(plain, **more)


def mined(*distractors: str, gold: str = "C1", tier: str = "hard") -> ConfusionSet:
    return ConfusionSet(
        gold, tier, tuple(Distractor(cui, 0.5, "sibling:S:C9") for cui in distractors)
    )


def test_a_question_is_posed_for_each_of_its_tasks() -> None:
    qa, evidence = pose_question(
        question(cuis=("C2", "C1", "C9"), tasks=("qa", "evidence")), KNOWN, LANGUAGES
    )
    assert isinstance(qa, Query)
    assert isinstance(evidence, Query)
    assert qa == Query(
        query_id=qa.query_id,
        task="qa",
        stratum="",
        source_id="q",
        source="test",
        origin="source",
        original=Wording("Why?", "en", (), 0),
        natives=(),
        concepts=(LICE, ITCH),
        relevant=(Relevance("p1", 1),),
        licence="CC0-1.0",
        unseen=("C9",),
    )
    assert evidence.unseen == ("C9",)
    assert qa.query_id.startswith("qa-")
    assert evidence.query_id == qa.query_id.replace("qa-", "evidence-")


@pytest.mark.parametrize(
    ("posed", "reason", "detail"),
    [
        (question(cuis=("C8", "C9")), "concept_unknown", "C8 C9"),
        (question(language="ru"), "language_not_in_plan", "ru"),
    ],
)
def test_a_question_that_cannot_be_posed(posed: Question, reason: str, detail: str) -> None:
    assert list(pose_question(posed, KNOWN, LANGUAGES)) == [Reject("pose", "q", reason, detail)]


def test_a_set_asks_for_its_gold_by_another_name() -> None:
    (query,) = pose_set(mined("C2"), KNOWN, LANGUAGES)
    assert isinstance(query, Query)
    assert query.original == Wording("the itch", "en", ("SAB1",), 1, "A1", "name")
    assert query.natives == (Wording("Krätze", "de", ("SAB2",), 2, "A2", "name"),)
    assert query.concepts == (ITCH, LICE)
    assert query.relevant == (Relevance("concept-C1", 1),)
    assert (query.task, query.stratum, query.origin) == ("concepts", "hard", "umls")
    (easy,) = pose_set(mined("C2", tier="easy"), KNOWN, LANGUAGES)
    assert isinstance(easy, Query)
    assert easy.query_id != query.query_id


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (named("C1", ("en", "scabies")), None),
        (named("C1", ("de", "Krätze"), ("de", "Skabies")), None),
        (named("C1", ("en", "scabies"), ("en", "SCABIES")), None),
        (
            named("C1", ("en", "scabies"), definitions=(Definition("A mite's burrow.", "D", 0),)),
            "A mite's burrow.",
        ),
        (named("C1", ("en", "scabies"), definitions=(Definition("Scabies.", "D", 0),)), None),
    ],
)
def test_a_set_needs_a_wording_that_does_not_give_it_away(
    gold: Concept, expected: str | None
) -> None:
    (posed,) = pose_set(mined("C2"), KNOWN | {"C1": gold}, LANGUAGES)
    if expected is None:
        assert posed == Reject("pose", "C1 hard", "no_other_wording")
    else:
        assert isinstance(posed, Query)
        assert posed.original.text == expected


def test_what_a_concept_may_be_shown_as_is_kept_from_other_tasks(run_graph: RunGraph) -> None:
    plan = load_plan("sample", ['languages=["en", "de"]'])
    tagged = named("C1", ("en", "scabies (disorder)"), ("es", "sarna (trastorno)"))

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "Concepts" >> beam.Create([tagged])
        posed = (
            graph | "Unposed" >> beam.Create([question()]) | PoseQueries(plan, known, Gate({}, 0))
        )
        return {"queries": posed.main}

    (query,) = run_graph(lay_out)["queries"]
    assert {text_key("scabies"), text_key("sarna")} <= set(keys_of(query))


def test_posing_is_free_of_order(run_graph: RunGraph, counts: Counts) -> None:
    plan = load_plan("sample", ['languages=["en", "de"]'])
    far = (Relation("synonym", "C5", "S"), Relation("parent", "C6", "S"))
    concepts = [dataclasses.replace(ITCH, relations=far), LICE, named("C3", ("en", "ringworm"))]
    unposed = [
        question("q1", cuis=("C1", "C2")),
        question("q2", cuis=("C9",)),
        mined("C2", "C3"),
        mined("C1", "C2", gold="C3"),
    ]

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "Concepts" >> beam.Create(concepts)
        posed = (
            graph | "Unposed" >> beam.Create(unposed) | PoseQueries(plan, known, Gate({"S": 3}, 3))
        )
        return {"queries": posed.main, "rejects": posed[REJECTS]}

    found = run_graph(lay_out)
    assert [(one.task, [c.cui for c in one.concepts]) for one in found["queries"]] == [
        ("concepts", ["C1", "C2", "C3"]),
        ("qa", ["C1", "C2"]),
    ]
    # shown names and the siblings' source; a question shows no UMLS text
    assert [one.taint for one in found["queries"]] == [Taint(("S", "SAB0"), 3), Taint()]
    # what only mining needs does not travel on
    assert {r for q in found["queries"] for c in q.concepts for r in c.relations} == {far[0]}
    assert found["rejects"] == [
        Reject("pose", "C3 hard", "no_other_wording"),
        Reject("pose", "q2", "concept_unknown", "C9"),
    ]
    assert (counts["pose", "in"], counts["pose", "out"]) == (4, 2)
    concepts.reverse()
    unposed.reverse()
    assert run_graph(lay_out) == found


MITES = Definition("A skin disease of mites.", "SAB1", 0)
DEFINED = dataclasses.replace(ITCH, definitions=(MITES,))
TEMPLATE = "What causes Scabies ?"


def test_the_other_form_of_a_question_is_a_query_of_its_own(counts: Counts) -> None:
    (posed,) = pose_question(question(text=TEMPLATE), {"C1": DEFINED}, LANGUAGES)
    (other,) = other_forms(posed)
    assert isinstance(posed, Query)
    text = "What causes the condition described as: A skin disease of mites?"
    assert other.original == Wording(text, "en", ("SAB1",), 0)
    assert (other.source_id, other.origin) == ("q::described", "umls")
    assert other.query_id != posed.query_id
    kept = ("task", "concepts", "relevant", "licence", "unseen")
    assert all(getattr(other, name) == getattr(posed, name) for name in kept)
    shared = set(keys_of(posed)) & set(keys_of(other))
    assert set(keys_of(posed)) - shared == {text_key(TEMPLATE)}
    assert counts == {("pose", "in"): 1, ("pose", "note: paraphrased"): 1}


@pytest.mark.parametrize(
    ("asked", "known", "note"),
    [
        (question(), DEFINED, "follows no template"),
        (question(text=TEMPLATE), ITCH, "no definition of the concept"),
        (question(text=TEMPLATE, language="de"), DEFINED, ""),
        (question(text="", cuis=("C1",)), DEFINED, ""),  # a Reject has no other form
    ],
)
def test_not_every_question_has_another_form(
    asked: Question, known: Concept, note: str, counts: Counts
) -> None:
    (posed,) = pose_question(asked, {"C1": known}, LANGUAGES)
    assert list(other_forms(posed)) == []
    assert counts == ({("pose", f"note: not paraphrased: {note}"): 1} if note else {})


@pytest.mark.parametrize(("setting", "expected"), [("none", 1), ("definition", 2)])
def test_other_forms_are_added_where_the_plan_says_so(
    setting: str, expected: int, run_graph: RunGraph, counts: Counts
) -> None:
    plan = load_plan("sample", [f"grounding.paraphrase={setting}"])

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "Concepts" >> beam.Create([DEFINED])
        unposed = graph | "Unposed" >> beam.Create([question(text=TEMPLATE)])
        return {"queries": (unposed | PoseQueries(plan, known, Gate({}, 0))).main}

    assert len(run_graph(lay_out)["queries"]) == expected
    assert (counts["pose", "in"], counts["pose", "out"]) == (expected, expected)
