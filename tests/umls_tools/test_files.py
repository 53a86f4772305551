import pytest

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError
from umls_tools.files import locate

FULL = [f"meta/{table}.RRF" for table in COLUMNS]


def test_every_table_is_found() -> None:
    assert locate([*FULL, "meta/MRHIER.RRF", "meta/notes.txt"]) == dict(
        zip(COLUMNS, FULL, strict=True)
    )


def test_only_three_tables_must_be_there() -> None:
    found = locate(["m/MRSTY.RRF.gz", "m/MRSAB.RRF", "m/MRCONSO.RRF.gz", "m/MRCONSO.RRF"])
    assert found == {
        "MRCONSO": "m/MRCONSO.RRF",
        "MRSTY": "m/MRSTY.RRF.gz",
        "MRSAB": "m/MRSAB.RRF",
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
        (["m/MRCONSO.RRF.aa.gz", "m/MRSTY.RRF", "m/MRSAB.RRF"], "", "join its parts first: cat"),
        (["a/MRSTY.RRF", "b/MRSTY.RRF", "a/MRSAB.RRF", "a/MRCONSO.RRF"], "", "two releases"),
    ],
)
def test_what_is_missing_is_named(names: list[str], folder: str, message: str) -> None:
    with pytest.raises(RrfError, match=message):
        locate(names, folder)


def test_columns_have_the_documented_numbers() -> None:
    assert {table: len(columns) for table, columns in COLUMNS.items()} == {
        "MRCONSO": 18,
        "MRREL": 16,
        "MRSTY": 6,
        "MRDEF": 8,
        "MRSAB": 25,
        "MRRANK": 4,
        "MRCUI": 7,
    }


def test_columns_agree_with_the_release(openmeta_paths: dict[str, str]) -> None:
    """MRFILES, which is read here by hand, lists the columns of every file."""
    files = openmeta_paths["MRCONSO"].replace("MRCONSO", "MRFILES")
    with open(files, encoding="utf-8") as lines:  # noqa: PTH123
        listed = {row[0]: row[2] for row in (line.split("|") for line in lines)}
    assert {f"{table}.RRF": ",".join(names) for table, names in COLUMNS.items()}.items() <= (
        listed.items()
    )
