import gzip
from pathlib import Path

import pytest

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError
from umls_tools.files import TableFile, locate, refuse_empty

FULL = [f"meta/{table}.RRF" for table in COLUMNS]


def found(names: list[str], folder: str = "") -> dict[str, tuple[str, ...]]:
    return {table: file.paths for table, file in locate(names, folder).items()}


def test_every_table_is_found() -> None:
    expected = {table: (path,) for table, path in zip(COLUMNS, FULL, strict=True)}
    assert found([*FULL, "meta/MRHIER.RRF", "meta/notes.txt"]) == expected


def test_only_three_tables_must_be_there() -> None:
    parts = [f"m/MRDEF.RRF.{letters}.gz" for letters in ("ac", "aa", "ab")]
    names = ["m/MRSTY.RRF.gz", "m/MRSAB.RRF", "m/MRCONSO.RRF.gz", "m/MRCONSO.RRF", *parts]
    assert found(names) == {
        "MRCONSO": ("m/MRCONSO.RRF",),
        "MRSTY": ("m/MRSTY.RRF.gz",),
        "MRSAB": ("m/MRSAB.RRF",),
        "MRDEF": tuple(sorted(parts)),
    }


@pytest.mark.parametrize(
    ("names", "folder", "message"),
    [
        (
            ["gs://b/m/MRSTY.RRF"],
            "",
            r"^gs://b/m: no MRCONSO\.RRF or MRCONSO\.RRF\.gz, MRSAB.*META",
        ),
        ([], "2025AB/META", "^2025AB/META: no MRCONSO.*give the META folder"),
        (["m/MRCONSO.RRF.ab.gz", "m/MRSTY.RRF", "m/MRSAB.RRF"], "", "part aa of MRCONSO"),
        (["a/MRSTY.RRF", "b/MRSTY.RRF", "a/MRSAB.RRF", "a/MRCONSO.RRF"], "", "two releases"),
    ],
)
def test_what_is_missing_is_named(names: list[str], folder: str, message: str) -> None:
    with pytest.raises(RrfError, match=message):
        locate(names, folder)


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    for table in ("MRCONSO", "MRSTY", "MRSAB"):
        (tmp_path / f"{table}.RRF.gz").write_bytes(gzip.compress(b"C0000001|"))
    tables = locate(str(path) for path in tmp_path.iterdir())
    refuse_empty(tables)
    (tmp_path / "MRSTY.RRF.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(RrfError, match=r"MRSTY\.RRF\.gz: empty; copy or download it again"):
        refuse_empty(tables)


def test_columns_have_the_documented_numbers() -> None:
    assert {table: len(columns) for table, columns in COLUMNS.items()} == {
        "MRCONSO": 18,
        "MRREL": 16,
        "MRSTY": 6,
        "MRDEF": 8,
        "MRSAB": 25,
        "MRRANK": 4,
        "MRCUI": 7,
        "MRFILES": 6,
        "CHANGE/MERGEDCUI": 2,
        "CHANGE/DELETEDCUI": 2,
    }


def test_columns_agree_with_the_release(openmeta_paths: dict[str, TableFile]) -> None:
    """MRFILES, which is read here by hand, lists the columns of every file."""
    files = openmeta_paths["MRFILES"].name
    with open(files, encoding="utf-8") as lines:  # noqa: PTH123
        listed = {row[0]: row[2] for row in (line.split("|") for line in lines)}
    ours = {f"{table}.RRF": ",".join(names) for table, names in COLUMNS.items()}
    assert len(ours.keys() & listed.keys()) == 8
    assert all(names == ours[file] for file, names in listed.items() if file in ours)
