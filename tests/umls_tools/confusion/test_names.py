"""What a concept is shown as, what it is asked for with, and how alike two names are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Concept, Definition, Name
from pipeline.text import normalise
from umls_tools.confusion.keys import wording_key
from umls_tools.confusion.shown import shown_name, why_not_shown
from umls_tools.confusion.similarity import (
    alike,
    cosine,
    looks_alike,
    orthographic,
    orthographic_to_each,
)
from umls_tools.confusion.wordings import english_query, native_query


def name(text: str, language: str = "en", source: str = "ONE", level: int = 0) -> Name:
    return Name(text, language, source, "PT", f"A{text}{source}", level, preferred=False)


def concept(*names: Name, definition: str = "", types: tuple[str, ...] = ("T047",)) -> Concept:
    definitions = (Definition(definition, "DEF", 0),) if definition else ()
    return Concept("C0000001", names, types, definitions)


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["Anemia", "Low blood"], "Anemia"),
        (["COPD", "Chronic obstructive lung disease"], "Chronic obstructive lung disease"),
        (["COPD"], "COPD"),
        (["McArdle", "Muscle phosphorylase deficiency"], "McArdle"),
        (["Cold (disorder)", "Cold [Ambiguous]", "Common cold"], "Common cold"),
        (["Cold (disorder)", "Cold [Ambiguous]", "COLD"], "Cold"),
        (["PARACETAMOL", "CROHN DISEASE"], "paracetamol"),
        (["E11.9", "DOID:1234", "73211009", "Diabetes"], "Diabetes"),
        (["Other diseases of ear", "Ear disease, unspecified", "Ear disease NOS"], None),
        (["x" * 81, "ab", "--- ---"], None),
        ([], None),
    ],
)
def test_shows_the_first_fit_english_name(texts: list[str], shown: str | None) -> None:
    found = shown_name(concept(name("Anämie", "de"), *(name(text) for text in texts)))
    assert (found and found.text) == shown


@pytest.mark.parametrize(
    ("given_concept", "general", "reason"),
    [
        (concept(name("Anemia")), (), ""),
        (concept(name("Anemia")), ("C0000001",), "general"),
        (concept(name("Anemia"), types=()), (), "no_semantic_type"),
        (concept(name("Anämie", "de")), (), "no_english_name"),
        (concept(name("E11.9")), (), "no_fit_name"),
    ],
)
def test_says_why_a_concept_is_not_shown(
    given_concept: Concept, general: tuple[str, ...], reason: str
) -> None:
    assert why_not_shown(given_concept, general) == reason


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Carcinoma, Renal Cell", "renal cell carcinomas", True),
        ("Carcinoma of the lung", "Lung carcinoma", True),
        ("Glycogen storage disease type II", "glycogen storage disease 2", True),
        ("Haemophilia", "hemophilia", True),
        ("Parkinson's disease", "Parkinson disease", True),
        ("Diabetes type 1", "Diabetes type 2", False),
        ("Fracture of left femur", "Fracture of right femur", False),
        ("糖尿病", "糖尿病", True),
        ("糖尿病", "尿崩症", False),
        ("type", "the", False),
    ],
)
def test_wordings_of_one_key_are_the_same(left: str, right: str, same: bool) -> None:
    assert (wording_key(left) == wording_key(right)) is same


@given(st.text(max_size=30))
def test_equal_after_normalisation_means_one_key(text: str) -> None:
    assert wording_key(text) == wording_key(normalise(text))


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (["Anemia", "anemia", "ANEMIA."], None),
        (["Anemia", "anemia", "Low blood"], "Low blood"),
        (["Heart disease", "Disease, Heart", "Cardiopathy"], "Cardiopathy"),
        (["Heart disease", "Disease, Heart"], "Disease, Heart"),
        (["Heart disease", "HD", "CARD1", "Cardiopathy"], "Cardiopathy"),
        (["Heart disease", "CARD1"], "CARD1"),
        (["Heart disease", "Cardiopathy (finding)", "Heart trouble"], "Heart trouble"),
        (["Heart disease", "Cardiopathy (finding)", "Heart trouble (any)"], "Cardiopathy"),
        (["Heart disease", "Heart disease (finding)", "Cardiopathy NOS"], None),
    ],
)
def test_asks_in_english_with_another_wording(texts: list[str], query: str | None) -> None:
    found = english_query(concept(*(name(text) for text in texts)), texts[0])
    assert (found and found.text) == query


def test_asks_with_a_definition_only_if_it_hides_the_name() -> None:
    named = concept(name("Anemia"), definition="Anemia is a lack of red cells.")
    hidden = concept(name("Anemia"), definition="A lack of red cells.")
    found = english_query(hidden, "Anemia")
    assert english_query(named, "Anemia") is None
    assert found is not None
    assert (found.text, found.sabs, found.max_srl) == ("A lack of red cells.", ("DEF",), 0)


def test_asks_in_english_with_an_english_definition_only() -> None:
    spanish = Definition("Una falta de hierro.", "DOIDSPA", 0, "es")
    english = Definition("A lack of iron.", "ZZZ", 0)
    alone = Concept("C0000001", (name("Anemia"),), ("T047",), (spanish,))
    both = Concept("C0000001", (name("Anemia"),), ("T047",), (spanish, english))
    found = english_query(both, "Anemia")
    assert english_query(alone, "Anemia") is None
    assert found is not None
    assert (found.text, found.language) == ("A lack of iron.", "en")


@pytest.mark.parametrize(
    ("language", "texts", "query"),
    [
        ("de", ["Anemia", "Anämie"], "Anämie"),
        ("de", ["Low Blood", "Blutarmut"], "Blutarmut"),
        ("de", ["Low Blood"], "Low Blood"),
        ("es", ["anemia"], None),
        ("zh", ["贫血"], "贫血"),
        ("zh", ["血"], None),
        ("ja", ["HIV感染", "VIH"], "HIV感染"),
        ("ru", ["anemiya", "малокровие"], "малокровие"),
        ("es", ["anemia (trastorno)", "hipohemoglobinemia (trastorno)"], "hipohemoglobinemia"),
        ("ja", [], None),
    ],
)
def test_asks_in_another_language_with_its_own_name(
    language: str, texts: list[str], query: str | None
) -> None:
    names = (name("Anemia"), name("low blood"), *(name(text, language) for text in texts))
    found = native_query(concept(*names), language, "Anemia")
    assert (found and found.text) == query


def test_a_wording_carries_its_least_restricted_sources() -> None:
    names = (name("Anemia"), name("Low blood", source="STRICT", level=3))
    names += (name("Low blood", source="B"), name("Low blood", source="A"))
    found = english_query(concept(*names), "Anemia")
    assert found is not None
    assert (found.sabs, found.max_srl) == (("A", "B"), 0)


def test_a_repaired_wording_carries_the_sources_of_its_names() -> None:
    names = (name("Anemia"), name("Low blood (finding)", source="TAGGED", level=0))
    names += (name("Low blood [x]", source="REFUSED", level=0),)
    found = english_query(concept(*names), "Anemia")
    assert found is not None
    assert (found.text, found.sabs, found.max_srl) == ("Low blood", ("TAGGED",), 0)


@pytest.mark.parametrize(
    ("left", "right", "similarity"),
    [
        ("abc", "abc", 1.0),
        ("abc", "xyz", 0.0),
        ("Abc", "ABC!", 1.0),
        ("abcd", "abce", 0.5),  # " ab", "abc" of four each
        ("", "", 0.0),
        ("", "abc", 0.0),
    ],
)
def test_cosine_of_three_grams(left: str, right: str, similarity: float) -> None:
    assert cosine(left, right) == similarity == cosine(right, left)


@pytest.mark.parametrize(
    ("left", "right", "similarity"),
    [
        ("abc", "abc", 1.0),
        ("abc", "xyz", 0.0),
        ("toradol", "tegretol", 0.5),  # the pair's BI-SIM, with the first letter counted twice
        ("", "", 0.0),
    ],
)
def test_orthographic_similarity(left: str, right: str, similarity: float) -> None:
    assert orthographic(left, right) == pytest.approx(similarity, abs=0.1)


letters = st.text(alphabet="abcde ", max_size=14)


@given(letters, letters, st.floats(0.1, 1.0))
def test_the_cheap_bound_never_changes_what_looks_alike(
    left: str, right: str, least: float
) -> None:
    assert looks_alike(left, right, least) == (orthographic(left, right) >= least)


@given(letters, letters)
def test_measures_are_symmetric_and_within_bounds(left: str, right: str) -> None:
    for measure in (cosine, orthographic):
        assert measure(left, right) == measure(right, left)
        assert 0.0 <= measure(left, right) <= 1.0


def bi_sim(left: str, right: str) -> float:
    """BI-SIM cell by cell, as it is published."""
    left, right = normalise(left), normalise(right)
    if not left or not right:
        return 0.0
    ours, theirs = left[0] + left, right[0] + right
    table = [[0] * len(theirs) for _ in ours]
    for i in range(1, len(ours)):
        for j in range(1, len(theirs)):
            same = (ours[i - 1] == theirs[j - 1]) + (ours[i] == theirs[j])
            table[i][j] = max(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1] + same)
    return round(table[-1][-1] / (2 * max(len(left), len(right))), 6)


@given(letters, st.lists(letters, max_size=6), st.floats(0.1, 1.0))
def test_many_names_are_measured_as_one(left: str, rights: list[str], least: float) -> None:
    expected = [bi_sim(left, right) for right in rights]
    assert orthographic_to_each(left, rights) == expected
    assert alike(left, rights, least) == [n for n, one in enumerate(expected) if one >= least]
