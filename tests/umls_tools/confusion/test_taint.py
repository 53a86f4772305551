import pytest

from pipeline.records import Concept, ConfusionSet, Distractor, Name, Taint
from umls_tools.confusion.taint import structural_sources, taint_of


def named(cui: str, text: str, source: str, level: int) -> Concept:
    return Concept(cui, (Name(text, "en", source, "PT", f"A{cui}", level, True),), ("T047",))


CONCEPTS = {
    "C1": named("C1", "scabies", "MSH", 0),
    "C2": named("C2", "head lice", "MSH", 0),
    "C3": named("C3", "ringworm", "MDR", 3),
}
LEVELS = {"MSH": 0, "NCI": 1, "SNOMEDCT_US": 9}


@pytest.mark.parametrize(
    ("whys", "sources", "taint"),
    [
        ({"C2": "look_alike"}, (), Taint(("MSH",), 0)),
        ({"C2": "distant:DISO"}, (), Taint(("MSH",), 0)),
        ({"C2": "other_group:CHEM"}, (), Taint(("MSH",), 0)),
        ({"C2": "sibling:NCI:C9"}, ("NCI",), Taint(("MSH", "NCI"), 1)),
        ({"C2": "cousin:SNOMEDCT_US:C9"}, ("SNOMEDCT_US",), Taint(("MSH", "SNOMEDCT_US"), 9)),
        ({"C2": "adjacent_code:NCI"}, ("NCI",), Taint(("MSH", "NCI"), 1)),
        ({"C2": "look_alike", "C3": "look_alike"}, (), Taint(("MDR", "MSH"), 3)),
        (
            {"C3": "sibling:NCI:C9", "C2": "cousin:MSH:C8"},
            ("MSH", "NCI"),
            Taint(("MDR", "MSH", "NCI"), 3),
        ),
    ],
)
def test_a_set_is_as_restricted_as_what_it_rests_on(
    whys: dict[str, str], sources: tuple[str, ...], taint: Taint
) -> None:
    mined = ConfusionSet(
        "C1", "hard", tuple(Distractor(cui, 0.5, why) for cui, why in whys.items())
    )
    assert structural_sources(mined) == sources
    assert taint_of(mined, CONCEPTS, LEVELS) == taint
