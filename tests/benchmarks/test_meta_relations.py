from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.benchmarks.meta.families import RELATIONS
from tests.benchmarks.meta.reading import rows_of
from tests.benchmarks.meta.writing import write_meta

ROWS, RELATED = 50_000, 176_000
INVERSE_REL = {"PAR": "CHD", "CHD": "PAR", "RB": "RN", "RN": "RB", "AQ": "QB", "QB": "AQ"}
INVERSE_RELA = {
    rela: inverse
    for one in RELATIONS
    for rela, inverse in ((one.rela, one.inverse_rela), (one.inverse_rela, one.rela))
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("meta")
    write_meta(made, ROWS, RELATED)
    return made


@pytest.mark.parametrize(("rows", "related"), [(ROWS, RELATED), (1_000, 60_000)])
def test_every_row_of_a_relation_has_its_inverse(tmp_path: Path, rows: int, related: int) -> None:
    write_meta(tmp_path, rows, related)
    found = rows_of(
        tmp_path, "MRREL", "CUI1", "AUI1", "STYPE1", "REL", "CUI2", "AUI2", "STYPE2", "RELA", "SAB",
        "SUPPRESS",
    )  # fmt: skip
    inverse = [
        (*row[4:7], INVERSE_REL.get(row[3], row[3]), *row[:3], INVERSE_RELA[row[7]], *row[8:])
        for row in found
    ]
    assert len(found) == related
    assert Counter(found) == Counter(inverse)


def test_relations_join_atoms_of_the_concepts_they_name(folder: Path) -> None:
    owners = {row[0]: row[1] for row in rows_of(folder, "MRCONSO", "AUI", "CUI")}
    for cui, aui, other, other_aui in rows_of(folder, "MRREL", "CUI1", "AUI1", "CUI2", "AUI2"):
        assert (owners[aui], owners[other_aui]) == (cui, other)


@pytest.mark.parametrize(
    ("column", "value", "low", "high"),
    [("REL", "PAR", 0.05, 0.09), ("REL", "CHD", 0.05, 0.09), ("REL", "RO", 0.5, 0.7),
     ("REL", "RB", 0.03, 0.06), ("REL", "SY", 0.05, 0.1), ("REL", "RQ", 0.02, 0.05),
     ("REL", "SIB", 0.001, 0.01), ("REL", "AQ", 0.005, 0.02), ("REL", "QB", 0.005, 0.02),
     ("REL", "XR", 0.001, 0.01), ("RELA", "has_tradename", 0.005, 0.02),
     ("RELA", "ingredient_of", 0.02, 0.05), ("SUPPRESS", "O", 0.115, 0.125)],
)  # fmt: skip
def test_relations_are_of_many_kinds(
    folder: Path, column: str, value: str, low: float, high: float
) -> None:
    found = [cell for (cell,) in rows_of(folder, "MRREL", column)]
    assert low < found.count(value) / RELATED < high


def test_many_relations_stay_within_a_concept(folder: Path) -> None:
    pairs = rows_of(folder, "MRREL", "CUI1", "CUI2")
    assert 0.05 < sum(one == other for one, other in pairs) / RELATED < 0.1


def test_a_hierarchy_has_cycles(folder: Path) -> None:
    parents: dict[str, list[str]] = {}
    for cui, rel, other, source in rows_of(folder, "MRREL", "CUI1", "REL", "CUI2", "SAB"):
        if (rel, source) == ("PAR", "SNOMEDCT_US"):
            parents.setdefault(cui, []).append(other)
    assert 1 < sum(len(found) > 1 for found in parents.values()) < 20
    with pytest.raises(CycleError):
        TopologicalSorter(parents).prepare()


@pytest.mark.parametrize(
    ("rows", "related", "message"),
    [(4_000, 11, "an even number"), (40, 10, "relations need 100 concepts, not")],
)
def test_relations_that_cannot_be_made_are_refused(
    tmp_path: Path, rows: int, related: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        write_meta(tmp_path, rows, related)
