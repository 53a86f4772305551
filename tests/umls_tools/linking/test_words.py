import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import normalise
from umls_tools.linking.words import singular, words_of


@pytest.mark.parametrize(
    ("plural", "expected"),
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
        ("cold", "cold"),
        ("", ""),
    ],
)
def test_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@pytest.mark.parametrize(
    ("text", "words", "acronyms"),
    [
        ("What is (are) Asthma?", ["what", "is", "are", "asthma"], []),
        ("all of ALL", ["all", "of", "all"], [(2, "acronym:ALL")]),
        ("COVID-19", ["covid", "19"], [(0, "acronym:COVID")]),
        ("Ménière's ﬁbrosis", ["ménière", "s", "fibrosis"], []),
        ("ＨＩＶ II", ["hiv", "ii"], [(0, "acronym:HIV"), (1, "acronym:II")]),
        ("INHERITED", ["inherited"], []),
        ("", [], []),
    ],
)
def test_words(text: str, words: list[str], acronyms: list[tuple[int, str]]) -> None:
    assert words_of(text) == (words, acronyms)


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_words_are_those_of_the_normalised_text(text: str) -> None:
    assert words_of(text)[0] == normalise(text).split()
