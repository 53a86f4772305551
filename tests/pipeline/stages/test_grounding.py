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
    entries_of,
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


def concept(cui: str, *names: str, semantic_type: str = "T047") -> Concept:
    english = tuple(Name(name, "en", "TST", "PT", f"A{name}", 0, True) for name in names)
    return Concept(cui, english, (semantic_type,))


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
    "mesh:D003": ("C3",),
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
        # a name that no heading bears out is not taken
        (question("Is scabies bad?", headings=("D001",)), ("C2",)),
        (question("Is scabies bad?", headings=("D003", "D001")), ("C3",)),
        (question("Is scabies bad?", headings=("D999",)), ()),
        (question("Is scabies bad?"), ("C3",)),
        (question("Is it bad?", headings=("D001", "D003")), ("C2", "C3")),
        # what the lexicon does not know is kept, if it is a CUI at all
        (question("Is scabies bad?", cuis=("C0000099",)), ("C0000099",)),
        (question("Is scabies bad?", cuis=("CL123456",)), ("CL123456",)),
        (question("Is scabies bad?", cuis=("C0000099", "C0")), ("C0000099", "C1")),
        (question("Is scabies bad?", cuis=("C0000099",), headings=("D001",)), ("C0000099",)),
        (question("Is scabies bad?", cuis=("C99",)), ("C3",)),
        (question("Is it bad?", headings=("D001",)), ("C2",)),
        (question("Is a cold bad?", headings=("D004",)), ("C4",)),
        (question("Is a cold bad?", headings=("D001",)), ("C2",)),
        (question("Is a cold bad?"), ()),
        (question("?", headings=("twofold",)), ()),
        (question("?"), ()),
        (passage(cuis=("C0", "C0000099"), headings=("D001", "D004")), ("C1", "C2", "C4")),
        (passage(), ()),
    ],
)
def test_given_concepts_go_before_linked_ones(record: Evidence, expected: tuple[str, ...]) -> None:
    assert ground(record, MET) == dataclasses.replace(record, cuis=expected)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (("DISO",), ["cui:C1", "mesh:D001", "name:migraine"]),
        (("CHEM", "DISO"), ["cui:C1", "mesh:D001", "name:migraine"]),
        (("CHEM",), ["cui:C1", "mesh:D001"]),
        ((), ["cui:C1", "mesh:D001"]),
    ],
)
def test_names_link_only_to_the_plan_s_groups(groups: tuple[str, ...], expected: list[str]) -> None:
    heading = Name("Migraine", "en", "MSH", "MH", "A1", 0, True, code="D001")
    entries = list(entries_of(Concept("C1", (heading,), ("T047",)), groups))
    assert entries == [(key, "C1") for key in expected]


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
    concepts = [
        concept("C1", "scabies", "the itch"),
        concept("C2", "disease"),
        concept("C3", "catching", semantic_type="T169"),
    ]
    retired = [("C0", "C1")]
    passages = [passage(f"p{number}", cuis=("C2",)) for number in range(4)]
    passages += [passage("p8", cuis=("C0",)), passage("p9", cuis=("C77",))]
    questions = [
        question("Is scabies catching?", source_id="q1"),
        question("Which disease is it?", source_id="q2"),
        question("Is this a disease like scabies?", source_id="q3"),
        question("What now?", source_id="q4"),
        question("Is it that?", source_id="q5", cuis=("C0000077",)),
    ]
    rule = Grounding(max_document_share=0.5, min_documents=1)

    def lay_out(graph: beam.Pipeline) -> Laid:
        past = graph | "Retired" >> beam.Create(retired)
        lexicon = graph | "Concepts" >> beam.Create(concepts) | Lexicon(past, ("DISO",))
        grounded = (
            graph | "Passages" >> beam.Create(passages) | "P" >> Ground(lexicon, link_text=False)
        )
        linked = (
            graph | "Questions" >> beam.Create(questions) | "Q" >> Ground(lexicon, link_text=True)
        )
        general = (grounded, linked) | GeneralConcepts(rule)
        kept = linked | KeepGrounded(general)
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
    assert {one.source_id: one.cuis for one in found["questions"]} == {
        "q1": ("C1",),
        "q3": ("C1",),
        "q5": ("C0000077",),
    }
    assert found["rejects"] == [
        Reject("ground", "q2", "only_general_concepts", "C2"),
        Reject("ground", "q4", "not_grounded"),
    ]
    assert (counts["ground", "in"], counts["ground", "out"]) == (5, 3)
    for given in (concepts, passages, questions):
        given.reverse()
    assert run_graph(lay_out) == found


@pytest.mark.parametrize(
    ("passages", "questions", "expected"),
    [
        # a passage's source does not matter: two of four documents
        ([("a", "C1"), ("a", "C2"), ("b", "C1"), ("b", "C3")], [], []),
        ([("a", "C1"), ("a", "C1"), ("b", "C1"), ("b", "C3")], [], ["C1"]),
        # three of a small source's four questions, and of eight in all
        (
            [],
            [("a", f"C{n}") for n in range(2, 6)] + [("b", "C1")] * 3 + [("b", "C9")],
            ["C1"],
        ),
        # two of each source's four questions: neither alone is more than half
        ([], [(source, cui) for source in "ab" for cui in ("C1", "C1", "C2", "C3")], []),
        # what is general to both is so once
        ([("a", "C1")] * 3, [("a", "C1")] * 3, ["C1"]),
    ],
)
def test_a_small_source_has_general_concepts_of_its_own(
    passages: list[tuple[str, str]],
    questions: list[tuple[str, str]],
    expected: list[str],
    run_graph: RunGraph,
) -> None:
    rule = Grounding(max_document_share=0.5, min_documents=1)
    texts = [passage(source=source, cuis=(cui,)) for source, cui in passages]
    asked = [question(source=source, cuis=(cui,)) for source, cui in questions]

    def lay_out(graph: beam.Pipeline) -> Laid:
        both = (graph | "P" >> beam.Create(texts), graph | "Q" >> beam.Create(asked))
        return {"general": both | GeneralConcepts(rule)}

    assert run_graph(lay_out) == {"general": expected}


def test_no_document_is_no_error(run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        both = (graph | "P" >> beam.Create([]), graph | "Q" >> beam.Create([]))
        return {"general": both | GeneralConcepts(Grounding())}

    assert run_graph(lay_out) == {"general": []}
