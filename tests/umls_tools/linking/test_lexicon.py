import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Concept, Name
from umls_tools.linking import Everything, Lexicon, Sense, lexicon_entries
from umls_tools.linking.lexicon import choose

NAMES = {
    "name:cold": ["C1"],
    "name:cold sore": ["C2", "C3"],
    "name:sore throat": ["C4"],
    "name:throat": ["C5"],
    "name:heart disease": ["C6"],
    "name:heart diseases": ["C7"],
    "name:disease": ["C8"],
    "acronym:ALL": ["C9"],
    "name:the cold": ["C10"],
}
ENTRIES = [(key, Sense(cui)) for key, cuis in NAMES.items() for cui in cuis]
LEXICON = Lexicon.of(ENTRIES)


@pytest.mark.parametrize(
    ("text", "prefer", "expected"),
    [
        ("a cold and a throat", (), ["C1", "C5"]),
        ("cold sore", (), [""]),
        ("cold sore", ("C3",), ["C3"]),
        ("cold sore", ("C2", "C3"), [""]),
        ("cold sore", ("C9",), [""]),
        ("cold sore cold", (), ["", "C1"]),
        ("sore throat", (), ["C4"]),
        ("cold sore throat", (), ["", "C5"]),  # of equally long names the leftmost
        ("heart disease", (), ["C6"]),
        ("heart diseases", (), ["C7"]),  # as it stands before its singular
        ("throats", (), ["C5"]),
        ("diseases", (), ["C8"]),
        ("all in all", (), []),
        ("ALL, a cold", (), ["C9", "C1"]),
        ("the throat", ("C4",), ["C5"]),
        ("the cold", (), ["C1"]),  # no name starts with a function word but by accident
        ("nothing known", (), []),
        ("", (), []),
    ],
)
def test_longest_names(text: str, prefer: tuple[str, ...], expected: list[str]) -> None:
    assert [link.cui for link in LEXICON.links(text, prefer)] == expected


def test_places_of_a_link_are_words() -> None:
    links = LEXICON.links("A heart disease, or a sore throat?")
    assert [(link.start, link.end, link.key) for link in links] == [
        (1, 3, "name:heart disease"),
        (5, 7, "name:sore throat"),
    ]


def sense(cui: str, group: str = "DISO", sources: int = 1, first: str = "") -> Sense:
    return Sense(cui, group, sources, bool(first))


@pytest.mark.parametrize(
    ("senses", "prefer", "expected"),
    [
        ([sense("C1")], (), ("C1", "only")),
        ([sense("C1"), sense("C2")], (), ("", "ambiguous")),
        ([sense("C1"), sense("C2")], ("C2",), ("C2", "heading")),
        ([sense("C1", "CHEM"), sense("C2", "DISO")], (), ("C2", "type")),
        ([sense("C1", "CHEM"), sense("C2", "DISO")], ("C1",), ("C1", "heading")),
        ([sense("C1", "CHEM", 9), sense("C2", "DISO", 1)], (), ("C2", "type")),
        ([sense("C1", "OBJC"), sense("C2", "GEOG")], (), ("", "ambiguous")),
        ([sense("C1", sources=1), sense("C2", sources=3)], (), ("C2", "sources")),
        ([sense("C1", sources=2), sense("C2", sources=2)], (), ("", "ambiguous")),
        ([sense("C1", first="yes"), sense("C2")], (), ("C1", "first name")),
        ([sense("C1", first="yes"), sense("C2", sources=2)], (), ("C2", "sources")),
        ([sense("C1", first="yes"), sense("C2", first="yes")], (), ("", "ambiguous")),
        ([sense("C1", "PROC", 5), sense("C2"), sense("C3", sources=2)], (), ("C3", "sources")),
        ([sense("C1"), sense("C2", sources=2), sense("C3")], ("C1", "C2"), ("C2", "sources")),
    ],
)
def test_ambiguous_names(
    senses: list[Sense], prefer: tuple[str, ...], expected: tuple[str, str]
) -> None:
    for order in itertools.permutations(senses):
        assert choose(order, prefer) == expected


def test_a_stop_word_is_no_name_by_itself() -> None:
    lexicon = Lexicon.of(ENTRIES, ["cold", "disease"])
    links = lexicon.links("cold disease and heart disease")
    assert [link.cui for link in links] == ["C6"]


@pytest.mark.parametrize(
    ("key", "expected"),
    [("name:cold", "C1"), ("name:cold sore", ""), ("name:unknown", ""), ("acronym:ALL", "C9")],
)
def test_a_key_of_several_concepts_stands_for_none(key: str, expected: str) -> None:
    assert LEXICON.cui(key) == expected


@given(st.permutations(ENTRIES))
def test_a_lexicon_does_not_depend_on_order(entries: list[tuple[str, Sense]]) -> None:
    assert Lexicon.of([*entries, entries[0]]) == LEXICON


@given(st.text())
def test_links_of_any_text_do_not_overlap(text: str) -> None:
    links = LEXICON.links(text)
    assert all(one.end <= other.start for one, other in itertools.pairwise(links))


@pytest.mark.parametrize(
    "text",
    [
        "Who gets type 2 diabetes mellitus?",
        "Is NIDDM inherited?",
        "On diabetes mellitus, type 2.",
        "Are rare ear abscesses bad?",
        "Is a rare ear abscess bad?",
    ],
)
def test_a_name_finds_its_concept_in_a_sentence(text: str) -> None:
    written = ("Diabetes Mellitus, Type 2", "NIDDM", "Rare Ear Abscesses")
    names = tuple(Name(one, "en", "NCI", "PT", "A1", 0, False) for one in written)
    lexicon = Lexicon.of(lexicon_entries(Concept("C0000001", names, ()), Everything()))
    assert {link.cui for link in lexicon.links(text)} == {"C0000001"}
