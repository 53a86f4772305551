import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Grounding
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Passage, Question
from pipeline.stages.lexicon import (
    Evidence,
    GatherLexicon,
    entries_of,
    retired_entries,
    wanted_by,
    words_in,
)
from umls_tools.linking import KeyTable, Lexicon, Sense, fingerprint

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]


def question(text: str = "Why?", **more: object) -> Question:
    plain = Question("q", text, "en", (), (), (), "test", "CC0-1.0", ("qa",))
    return dataclasses.replace(plain, **more)


def passage(passage_id: str = "p", **more: object) -> Passage:
    plain = Passage(passage_id, "", "Scabies itches.", (), (), "test", "CC0-1.0", "", ("qa",))
    return dataclasses.replace(plain, **more)


def concept(cui: str, *names: str, semantic_type: str = "T047") -> Concept:
    english = tuple(Name(name, "en", "TST", "PT", f"A{name}", 0, True) for name in names)
    return Concept(cui, english, (semantic_type,))


def table(*keys: str) -> KeyTable:
    made = KeyTable.empty()
    made.add(map(fingerprint, keys))
    return made


UNLINKED = Grounding(link_text=False)
LINKED = Grounding()
ALL = Grounding(link_passages=True)


@pytest.mark.parametrize(
    ("record", "rule", "expected"),
    [
        (question("Is a cold bad?"), LINKED, "a|a cold|a cold bad|cold|cold bad|bad"),
        (question("Is a cold bad?"), UNLINKED, ""),
        (question("Is it scabies?", cuis=("C2",)), LINKED, "cui:C2|scabies|scaby"),
        (question("Is it scabies?", cuis=("C0000002",)), LINKED, "cui:C0000002"),
        (question("Krätze?", language="de"), LINKED, ""),
        (question("?", headings=("D001", "Scabies")), LINKED, "mesh:D001|scabies"),
        (passage(), LINKED, ""),
        (passage(), ALL, "scabies|scabies itches|scabies itch|scaby|itches|itch"),
        (passage(cuis=("C1",), headings=("D001",)), ALL, "cui:C1|mesh:D001"),
        (passage(title="Bad", text="Cold"), ALL, "bad|cold"),
    ],
)
def test_a_record_asks_for_what_could_ground_it(
    record: Evidence, rule: Grounding, expected: str
) -> None:
    keys = [key if ":" in key else f"name:{key}" for key in expected.split("|") if key]
    assert set(wanted_by(record, rule)) == set(map(fingerprint, keys))


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
    wanted = table("cui:C1", "mesh:D001", "name:migraine")
    entries = list(entries_of(Concept("C1", (heading,), ("T047",)), groups, wanted))
    assert [key for key, _ in entries] == expected
    assert {sense.cui for _, sense in entries} == {"C1"}


@pytest.mark.parametrize(("wanted", "expected"), [("cui:C0", [("cui:C0", "C1")]), ("cui:C1", [])])
def test_a_retired_cui_leads_to_the_present_one(
    wanted: str, expected: list[tuple[str, str]]
) -> None:
    entries = retired_entries(("C0", "C1"), table(wanted))
    assert [(key, sense.cui) for key, sense in entries] == expected


def test_words_stand_for_their_singular_too() -> None:
    asked = question("What are the symptoms? Symptoms!")
    assert [word for _, word in words_in(asked)] == ["symptom", "symptoms"]


TEXTS = ["Symptoms of croup?", "Is a symptom itching?", "Symptoms now?", "Is it croup?"]


@pytest.mark.parametrize(
    ("share", "least", "expected"),
    [
        (0.5, 1, {"cui:C1", "name:croup"}),
        (0.75, 1, {"cui:C1", "name:croup", "name:symptom"}),
        (0.1, 1, {"cui:C1"}),
        (0.1, 2, {"cui:C1", "name:croup"}),
        (0.1, 3, {"cui:C1", "name:croup", "name:symptom"}),
    ],
)
def test_the_lexicon_holds_what_is_asked_for_but_stop_words(
    share: float, least: int, expected: set[str], run_graph: RunGraph
) -> None:
    rule = Grounding(max_word_share=share, min_documents=least)
    plan = dataclasses.replace(load_plan("sample"), grounding=rule)
    concepts = [concept("C1", "croup"), concept("C2", "symptom"), concept("C3", "asthma")]
    asked = [question(text, source_id=text) for text in TEXTS]
    found = run_graph(functools.partial(_gather, plan, concepts, asked))
    (lexicon,) = found["lexicon"]
    assert isinstance(lexicon, Lexicon)
    assert set(lexicon.senses) == expected
    assert lexicon.senses["cui:C1"] == (Sense("C1"),)


def _gather(
    plan: object, concepts: list[Concept], asked: list[Question], graph: beam.Pipeline
) -> Laid:
    read = graph | "Passages" >> beam.Create([passage(cuis=("C1",))])
    questions = graph | "Questions" >> beam.Create(asked)
    past = graph | "Retired" >> beam.Create([])
    known = graph | "Concepts" >> beam.Create(concepts)
    return {"lexicon": known | GatherLexicon(plan, past, (read, questions))}
