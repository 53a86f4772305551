from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from umls_tools.licence import Gate
from umls_tools.relations import (
    EDGE_COLUMNS,
    FAMILY_RELATIONS,
    REL_COLUMNS,
    normalise_relations,
)
from umls_tools.rrf import read_batches

Rows = Callable[..., pa.RecordBatch]
GATE = Gate({"MSH": 0, "RXNORM": 0, "SNOMEDCT_US": 9}, 0)


def edges(batch: pa.RecordBatch) -> list[tuple[str, ...]]:
    assert batch.schema.names == list(EDGE_COLUMNS)
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


@pytest.mark.parametrize(
    ("row", "kind", "inverse"),
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
def test_each_edge_is_written_both_ways(rows: Rows, row: str, kind: str, inverse: str) -> None:
    found, left_out = normalise_relations(rows(REL_COLUMNS, row), GATE)
    source = row.split()[4]
    assert edges(found) == [("C1", kind, "C2", source), ("C2", inverse, "C1", source)]
    assert not left_out


def test_both_ends_of_every_family_relation_are_listed() -> None:
    assert {f"has_{name}" for name in ("tradename", "ingredient", "precise_ingredient")} <= set(
        FAMILY_RELATIONS
    )
    for name in FAMILY_RELATIONS:
        if name.startswith("has_"):
            assert f"{name.removeprefix('has_')}_of" in FAMILY_RELATIONS


def test_what_is_left_out_is_counted_once(rows: Rows) -> None:
    batch = rows(
        REL_COLUMNS,
        "C1 PAR C1 - MSH O",
        "C1 PAR C1 - MSH N",
        "C1 SIB C2 - MSH N",
        "C1 RO C2 finding_site_of MSH N",
        "C1 - C2 - MSH N",
        "C1 PAR C2 - SNOMEDCT_US N",
        "C1 PAR C2 - UNHEARD_OF N",
    )
    found, left_out = normalise_relations(batch, GATE)
    assert edges(found) == []
    assert left_out == {
        "relation_suppressed": 1,
        "relation_to_itself": 1,
        "relation_of_other_kind": 3,
        "relation_restricted": 2,
    }


def test_an_edge_stored_both_ways_is_one_edge(rows: Rows) -> None:
    batch = rows(REL_COLUMNS, "C1 PAR C2 - MSH N", "C2 CHD C1 - MSH N", "C1 PAR C2 - RXNORM N")
    found, _ = normalise_relations(batch, GATE)
    assert sorted(edges(found)) == [
        ("C1", "parent", "C2", "MSH"),
        ("C1", "parent", "C2", "RXNORM"),
        ("C2", "child", "C1", "MSH"),
        ("C2", "child", "C1", "RXNORM"),
    ]


def test_open_metathesaurus(
    openmeta_paths: dict[str, str],
    openmeta: Any,  # noqa: ANN401
) -> None:
    gate = openmeta.assembly.gate
    batches = read_batches(openmeta_paths["MRREL"], "MRREL", REL_COLUMNS)
    results = [normalise_relations(batch, gate) for batch in batches]
    assert sum(left_out["relation_to_itself"] for _, left_out in results) == 90
    found = {edge for batch, _ in results for edge in edges(batch)}
    assert ("C0000744", "parent", "C0020623", "DOID") in found
    assert ("C0020623", "child", "C0000744", "DOID") in found
    parents = sum(kind == "parent" for _, kind, _, _ in found)
    assert parents == sum(kind == "child" for _, kind, _, _ in found) > 12_000
