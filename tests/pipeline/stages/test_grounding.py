import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Grounding
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Passage, Question, Reject
from pipeline.release.layout import WORK
from pipeline.stages.general import GeneralConcepts, read_general
from pipeline.stages.grounding import Ground, KeepGrounded, ground, without_general
from pipeline.stages.lexicon import Evidence, GatherLexicon
from pipeline.stages.tally import REJECTS
from umls_tools.linking import Lexicon, Sense

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


KNOWN = {
    "cui:C0": ["C1"],  # retired
    "cui:C1": ["C1"],
    "mesh:D001": ["C2"],
    "mesh:D003": ["C3"],
    "name:scabies": ["C3"],
    "name:cold": ["C4", "C5"],
    "name:twofold": ["C6", "C7"],
    "mesh:D004": ["C4"],
}
LEXICON = Lexicon.of((key, Sense(cui)) for key, cuis in KNOWN.items() for cui in cuis)


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
    assert ground(record, LEXICON, Grounding()) == dataclasses.replace(record, cuis=expected)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (passage(), ("C3",)),
        (passage(title="The cold", text="It is not twofold."), ()),
        (passage(title="Scabies", text="It itches."), ("C3",)),
        (passage(title="Sca", text="bies"), ()),
        (passage(cuis=("C1",)), ("C1",)),
        (passage(headings=("D001",)), ("C2",)),
        (passage(headings=("D999",)), ()),
        (question("Is scabies bad?"), ()),
    ],
)
def test_passages_are_linked_where_the_plan_asks(
    record: Evidence, expected: tuple[str, ...]
) -> None:
    rule = Grounding(link_text=False, link_passages=True)
    assert ground(record, LEXICON, rule) == dataclasses.replace(record, cuis=expected)


def test_what_becomes_of_names_is_counted(counts: Counts) -> None:
    for text in ("Scabies or a cold?", "Scabies?", "Scabies, twofold?"):
        ground(question(text), LEXICON, Grounding())
    ground(question("A cold?", headings=("D004",)), LEXICON, Grounding())
    assert {kind: number for (stage, kind), number in counts.items() if stage == "ground"} == {
        "note: names of one concept": 3,
        "note: ambiguous names dropped": 2,
        "note: ambiguous names told by heading": 1,
    }


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


def test_grounding_is_free_of_order(run_graph: RunGraph, counts: Counts, tmp_path: Path) -> None:
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
    rule = Grounding(max_document_share=0.5, min_documents=1, max_word_share=0.5)
    plan = dataclasses.replace(load_plan("sample"), grounding=rule)
    (tmp_path / WORK).mkdir()

    def lay_out(graph: beam.Pipeline) -> Laid:
        past = graph | "Retired" >> beam.Create(retired)
        read = graph | "Passages" >> beam.Create(passages)
        asked = graph | "Questions" >> beam.Create(questions)
        known = graph | "Concepts" >> beam.Create(concepts)
        lexicon = known | GatherLexicon(plan, past, (read, asked))
        grounded = read | "P" >> Ground(lexicon, rule)
        linked = asked | "Q" >> Ground(lexicon, rule)
        general = (grounded, linked) | GeneralConcepts(rule, str(tmp_path))
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
    assert read_general(tmp_path) == {"C2": {"passages": 4}}
    for given in (concepts, passages, questions):
        given.reverse()
    assert run_graph(lay_out) == found
