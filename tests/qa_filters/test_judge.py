"""Candidates of queries, verdicts in order, and reasons."""

import math
import pickle
from dataclasses import replace

import pytest

from pipeline.records import Concept, Name, Query, Translation, Wording
from qa_filters.base import Candidate, FilterError, candidate_of
from qa_filters.filters import standard_filters
from qa_filters.judge import judge, reasons


def concept(cui: str, english: str, spanish: str) -> Concept:
    names = (
        Name(english, "en", "MSH", "MH", f"A{cui}", 0, True),
        Name(spanish, "es", "MSHSPA", "MH", f"B{cui}", 0, True),
    )
    return Concept(cui, names, ("T047",))


QUERY = Query(
    query_id="concepts-1",
    task="concepts",
    stratum="hard",
    source_id="s1",
    source="umls",
    origin="umls",
    original=Wording("heart attack", "en", ("MSH",), 0),
    natives=(),
    concepts=(
        concept("C1", "heart attack", "infarto de miocardio"),
        concept("C2", "angina", "angina de pecho"),
    ),
    relevant=(),
    licence="open",
)
GOOD = Translation(
    "infarto de miocardio", "es", "mt", "nllb", "m", "r", "heart attack", flags=("slow",)
)


def test_a_confusion_set_is_judged_by_its_gold_alone() -> None:
    posed = candidate_of(QUERY, GOOD)
    assert posed.kind == "term"
    assert posed.source_names == ("heart attack",)
    assert posed.target_names == ("infarto de miocardio",)
    assert posed.flags == ("slow",)
    question = candidate_of(replace(QUERY, task="qa"), GOOD)
    assert question.kind == "question"
    assert question.source_names == ("heart attack", "angina")


def test_an_unknown_language_stops_with_its_name_and_the_known_ones() -> None:
    with pytest.raises(FilterError, match=r"concepts-1: unknown language 'xx'; known are de, en"):
        candidate_of(QUERY, replace(GOOD, language="xx"))


def test_every_filter_gives_its_verdict_in_order_of_names() -> None:
    filters = dict(reversed(standard_filters().items()))
    judged = judge(QUERY, GOOD, filters)
    assert [verdict.filter for verdict in judged.verdicts] == sorted(standard_filters())
    assert judged.accepted
    assert reasons(judged) == ()


def test_reasons_name_all_filters_that_refuse() -> None:
    filters = standard_filters()
    judged = judge(QUERY, replace(GOOD, text="...", flags=("empty",), back_translation=""), filters)
    assert reasons(judged) == ("flags", "markup")
    abstaining = [verdict for verdict in judged.verdicts if math.isnan(verdict.score)]
    assert abstaining
    assert all(verdict.accepted for verdict in abstaining)


def test_an_english_wording_passes_as_it_is() -> None:
    filters = standard_filters()
    original = Translation("heart attack", "en", "source")
    assert judge(QUERY, original, filters).accepted


def test_filters_and_candidates_survive_pickling() -> None:
    filters = standard_filters()
    assert pickle.loads(pickle.dumps(filters)) == filters
    posed = candidate_of(QUERY, GOOD)
    copied: Candidate = pickle.loads(pickle.dumps(posed))
    assert copied == posed
