import itertools
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from umls_tools.atoms import (
    ATOM_SCHEMA,
    LANGUAGE_CODES,
    NO_LEVEL,
    atom_levels,
    origins_of,
    select_atoms,
)
from umls_tools.licence import Gate
from umls_tools.preference import in_order_of_preference
from umls_tools.rows import Rows, texts_of
from umls_tools.selection import Selected

RowsOf = Callable[..., Rows]
COLUMNS = (
    *("CUI", "LAT", "TS", "STT", "ISPREF", "AUI"),
    *("SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS"),
)
GATE = Gate({"MSH": 0, "MSHJPN": 3, "NCI": 0}, 3)
RANKS = {("MSH", "MH"): 20, ("NCI", "PT"): 10, ("MSH", "ET"): 5}


def selected(rows_of: RowsOf, *lines: str, languages: tuple[str, ...] = ("en", "ja")) -> Selected:
    found, left_out = select_atoms(rows_of("MRCONSO", COLUMNS, *lines), languages, RANKS, GATE)
    assert found.kept.schema == ATOM_SCHEMA
    assert len(found.kept) + left_out.total() == len(lines)
    return found


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 N", ""),
        ("C1 ENG P PF Y A1 MSH MH D1 Name 0 -", ""),
        ("C1 JPN P PF Y A1 MSHJPN PT D1 名 3 N", ""),
        ("C1 KOR P PF Y A1 MSH MH D1 Name 0 O", "other_language"),
        ("C1 - P PF Y A1 MSH MH D1 Name 0 N", "other_language"),
        ("C1 ENGLISHES P PF Y A1 MSH MH D1 Name 0 N", "other_language"),
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
def test_names_that_may_be_seen(rows_of: RowsOf, row: str, reason: str) -> None:
    rows = rows_of("MRCONSO", COLUMNS, row)
    found, left_out = select_atoms(rows, ("en", "ja"), RANKS, GATE)
    assert left_out == ({reason: 1} if reason else {})
    assert found.kept.num_rows == (0 if reason else 1)
    assert texts_of(found.seen).to_pylist() == ["C1"]


@pytest.mark.parametrize("space", [" ", "\t", "\u00a0", "\u3000 ", "\u1680", "\u2003", "\x1c"])
def test_white_space_is_no_name(rows_of: RowsOf, space: str) -> None:
    row = rows_of("MRCONSO", COLUMNS, "C1 ENG P PF Y A1 MSH MH D1 名 0 N")
    padded = row.data.replace("名".encode(), space.encode())
    from umls_tools.rows import split

    rows = split(padded, row.columns)
    assert rows is not None
    assert select_atoms(rows, ("en",), RANKS, GATE)[1] == {"blank": 1}


@pytest.mark.parametrize("stated", ["0", "1", "2", "3", "4", "9", "5", "00", "-", "x", "003"])
@pytest.mark.parametrize("source", ["MSH", "MSHJPN", "NCI", "UNHEARD_OF"])
def test_levels_are_the_gates(rows_of: RowsOf, source: str, stated: str) -> None:
    rows = rows_of("MRCONSO", COLUMNS, f"C1 ENG P PF Y A1 {source} MH D1 Name {stated} N")
    places = np.zeros(1, np.int64)
    level = GATE.level(source, stated.replace("-", ""))
    found = atom_levels(rows, places, origins_of(rows, places), GATE)
    assert found.tolist() == [NO_LEVEL if level is None else level]


def ordered(found: Selected) -> list[str]:
    order = in_order_of_preference(np.zeros(len(found.keys), np.int64), found.kept)
    texts: list[str] = found.kept.column("text").take(pa.array(order)).to_pylist()
    return texts


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
                "C1 ENG S VC N A12345678 NCI PT D1 fourth 0 N",
                "C1 ENG S VC N A12345679 NCI PT D1 fifth 0 N",
            ],
        ),
        (
            "the language, then what is in the row, where even the AUIs are equal",
            [
                "C1 ENG P PF Y - NCI PT D1 first 0 N",
                "C1 ENG P PF Y - NCI PT D2 alike 0 N",
                "C1 ENG P PF Y - NCI PT D2 second 0 N",
                "C1 JPN P PF Y - NCI PT D1 third 0 N",
            ],
        ),
    ],
)
def test_preference(rows_of: RowsOf, why: str, lines: list[str]) -> None:
    expected = [line.split()[9] for line in lines]
    equal_ids = "equal" in why
    for order in itertools.permutations(lines):
        found = selected(rows_of, *order)
        assert ordered(found) == expected, why
        # As rows they are put in order already, but for what the AUIs leave open.
        assert found.settled is not equal_ids
        assert equal_ids or found.kept.column("text").to_pylist() == expected


def test_atoms_are_put_in_order_within_their_concepts(rows_of: RowsOf) -> None:
    lines = [
        "C1 ENG P PF Y A2 NCI PT D1 second 0 N",
        "C1 ENG P PF Y A1 MSH MH D1 first 0 N",
        "C2 JPN P PF Y A4 MSHJPN PT D1 fourth 3 N",
        "C2 ENG P PF Y A3 NCI PT D1 third 0 N",
    ]
    found = selected(rows_of, *lines)
    assert found.settled
    assert found.kept.column("text").to_pylist() == ["first", "second", "third", "fourth"]
    assert texts_of(found.keys).to_pylist() == ["C1", "C1", "C2", "C2"]
    assert not selected(rows_of, *lines[::-1]).settled  # their concepts stand in no order


def test_rows_that_are_equal_in_everything_count_once(rows_of: RowsOf) -> None:
    row = "C1 ENG P PF Y A1 MSH MH D1 Name 0 N"
    other = "C1 ENG P PF Y A1 MSH MH D1 Named 0 N"
    assert ordered(selected(rows_of, row, other, row, row)) == ["Name", "Named"]


def test_what_is_kept_of_an_atom(rows_of: RowsOf) -> None:
    kept = selected(rows_of, "C1 JPN S PF Y A1 MSHJPN PT D9 名 0 N").kept.to_pylist()
    [atom] = kept
    assert LANGUAGE_CODES[atom.pop("language")] == "ja"
    del atom["preference"]
    assert atom == {
        "restriction": 3,  # the source's level stands above the atom's
        "text": "名",
        "source": "MSHJPN",
        "term_type": "PT",
        "atom_id": "A1",
        "code": "D9",
    }
