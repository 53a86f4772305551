import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Concept, Name
from umls_tools.linking import (
    Mention,
    heading_key,
    lexicon_entries,
    longest_match,
    mentions,
)


def concept(*texts: str, language: str = "en", cui: str = "C0000001") -> Concept:
    names = tuple(
        Name(text, language, "NCI", "PT", f"A{place}", 0, place == 0)
        for place, text in enumerate(texts)
    )
    return Concept(cui, names, ())


def keys(*texts: str, language: str = "en") -> set[str]:
    entries = list(lexicon_entries(concept(*texts, language=language)))
    assert {cui for _, cui in entries} == {"C0000001"}
    assert [key for key, _ in entries] == sorted({key for key, _ in entries})
    return {key for key, _ in entries} - {"cui:C0000001"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Asthma", {"name:asthma"}),
        ("Heart Disease", {"name:heart disease"}),
        ("Heart Diseases", {"name:heart diseases", "name:heart disease"}),
        (
            "diseases, heart",
            {"name:diseases heart", "name:heart diseases", "name:heart disease"},
        ),
        (
            "Diabetes Mellitus, Type 2",
            {"name:diabetes mellitus type 2", "name:type 2 diabetes mellitus"},
        ),
        ("1,2-butanediol", {"name:1 2 butanediol"}),
        ("COVID-19", {"name:covid 19"}),
        ("ALL", {"acronym:ALL"}),
        ("HbA1c", {"name:hba1c"}),
        ("AIDS", {"acronym:AIDS"}),
        ("B", set()),
        ("MI", {"acronym:MI"}),
        ("Mi", set()),
        ("2019", set()),
        ("12-34", set()),
        ("---", set()),
    ],
)
def test_lexicon_keys(text: str, expected: set[str]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("diseases", "disease"),
        ("biopsies", "biopsy"),
        ("abscesses", "abscess"),
        ("viruses", "virus"),
        ("headaches", "headache"),
        ("patches", "patch"),
        ("metastases", "metastasis"),
        ("diagnoses", "diagnosis"),
        ("phosphatases", "phosphatase"),
        ("causes", "cause"),
        ("cancers", "cancer"),
        ("virus", "virus"),
        ("analysis", "analysis"),
        ("abscess", "abscess"),
        ("gas", "gas"),
    ],
)
def test_singular_and_plural_meet(plural: str, singular: str) -> None:
    expected = {f"name:rare {plural}", f"name:rare {singular}"}
    assert keys(f"rare {plural}") == expected
    assert {m.key for m in mentions(f"rare {plural}") if m.end - m.start == 2} == expected


def test_other_languages_are_not_in_the_lexicon() -> None:
    assert keys("Krankheit", language="de") == set()


@pytest.mark.parametrize(
    ("source", "term_type", "code", "expected"),
    [
        ("MSH", "MH", "D003924", {"mesh:D003924"}),
        ("MSH", "ET", "D003924", set()),
        ("MSH", "MH", "NOCODE", set()),
        ("MSHGER", "MH", "D003924", set()),
        ("DOID", "PT", "D003924", set()),
    ],
)
def test_mesh_codes(source: str, term_type: str, code: str, expected: set[str]) -> None:
    name = Name("Asthma", "en", source, term_type, "A1", 0, True, code)
    found = {key for key, _ in lexicon_entries(Concept("C0000001", (name,), ()))}
    assert found - {"cui:C0000001", "name:asthma"} == expected


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        ("D003924", "mesh:D003924"),
        ("Diabetes Mellitus, Type 2", "name:diabetes mellitus type 2"),
        ("DNA", "acronym:DNA"),
        ("D-Dimer", "name:d dimer"),
    ],
)
def test_headings(heading: str, key: str) -> None:
    assert heading_key(heading) == key


@given(st.text(min_size=1))
def test_a_heading_meets_the_concept_that_has_its_name(text: str) -> None:
    key = heading_key(text)
    found = keys(text)
    assert key in found or not found or key.startswith("mesh:")


def test_mentions_are_spans_of_tokens() -> None:
    assert mentions("What is type 2 diabetes?") == (
        Mention("name:type", 2, 3),
        Mention("name:type 2", 2, 4),
        Mention("name:type 2 diabete", 2, 5, exact=False),
        Mention("name:type 2 diabetes", 2, 5),
        Mention("name:2 diabete", 3, 5, exact=False),
        Mention("name:2 diabetes", 3, 5),
        Mention("name:diabete", 4, 5, exact=False),
        Mention("name:diabetes", 4, 5),
    )


def test_mentions_keep_the_case_of_acronyms() -> None:
    found = mentions("all of ALL")
    assert [m for m in found if m.key.startswith("acronym:")] == [Mention("acronym:ALL", 2, 3)]


@pytest.mark.parametrize(("longest", "expected"), [(1, 1), (2, 2), (8, 5)])
def test_mentions_are_no_longer_than_asked(longest: int, expected: int) -> None:
    found = mentions("alpha beta gamma delta epsilon", longest)
    assert max(m.end - m.start for m in found) == expected


@given(st.text())
def test_any_text_has_mentions_of_its_own_tokens(text: str) -> None:
    for mention in mentions(text):
        assert 0 <= mention.start < mention.end
        assert mention.end - mention.start <= 8


def link(text: str, lexicon: dict[str, list[str]], prefer: tuple[str, ...] = ()) -> tuple[str, ...]:
    met = [(mention, lexicon.get(mention.key, ())) for mention in mentions(text)]
    linked = longest_match(met, prefer)
    assert longest_match(list(reversed(met)), prefer) == linked
    return linked


LEXICON = {
    "name:cold": ["C1"],
    "name:cold sore": ["C2", "C3"],
    "name:sore throat": ["C4"],
    "name:throat": ["C5"],
    "name:heart disease": ["C6"],
    "name:heart diseases": ["C7"],
    "name:disease": ["C8"],
    "acronym:ALL": ["C9"],
}


@pytest.mark.parametrize(
    ("text", "prefer", "expected"),
    [
        ("a cold and a throat", (), ("C1", "C5")),
        ("cold sore", (), ()),
        ("cold sore", ("C3",), ("C3",)),
        ("cold sore", ("C2", "C3"), ()),
        ("cold sore", ("C9",), ()),
        ("sore throat", (), ("C4",)),
        ("cold sore throat", (), ("C5",)),
        ("heart disease", (), ("C6",)),
        ("heart diseases", (), ("C7",)),
        ("diseases", (), ("C8",)),
        ("all in all", (), ()),
        ("ALL, a cold", (), ("C1", "C9")),
        ("the throat", ("C4",), ("C5",)),
        ("nothing known", (), ()),
        ("", (), ()),
    ],
)
def test_longest_match(text: str, prefer: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert link(text, LEXICON, prefer) == expected


def test_longest_match_does_not_depend_on_order() -> None:
    met = [
        (Mention("name:a", 0, 2), ["C2"]),
        (Mention("name:b", 1, 3), ["C1"]),
        (Mention("name:c", 2, 3), ["C3"]),
        (Mention("name:d", 0, 1), []),
    ]
    assert {longest_match(order) for order in itertools.permutations(met)} == {("C2", "C3")}


def test_a_name_finds_its_concept_in_a_sentence() -> None:
    names = ("Diabetes Mellitus, Type 2", "NIDDM")
    lexicon: dict[str, list[str]] = {}
    for key, cui in lexicon_entries(concept(*names)):
        lexicon.setdefault(key, []).append(cui)
    for text in ("Who gets type 2 diabetes mellitus?", "Is NIDDM inherited?"):
        assert link(text, lexicon) == ("C0000001",)
