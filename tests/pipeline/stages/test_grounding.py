import dataclasses
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Grounding
from pipeline.records import Concept, Name, Passage, Question, Reject
from pipeline.stages.grounding import (
    Evidence,
    GeneralConcepts,
    Ground,
    KeepGrounded,
    Lexicon,
    Met,
    ground,
    wanted_keys,
    without_general,
)
from pipeline.stages.tally import REJECTS

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


def question(text: str = "Why?", **more: object) -> Question:
    plain = Question("q", text, "en", (), (), (), "test", "CC0-1.0", ("qa",))
    return dataclasses.replace(plain, **more)


def passage(passage_id: str = "p", **more: object) -> Passage:
    plain = Passage(passage_id, "", "Scabies itches.", (), (), "test", "CC0-1.0", "", ("qa",))
    return dataclasses.replace(plain, **more)


def concept(cui: str, *names: str) -> Concept:
    english = tuple(Name(name, "en", "TST", "PT", f"A{name}", 0, True) for name in names)
    return Concept(cui, english, ("T047",))


@pytest.mark.parametrize(
    ("record", "link", "expected"),
    [
        (question("Is scabies bad?"), True, {"name:scabies", "name:bad"}),
        (question("Is scabies bad?"), False, set()),
        (question("Is scabies bad?", cuis=("C2", "C1")), True, {"cui:C1", "cui:C2"}),
        (question("Krätze?", language="de"), True, set()),
        (question("?", headings=("D001", "Scabies")), True, {"mesh:D001", "name:scabies"}),
        (passage(), True, set()),
        (passage(cuis=("C1",), headings=("D001",)), True, {"cui:C1", "mesh:D001"}),
    ],
)
def test_a_record_asks_for_what_could_ground_it(
    record: Evidence, link: bool, expected: set[str]
) -> None:
    keys = [key for key, _ in wanted_keys(record, link)]
    assert set(keys) >= expected
    assert bool(keys) == bool(expected)
    assert keys == sorted(set(keys))


MET: Met = {
    "cui:C0": ("C1",),  # retired
    "cui:C1": ("C1",),
    "mesh:D001": ("C2",),
    "name:scabies": ("C3",),
    "name:cold": ("C4", "C5"),
    "name:twofold": ("C6", "C7"),
    "mesh:D004": ("C4",),
}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (question("Is scabies bad?", cuis=("C0",), headings=("D001",)), ("C1",)),
        (question("Is scabies bad?", cuis=("C0", "C1")), ("C1",)),
        (question("Is scabies bad?", headings=("D001",)), ("C3",)),
        (question("Is scabies bad?", cuis=("C99",)), ("C3",)),
        (question("Is it bad?", headings=("D001",)), ("C2",)),
        (question("Is a cold bad?", headings=("D004",)), ("C4",)),
        (question("Is a cold bad?", headings=("D001",)), ("C2",)),
        (question("Is a cold bad?"), ()),
        (question("?", headings=("twofold",)), ()),
        (question("?"), ()),
        (passage(cuis=("C0", "C99"), headings=("D001", "D004")), ("C1", "C2", "C4")),
        (passage(), ()),
    ],
)
def test_given_concepts_go_before_linked_ones(record: Evidence, expected: tuple[str, ...]) -> None:
    assert ground(record, MET) == dataclasses.replace(record, cuis=expected)


@pytest.mark.parametrize(
    ("cuis", "expected"),
    [
        (("C1",), ("C1",)),
        (("C1", "C8", "C2", "C9"), ("C1", "C2")),
        (("C8", "C9"), Reject("ground", "q", "only_general_concepts", "C8 C9")),
        ((), Reject("ground", "q", "not_grounded")),
    ],
)
def test_general_concepts_ground_nothing(
    cuis: tuple[str, ...], expected: tuple[str, ...] | Reject
) -> None:
    left = without_general(question(cuis=cuis), ["C9", "C8"])
    assert left == (expected if isinstance(expected, Reject) else question(cuis=expected))


def test_grounding_is_free_of_order(run_graph: RunGraph, counts: Counts) -> None:
    concepts = [concept("C1", "scabies", "the itch"), concept("C2", "disease")]
    retired = [("C0", "C1")]
    passages = [passage(f"p{number}", cuis=("C2",)) for number in range(4)]
    passages += [passage("p8", cuis=("C0",)), passage("p9", cuis=("C77",))]
    questions = [
        question("Is scabies catching?", source_id="q1"),
        question("Which disease is it?", source_id="q2"),
        question("Is this a disease like scabies?", source_id="q3"),
        question("What now?", source_id="q4"),
    ]
    rule = Grounding(max_document_share=0.5, min_documents=1)

    def lay_out(graph: beam.Pipeline) -> Laid:
        past = graph | "Retired" >> beam.Create(retired)
        lexicon = graph | "Concepts" >> beam.Create(concepts) | Lexicon(past)
        grounded = (
            graph | "Passages" >> beam.Create(passages) | "P" >> Ground(lexicon, link_text=False)
        )
        general = grounded | GeneralConcepts(rule)
        kept = (
            graph
            | "Questions" >> beam.Create(questions)
            | "Q" >> Ground(lexicon, link_text=True)
            | KeepGrounded(general)
        )
        return {
            "passages": grounded,
            "general": general,
            "questions": kept.main,
            "rejects": kept[REJECTS],
        }

    found = run_graph(lay_out)
    assert {one.passage_id: one.cuis for one in found["passages"]} == {
        **{f"p{number}": ("C2",) for number in range(4)},
        "p8": ("C1",),
        "p9": (),
    }
    assert found["general"] == ["C2"]
    assert {one.source_id: one.cuis for one in found["questions"]} == {"q1": ("C1",), "q3": ("C1",)}
    assert found["rejects"] == [
        Reject("ground", "q2", "only_general_concepts", "C2"),
        Reject("ground", "q4", "not_grounded"),
    ]
    assert (counts["ground", "in"], counts["ground", "out"]) == (4, 2)
    for given in (concepts, passages, questions):
        given.reverse()
    assert run_graph(lay_out) == found


def test_no_document_is_no_error(run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        return {"general": graph | beam.Create([]) | GeneralConcepts(Grounding())}

    assert run_graph(lay_out) == {"general": []}
