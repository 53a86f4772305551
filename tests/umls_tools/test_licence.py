import itertools
import pickle
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.licence import SOURCE_COLUMNS, Gate, read_level, source_levels

Rows = Callable[..., pa.RecordBatch]


@pytest.mark.parametrize(
    ("text", "level"),
    [("0", 0), (" 3 ", 3), ("9", 9), ("", 9), ("5", None), ("-1", None), ("x", None), ("²", None)],
)
def test_levels_are_read(text: str, level: int | None) -> None:
    assert read_level(text) == level


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["MSH 0 Y", "SNOMEDCT_US 9 Y"], {"MSH": 0, "SNOMEDCT_US": 9}),
        (["MSH 3 N", "MSH 0 Y"], {"MSH": 0}),
        (["MSH 3 Y", "MSH 0 Y"], {"MSH": 3}),
        (["MSH 3 N", "MSH 0 N"], {"MSH": 3}),
        (["MSH - Y"], {"MSH": 9}),
        (["MSH zero Y", "MSH 0 Y", "DOID 0 Y"], {"DOID": 0}),
        (["- 0 Y"], {}),
        ([], {}),
    ],
)
def test_source_levels(rows: Rows, lines: list[str], expected: dict[str, int]) -> None:
    for order in itertools.permutations(lines):
        assert source_levels([rows(SOURCE_COLUMNS, *order)]) == expected
        assert source_levels(rows(SOURCE_COLUMNS, line) for line in order) == expected


@pytest.mark.parametrize(
    ("sab", "srl", "max_srl", "allowed"),
    [
        ("MSH", "0", 0, True),
        ("MSH", "3", 0, False),
        ("MSH", "3", 3, True),
        ("MDRJPN", "0", 0, False),
        ("MDRJPN", "0", 2, False),
        ("MDRJPN", "0", 3, True),
        ("MSH", "", 0, False),
        ("MSH", "", 9, True),
        ("MSH", "x", 9, False),
        ("UNHEARD_OF", "0", 9, False),
    ],
)
def test_the_gate_fails_closed(sab: str, srl: str, max_srl: int, allowed: bool) -> None:
    gate = Gate({"MSH": 0, "MDRJPN": 3}, max_srl)
    assert gate.allows(sab, srl) is allowed
    assert pickle.loads(pickle.dumps(gate)) == gate


def test_rows_without_a_level_of_their_own_have_their_source_s() -> None:
    gate = Gate({"MSH": 0, "MDRJPN": 3}, 0)
    allowed = [gate.allows_source(sab) for sab in ("MSH", "MDRJPN", "UNHEARD_OF", "")]
    assert allowed == [True, False, False, False]
    assert gate.level("MSH", "1") == 1
    assert gate.level("MDRJPN", "1") == 3
