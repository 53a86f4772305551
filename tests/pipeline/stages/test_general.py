import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Grounding
from pipeline.records import Passage, Question
from pipeline.release.layout import WORK
from pipeline.stages.general import GeneralConcepts, read_general, write_general

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]


def question(text: str = "Why?", **more: object) -> Question:
    plain = Question("q", text, "en", (), (), (), "test", "CC0-1.0", ("qa",))
    return dataclasses.replace(plain, **more)


def passage(passage_id: str = "p", **more: object) -> Passage:
    plain = Passage(passage_id, "", "Scabies itches.", (), (), "test", "CC0-1.0", "", ("qa",))
    return dataclasses.replace(plain, **more)


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
    tmp_path: Path,
) -> None:
    (tmp_path / WORK).mkdir()
    rule = Grounding(max_document_share=0.5, min_documents=1)
    texts = [passage(source=source, cuis=(cui,)) for source, cui in passages]
    asked = [question(source=source, cuis=(cui,)) for source, cui in questions]

    def lay_out(graph: beam.Pipeline) -> Laid:
        both = (graph | "P" >> beam.Create(texts), graph | "Q" >> beam.Create(asked))
        return {"general": both | GeneralConcepts(rule, str(tmp_path))}

    assert run_graph(lay_out) == {"general": expected}


def test_no_document_is_no_error(run_graph: RunGraph, tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()

    def lay_out(graph: beam.Pipeline) -> Laid:
        both = (graph | "P" >> beam.Create([]), graph | "Q" >> beam.Create([]))
        return {"general": both | GeneralConcepts(Grounding(), str(tmp_path))}

    assert run_graph(lay_out) == {"general": []}
    assert read_general(tmp_path) == {}


def test_the_list_tells_where_a_concept_is_too_common(tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()
    counted = [("C2", "passages", 9), ("C1", "medquad questions", 3), ("C2", "b questions", 4)]
    write_general(counted, str(tmp_path))
    assert read_general(tmp_path) == {
        "C1": {"medquad questions": 3},
        "C2": {"b questions": 4, "passages": 9},
    }
