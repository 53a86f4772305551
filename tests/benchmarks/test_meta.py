from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from tests.benchmarks import ingest, meta
from tests.benchmarks.reading import assembly_of
from umls_tools.columns import COLUMNS
from umls_tools.rrf import read_batches

ROWS = 4_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("meta")
    meta.write_meta(made, ROWS)
    return made


@pytest.mark.parametrize("table", ["MRCONSO", "MRSTY", "MRSAB", "MRRANK"])
def test_every_row_has_the_columns_of_its_table(folder: Path, table: str) -> None:
    lines = (folder / f"{table}.RRF").read_text("utf-8").splitlines()
    assert {line.count("|") for line in lines} == {len(COLUMNS[table])}


def test_rows_are_as_many_as_asked_and_sorted_by_concept(folder: Path) -> None:
    rows = list(meta.conso_rows(ROWS, seed=1))
    assert len(rows) == ROWS
    cuis = [row[0] for row in rows]
    assert cuis == sorted(cuis)
    assert 4 < ROWS / len(set(cuis)) < 6


def test_same_seed_gives_the_same_bytes_another_does_not(folder: Path, tmp_path: Path) -> None:
    for name, seed in (("same", 1), ("other", 2)):
        meta.write_meta(tmp_path / name, ROWS, seed)
    bytes_of = {path: (path / "MRCONSO.RRF").read_bytes() for path in (folder, *tmp_path.iterdir())}
    assert bytes_of[folder] == bytes_of[tmp_path / "same"] != bytes_of[tmp_path / "other"]


@pytest.mark.parametrize(
    ("column", "value", "share"),
    [("LAT", "ENG", 0.612), ("LAT", "SPA", 0.114), ("SUPPRESS", "N", 0.859),
     ("SUPPRESS", "O", 0.12), ("SRL", "0", 0.426), ("SRL", "3", 0.349), ("SRL", "9", 0.2)],
)  # fmt: skip
def test_shares_are_those_of_a_release(column: str, value: str, share: float) -> None:
    place = COLUMNS["MRCONSO"].index(column)
    counts = Counter(row[place] for row in meta.conso_rows(20_000, seed=1))
    assert counts[value] / 20_000 == pytest.approx(share, abs=0.025)


def test_the_project_reads_it(folder: Path) -> None:
    found = ingest.assemble(str(folder))
    assert found["names"] == ingest.cut(str(folder))["names"]
    assert 0.6 * ROWS < found["names"] < ROWS
    levels = assembly_of(str(folder), max_srl=0).gate.levels
    batches = read_batches(str(folder / "MRCONSO.RRF"), "MRCONSO", ("SAB", "SRL"))
    rows = {tuple(row.values()) for batch in batches for row in batch.to_pylist()}
    assert {(source, str(levels[source])) for source, _ in rows} == rows


def test_each_concept_has_one_preferred_name_a_language(folder: Path) -> None:
    for _, atoms in groupby(meta.conso_rows(ROWS, seed=1), key=lambda row: row[:2]):
        statuses = [(row[2], row[4], row[6]) for row in atoms]
        assert statuses[0] == ("P", "PF", "Y")
