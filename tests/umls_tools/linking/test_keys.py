import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Concept, Name
from umls_tools.linking import Everything, KeyTable, Sense, fingerprint, heading_key
from umls_tools.linking.keys import lexicon_entries, name_keys

CUI = "C0000001"


def concept(*names: Name) -> Concept:
    return Concept(CUI, names, ("T047",))


def name(text: str, source: str = "NCI", language: str = "en", preferred: str = "") -> Name:
    return Name(text, language, source, "PT", "A1", 0, bool(preferred))


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
        ("Ménière's", {"name:ménière s"}),
        ("B", set()),
        ("MI", {"acronym:MI"}),
        ("Mi", set()),
        ("2019", set()),
        ("12-34", set()),
        ("---", set()),
        ("", set()),
    ],
)
def test_keys_of_a_name(text: str, expected: set[str]) -> None:
    assert set(name_keys(text)) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([name("Asthma")], {"name:asthma": (1, False)}),
        ([name("Asthma", preferred="yes")], {"name:asthma": (1, True)}),
        ([name("Asthma", "NCI"), name("asthma", "DOID")], {"name:asthma": (2, False)}),
        ([name("Asthma", "NCI"), name("asthma", "NCI")], {"name:asthma": (1, False)}),
        (
            [name("Asthma", "NCI", preferred="yes"), name("Asthmas", "DOID")],
            {"name:asthma": (2, True), "name:asthmas": (1, False)},
        ),
        ([name("Asthma", language="de")], {}),
        ([], {}),
    ],
)
def test_a_name_tells_what_speaks_for_its_concept(
    names: list[Name], expected: dict[str, tuple[int, bool]]
) -> None:
    entries = dict(lexicon_entries(concept(*names), Everything()))
    assert entries.pop(f"cui:{CUI}") == Sense(CUI)
    assert entries == {key: Sense(CUI, "DISO", *rest) for key, rest in expected.items()}


def test_only_what_is_wanted_goes_into_the_lexicon() -> None:
    table = KeyTable.empty()
    table.add([fingerprint("name:asthma"), fingerprint("mesh:D001249")])
    names = (Name("Asthma", "en", "MSH", "MH", "A1", 0, True, "D001249"), name("Bronchial asthma"))
    keys = [key for key, _ in lexicon_entries(concept(*names), table)]
    assert keys == ["mesh:D001249", "name:asthma"]


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
    named = Name("Asthma", "en", source, term_type, "A1", 0, True, code)
    found = {key for key, _ in lexicon_entries(concept(named), Everything())}
    assert found - {f"cui:{CUI}", "name:asthma"} == expected


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
    key, found = heading_key(text), name_keys(text)
    assert key in found or not found or key.startswith("mesh:")
