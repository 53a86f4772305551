import dataclasses
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Translation, TranslationRequest, Wording
from pipeline.settings import PlanError
from pipeline.stages.terminology import free_names, no_names
from pipeline.stages.translation import (
    TranslateQueries,
    cut_batches,
    request_of,
    wanted_translations,
)
from translation.base import TERM_MISSING

RunGraph = Callable[..., dict[str, list[Any]]]


def name(text: str, language: str, restriction: int = 0) -> Name:
    return Name(text, language, "MSHGER", "PT", f"A-{text}", restriction, False)


STROKE = Concept(
    "C1",
    (
        name("Stroke", "en"),
        name("Schlaganfall", "de"),
        name("Infarkt, zerebraler", "de"),
        name("Apoplex", "de", 3),
        name("脳卒中", "ja"),
        name("ab", "es"),
        name("Инсульт", "ru", 9),
    ),
    ("T047",),
)
FEVER = Concept("C2", (name("Fever", "en"), name("Fieber", "de")), ("T184",))
ASKED = Query(
    "qa-1",
    "qa",
    "",
    "s",
    "test",
    "source",
    Wording("Does a stroke cause fever?", "en", (), 0),
    (),
    (STROKE, FEVER),
    (),
    "CC0-1.0",
)


@pytest.mark.parametrize(
    ("asked", "language", "expected"),
    [
        # without what a source forbids, and as the name reads in a sentence
        (ASKED, "de", ("Fieber", "Schlaganfall", "zerebraler Infarkt")),
        (ASKED, "ja", ("脳卒中",)),
        (ASKED, "es", ()),  # too short to be told from a part of another word
        (ASKED, "ru", ()),  # a name of SNOMED CT
        (ASKED, "zh", ()),
        # a confusion set or a paraphrase would tell what it asks for
        (dataclasses.replace(ASKED, origin="umls"), "de", ()),
        (dataclasses.replace(ASKED, concepts=()), "de", ()),
    ],
)
def test_names_are_free_fit_and_tell_no_answer(
    asked: Query, language: str, expected: tuple[str, ...]
) -> None:
    assert free_names(asked, language) == expected
    assert no_names(asked, language) == ()


def test_names_travel_with_the_text_only_where_a_plan_wants_them() -> None:
    text, languages = ASKED.original.text, ("en", "ja", "zh")
    plain = [key for key, _ in wanted_translations(ASKED, languages)]
    named = [key for key, _ in wanted_translations(ASKED, languages, free_names)]
    assert plain == [(text, "en", "ja"), (text, "en", "zh")]
    assert named == [(text, "en", "ja", "脳卒中"), (text, "en", "zh")]
    assert [request_of(key, 0.2) for key in named] == [
        TranslationRequest(text, "en", "ja", ("脳卒中",), 0.2),
        TranslationRequest(text, "en", "zh"),
    ]


def test_a_text_that_is_wanted_with_other_names_stays_in_one_batch() -> None:
    keys = [("b", "en", "de"), ("a", "en", "de", "B"), ("a", "en", "de", "A"), ("b", "en", "de")]
    [batch] = cut_batches((("en", "de"), keys))
    assert batch == (("a", "en", "de", "A"), ("a", "en", "de", "B"), ("b", "en", "de"))


def test_a_margin_is_no_less_than_nothing() -> None:
    assert not load_plan("sample").translation.terminology
    with pytest.raises(PlanError, match=r"terminology_margin: -0\.1 is not allowed"):
        load_plan("sample", ["translation.terminology_margin=-0.1"])


def test_a_plan_that_wants_names_says_which_texts_hold_one(run_graph: RunGraph) -> None:
    changes = ['languages=["en", "de", "ru"]', "translation.terminology=true"]
    plan = load_plan("sample", changes)
    english = "What are the symptoms of type 2 diabetes?"
    diabetes = Concept("C3", (name("Typ 2 Diabetes", "de"), name("сахар", "ru")), ("T047",))
    original = Wording(english, "en", (), 0)
    asked = dataclasses.replace(ASKED, original=original, concepts=(diabetes,))
    paraphrase = dataclasses.replace(asked, query_id="qa-2", origin="umls")

    def lay_out(graph: beam.Pipeline) -> dict[str, beam.PCollection]:
        pairs, rejects = graph | beam.Create([asked, paraphrase]) | TranslateQueries(plan)
        return {"flags": pairs | beam.Map(_flags), "rejects": rejects}

    found = run_graph(lay_out)
    assert found["rejects"] == []
    assert found["flags"] == [
        ("qa-1", "de", ()),
        ("qa-1", "en", ()),
        ("qa-1", "ru", (TERM_MISSING,)),
        ("qa-2", "de", ()),
        ("qa-2", "en", ()),
        ("qa-2", "ru", ()),
    ]


def _flags(pair: tuple[Query, Translation]) -> tuple[str, str, tuple[str, ...]]:
    asked, made = pair
    return asked.query_id, made.language, made.flags
