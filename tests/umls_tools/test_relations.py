import itertools
from collections.abc import Callable

import pytest

from umls_tools.licence import Gate
from umls_tools.relations import FAMILY_RELATIONS, KINDS, balance, inverse, select_relations
from umls_tools.rows import Rows, texts_of
from umls_tools.selection import Selected

RowsOf = Callable[..., Rows]
COLUMNS = ("CUI1", "REL", "CUI2", "RELA", "SAB", "SUPPRESS")
GATE = Gate({"MSH": 0, "RXNORM": 0, "SNOMEDCT_US": 9}, 0)
Edge = tuple[str, str, str, str]


def edges(found: Selected) -> list[Edge]:
    ends = (texts_of(keys).to_pylist() for keys in (found.keys, found.kept["other"].to_numpy()))
    kinds = [KINDS[kind] for kind in found.kept["kind"].to_pylist()]
    one, other = ends
    return list(zip(one, kinds, other, found.kept["source"].to_pylist(), strict=True))


@pytest.mark.parametrize(
    ("row", "kind", "opposite"),
    [
        ("C1 PAR C2 - MSH N", "parent", "child"),
        ("C1 CHD C2 isa MSH N", "child", "parent"),
        ("C1 RB C2 - MSH N", "broader", "narrower"),
        ("C1 RN C2 - MSH -", "narrower", "broader"),
        ("C1 SY C2 - MSH N", "synonym", "synonym"),
        ("C1 RQ C2 - MSH N", "synonym", "synonym"),
        ("C1 RL C2 - MSH N", "synonym", "synonym"),
        ("C1 RO C2 has_ingredient RXNORM N", "family", "family"),
        ("C1 RN C2 tradename_of RXNORM N", "family", "family"),
    ],
)
def test_an_edge_and_its_inverse(rows_of: RowsOf, row: str, kind: str, opposite: str) -> None:
    found, left_out = select_relations(rows_of("MRREL", COLUMNS, row), GATE)
    source = row.split()[4]
    assert edges(found) == [("C1", kind, "C2", source)]
    assert edges(inverse(found)) == [("C2", opposite, "C1", source)]
    assert not left_out


def test_both_ends_of_every_family_relation_are_listed() -> None:
    assert {f"has_{name}" for name in ("tradename", "ingredient", "precise_ingredient")} <= set(
        FAMILY_RELATIONS
    )
    for name in FAMILY_RELATIONS:
        if name.startswith("has_"):
            assert f"{name.removeprefix('has_')}_of" in FAMILY_RELATIONS


def test_what_is_left_out_is_counted_once(rows_of: RowsOf) -> None:
    rows = rows_of(
        "MRREL",
        COLUMNS,
        "C1 PAR C1 - MSH O",
        "C1 PAR C1 - MSH N",
        "C1 SIB C2 - MSH N",
        "C1 RO C2 finding_site_of MSH N",
        "C1 - C2 - MSH N",
        "C1 PAR C2 - SNOMEDCT_US N",
        "C1 PAR C2 - UNHEARD_OF N",
    )
    found, left_out = select_relations(rows, GATE)
    assert edges(found) == []
    assert left_out == {
        "relation_suppressed": 1,
        "relation_to_itself": 1,
        "relation_of_other_kind": 3,
        "relation_restricted": 2,
    }


PAIRS = [
    ("C1 PAR C2 - MSH N", "C2 CHD C1 - MSH N"),
    ("C1 RB C3 - MSH N", "C3 RN C1 - MSH N"),
    ("C2 SY C3 - MSH N", "C3 SY C2 - MSH N"),
    ("C1 RO C2 has_ingredient RXNORM N", "C2 RO C1 ingredient_of RXNORM N"),
]


def balance_of(rows_of: RowsOf, *lines: str) -> int:
    return balance(select_relations(rows_of("MRREL", COLUMNS, *lines), GATE)[0]) % 2**64


def test_edges_stored_from_both_ends_balance(rows_of: RowsOf) -> None:
    """In whatever parts they are seen, and however often each stands there."""
    lines = [line for pair in PAIRS for line in pair]
    assert balance_of(rows_of, *lines) == 0
    assert balance_of(rows_of, *lines, *PAIRS[0]) == 0
    for cut in range(len(lines)):
        parts = (balance_of(rows_of, *part) for part in (lines[:cut], lines[cut:]))
        assert sum(parts) % 2**64 == 0


@pytest.mark.parametrize("place", range(len(PAIRS)))
def test_an_edge_stored_from_one_end_does_not(rows_of: RowsOf, place: int) -> None:
    for end in (0, 1):
        lines = list(itertools.chain(*PAIRS))
        lines.remove(PAIRS[place][end])
        assert balance_of(rows_of, *lines) != 0
    changed = PAIRS[place][0].replace("MSH", "RXNORM") if place < 3 else "C1 PAR C2 - RXNORM N"
    assert balance_of(rows_of, changed, PAIRS[place][1]) != 0
