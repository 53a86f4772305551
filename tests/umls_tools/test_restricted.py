import itertools
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.licence import Gate
from umls_tools.restricted import (
    DEFINITION_COLUMNS,
    NAME_COLUMNS,
    UNKNOWN_LEVEL,
    Giver,
    givers_of_definitions,
    givers_of_names,
    least_of,
)

Rows = Callable[..., pa.RecordBatch]
GATE = Gate({"MSH": 0, "MDR": 3, "SNOMEDCT_US": 9}, 0)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Scabies MDR 3"], Giver(3, "MDR")),
        (["SCABIES! MDR 3", "scabies SNOMEDCT_US 9"], Giver(3, "MDR")),
        (["scabies SNOMEDCT_US 9", "scabies MSH 0"], Giver(0, "MSH")),
        (["scabies MSH 2", "scabies MDR 0"], Giver(2, "MSH")),
        (["scabies UNHEARD 0"], Giver(UNKNOWN_LEVEL, "UNHEARD")),
        (["scabies MSH 7", "scabies MDR 3"], Giver(3, "MDR")),
        (["itch MSH 0"], None),
    ],
)
def test_the_least_restricting_source_counts(
    rows: Rows, lines: list[str], expected: Giver | None
) -> None:
    for order in itertools.permutations(lines):
        found = givers_of_names([rows(NAME_COLUMNS, *order)], {"scabies"}, GATE)
        assert found.get("scabies") == expected
        apart = (rows(NAME_COLUMNS, line) for line in order)
        assert givers_of_names(apart, {"scabies"}, GATE) == found


@pytest.mark.parametrize(
    ("text", "sab", "expected"),
    [
        ("A<i>burrow</i>.", "MDR", {"aburrow": Giver(3, "MDR")}),  # without its markup
        ("A<i>burrow</i>.", "LOST", {"aburrow": Giver(UNKNOWN_LEVEL, "LOST")}),
        ("aburrow", "MSH", {"aburrow": Giver(0, "MSH")}),
        ("<i>a</i>", "MDR", {"i a i": Giver(3, "MDR")}),  # as it stands
        ("burrow", "MSH", {}),
    ],
)
def test_definitions_are_known_with_and_without_markup(
    rows: Rows, text: str, sab: str, expected: dict[str, Giver]
) -> None:
    batch = rows(DEFINITION_COLUMNS, f"{text} {sab}")
    assert givers_of_definitions([batch], {"aburrow", "i a i"}, GATE) == expected


def test_what_both_give_is_as_free_as_the_freer() -> None:
    names = {"b": Giver(3, "MDR"), "a": Giver(0, "MSH")}
    definitions = {"b": Giver(1, "NCI")}
    assert list(least_of(names, definitions)) == [("a", Giver(0, "MSH")), ("b", Giver(1, "NCI"))]
