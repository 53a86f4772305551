import itertools
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.atoms import CONSO_COLUMNS, filter_atoms, names_by_concept
from umls_tools.licence import Gate

Rows = Callable[..., pa.RecordBatch]
GATE = Gate({"MSH": 0, "MSHJPN": 3, "NCI": 0}, 3)
RANKS = {("MSH", "MH"): 20, ("NCI", "PT"): 10, ("MSH", "ET"): 5}

# CUI LAT TS STT ISPREF AUI SAB TTY CODE STR SRL SUPPRESS


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 N", ""),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 -", ""),
        ("C1 JPN P PF Y A1 MSHJPN PT D1 名 3 N", ""),
        ("C1 KOR P PF Y A1 MSH MH D1 Name 0 O", "other_language"),
        ("C1 - P PF Y A1 MSH MH D1 Name 0 N", "other_language"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 O", "suppressed"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 Y", "suppressed"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 E", "suppressed"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 9 N", "restricted"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name - N", "restricted"),
        ("C1 ENG P PF Y A1 MSH MH D1 Name x N", "restricted"),
        ("C1 ENG P PF Y A1 UNHEARD_OF MH D1 Name 0 N", "restricted"),
        ("C1 JPN P PF Y A1 MSHJPN PTJKN D1 ﾒｲ 3 N", "reading"),
        ("C1 JPN P PF Y A1 MSHJPN JKN D1 ﾒｲ 3 N", "reading"),
        ("C1 ENG P PF Y A1 MSH MH D1 - 0 N", "blank"),
        ("C1 ENG P PF Y A1 MSH MH D1 \u200b 0 N", ""),
    ],
)
def test_names_that_may_be_seen(rows: Rows, row: str, reason: str) -> None:
    batch = rows(CONSO_COLUMNS, row)
    kept, left_out = filter_atoms(batch, ("en", "ja"), GATE)
    assert left_out == ({reason: 1} if reason else {})
    assert kept.num_rows == (0 if reason else 1)
    assert kept.schema == batch.schema


@pytest.mark.parametrize(
    ("why", "lines"),
    [
        (
            "rank before the Metathesaurus's own flags",
            [
                "C1 ENG S VC N A9 MSH MH D1 first 0 N",
                "C1 ENG P PF Y A1 NCI PT D1 second 0 N",
                "C1 ENG P PF Y A0 NCI XX D1 third 0 N",
            ],
        ),
        (
            "TS, STT, ISPREF, AUI in this order",
            [
                "C1 ENG P VC N A9 NCI PT D1 first 0 N",
                "C1 ENG S PF N A8 NCI PT D1 second 0 N",
                "C1 ENG S VC Y A7 NCI PT D1 third 0 N",
                "C1 ENG S VC N A2 NCI PT D1 fourth 0 N",
                "C1 ENG S VC N A3 NCI PT D1 fifth 0 N",
            ],
        ),
    ],
)
def test_preference(rows: Rows, why: str, lines: list[str]) -> None:
    expected = [line.split()[9] for line in lines]
    for order in itertools.permutations(lines):
        table = pa.Table.from_batches([rows(CONSO_COLUMNS, *order)])
        [(cui, names)] = names_by_concept(table, RANKS, GATE)
        assert cui == "C1"
        assert [name.text for name in names] == expected, why
        assert [name.preferred for name in names] == [True] + [False] * (len(names) - 1)


def test_names_stand_by_language_and_equal_rows_count_once(rows: Rows) -> None:
    batch = rows(
        CONSO_COLUMNS,
        "C2 JPN P PF Y A5 MSHJPN PT D2 名 0 N",
        "C1 ENG P PF Y A1 MSH MH D1 Name 0 N",
        "C1 GER P PF Y A2 MSH MH D1 Namen 0 N",
        "C1 ENG P PF Y A1 MSH MH D1 Name 0 N",
    )
    found = dict(names_by_concept(pa.Table.from_batches([batch]), {}, GATE))
    assert list(found) == ["C1", "C2"]
    assert [(n.language, n.text, n.preferred) for n in found["C1"]] == [
        ("de", "Namen", True),
        ("en", "Name", True),
    ]
    [name] = found["C2"]
    assert (name.restriction, name.source, name.term_type) == (3, "MSHJPN", "PT")
    assert (name.atom_id, name.code) == ("A5", "D2")


def test_atoms_that_skipped_the_gate_are_refused(rows: Rows) -> None:
    table = pa.Table.from_batches([rows(CONSO_COLUMNS, "C1 ENG P PF Y A1 X PT D1 n 0 N")])
    with pytest.raises(ValueError, match="have not passed filter_atoms"):
        list(names_by_concept(table, RANKS, GATE))
