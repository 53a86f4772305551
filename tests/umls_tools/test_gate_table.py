import random
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.gate_table import GATE_COLUMNS, UNKNOWN, GateTable, Toll, gate_table
from umls_tools.licence import Gate

Rows = Callable[..., pa.RecordBatch]

LEVELS = {"MSH": 0, "MDR": 3, "SNOMEDCT_US": 9, "LNC": 0}
ATOMS = [
    "C1 ENG MSH 0 N",
    "C1 ENG MSH 0 N",
    "C1 ENG MDR 3 N",
    "C1 GER MSH 0 O",
    "C2 ENG MDR 0 N",  # the source's level counts where it is the higher
    "C2 GER MSH 1 N",  # and the atom's own likewise
    "C2 JPN MSH - N",  # no level stated: the highest
    "C3 ENG SNOMEDCT_US 9 Y",  # suppressed before it is restricted
    "C3 ENG UNHEARD_OF 0 N",
    "C3 GER LNC 7 N",  # no level that the UMLS knows
    "C3 SPA LNC 0 -",
    "C4 SPA LNC 0 E",
    "C5 SPA LNC 0 N",
]


def counted(rows: Rows, lines: list[str], max_srl: int, size: int) -> GateTable:
    batches = [rows(GATE_COLUMNS, *lines[i : i + size]) for i in range(0, len(lines), size)]
    return gate_table(batches, Gate(LEVELS, max_srl))


@pytest.mark.parametrize("size", [1, 2, 3, 13])
def test_every_atom_is_left_or_taken_once(rows: Rows, size: int) -> None:
    table = counted(rows, ATOMS, 0, size)
    assert table.languages == {
        "ENG": Toll(6, 1, {"3": 2, UNKNOWN: 1}, 2),
        "GER": Toll(3, 1, {"1": 1, UNKNOWN: 1}, 0),
        "JPN": Toll(1, 0, {"9": 1}, 0),
        "SPA": Toll(3, 1, {}, 2),
    }
    assert table.sources == {
        "LNC": Toll(4, 1, {UNKNOWN: 1}, 2),
        "MDR": Toll(2, 0, {"3": 2}, 0),
        "MSH": Toll(5, 1, {"1": 1, "9": 1}, 2),
        "SNOMEDCT_US": Toll(1, 1, {}, 0),
        "UNHEARD_OF": Toll(1, 0, {UNKNOWN: 1}, 0),
    }
    assert table.concepts == {"ENG": 1, "GER": 0, "JPN": 0, "SPA": 2}
    assert table.is_ordered


@pytest.mark.parametrize(
    ("max_srl", "concepts"),
    [
        (0, {"ENG": 1, "GER": 0, "JPN": 0, "SPA": 2}),
        (2, {"ENG": 1, "GER": 1, "JPN": 0, "SPA": 2}),
        (3, {"ENG": 2, "GER": 1, "JPN": 0, "SPA": 2}),
        (9, {"ENG": 2, "GER": 1, "JPN": 1, "SPA": 2}),  # the unknown source stays outside
    ],
)
def test_a_higher_gate_leaves_more(rows: Rows, max_srl: int, concepts: dict[str, int]) -> None:
    table = counted(rows, ATOMS, max_srl, 4)
    assert table.concepts == concepts
    assert {
        int(one) for toll in table.languages.values() for one in toll.restricted if one != UNKNOWN
    } == {level for level in (1, 3, 9) if level > max_srl}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("seed", range(5))
def test_the_counts_are_those_of_a_plain_loop(rows: Rows, size: int, seed: int) -> None:
    drawn = random.Random(seed)
    lines = sorted(
        f"C{drawn.randrange(9)} {drawn.choice(('ENG', 'GER'))} {drawn.choice(('MSH', 'MDR'))} 0 "
        f"{drawn.choice('NO')}"
        for _ in range(60)
    )
    kept = [line.split() for line in lines if " MSH " in line and line.endswith("N")]
    expected = {
        lat: len({cui for cui, other, *_ in kept if other == lat}) for lat in ("ENG", "GER")
    }
    table = counted(rows, lines, 0, size)
    assert (table.concepts, table.is_ordered) == (expected, True)
    assert sum(toll.kept for toll in table.sources.values()) == len(kept)


def test_what_stands_in_no_order_is_counted_at_most(rows: Rows) -> None:
    lines = ["C2 ENG MSH 0 N", "C1 ENG MSH 0 N", "C2 ENG MSH 0 N"]
    for size in (1, 3):
        table = counted(rows, lines, 0, size)
        assert (table.concepts, table.is_ordered) == ({"ENG": 3}, False)


def test_an_empty_file_has_no_rows(rows: Rows) -> None:
    table = gate_table([rows(GATE_COLUMNS)], Gate(LEVELS, 0))
    assert (table.languages, table.sources, table.concepts) == ({}, {}, {})
