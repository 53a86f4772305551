import re
from itertools import groupby
from math import sqrt
from pathlib import Path

import pytest

from tests.benchmarks import ingest
from tests.benchmarks.meta import concepts, made_meta
from tests.benchmarks.meta.reading import Rows, rows_of
from tests.benchmarks.meta.shares import ATOMS, SOURCES
from tests.benchmarks.meta.writing import write_meta
from umls_tools.columns import COLUMNS
from umls_tools.files import locate
from umls_tools.reading import assembly_of

ROWS, RELATED = 50_000, 176_000
TABLES = ("MRCONSO", "MRSTY", "MRDEF", "MRREL", "MRSAB", "MRRANK", "MRCUI")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("meta")
    write_meta(made, ROWS, RELATED)
    return made


@pytest.fixture(scope="module")
def atoms(folder: Path) -> Rows:
    return rows_of(folder, "MRCONSO", *COLUMNS["MRCONSO"])


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_the_columns_of_its_table(folder: Path, table: str) -> None:
    lines = (folder / f"{table}.RRF").read_bytes().removesuffix(b"\n").split(b"\n")
    assert {(line.count(b"|"), line[-1:]) for line in lines} == {(len(COLUMNS[table]), b"|")}


@pytest.mark.parametrize("table", TABLES)
def test_the_project_reads_as_many_rows_as_the_list_of_files_has(folder: Path, table: str) -> None:
    listed = {line.split("|")[0]: line.split("|") for line in text_of(folder / "MRFILES.RRF")}
    _, _, header, columns, rows, size, _ = listed[f"{table}.RRF"]
    assert header.split(",") == list(COLUMNS[table])
    assert int(columns) == len(COLUMNS[table])
    assert int(rows) == len(rows_of(folder, table, COLUMNS[table][0])) > 0
    assert int(size) == (folder / f"{table}.RRF").stat().st_size
    assert len(listed) == len(TABLES)


@pytest.mark.parametrize(
    "columns",
    [("MRCONSO", "CUI", "LAT"), ("MRSTY", "CUI", "TUI"), ("MRDEF", "CUI"), ("MRREL", "CUI1"),
     ("MRCUI", "CUI1")],
)  # fmt: skip
def test_tables_are_sorted(folder: Path, columns: tuple[str, ...]) -> None:
    rows = rows_of(folder, *columns)
    assert rows == sorted(rows)


def test_rows_are_as_many_as_asked(folder: Path, atoms: Rows) -> None:
    assert len(atoms) == ROWS
    assert len(rows_of(folder, "MRREL", "CUI1")) == RELATED
    average = sum(atoms * share for atoms, share in ATOMS.items()) / sum(ATOMS.values())
    assert average == pytest.approx(17_144_356 / 3_454_294, rel=0.002)
    assert ROWS / len({row[0] for row in atoms}) == pytest.approx(average, rel=0.03)


@pytest.mark.parametrize(
    ("table", "column"),
    [("MRCONSO", "AUI"), ("MRCONSO", "SUI"), ("MRSTY", "ATUI"), ("MRDEF", "ATUI"),
     ("MRREL", "RUI")],
)  # fmt: skip
def test_no_identifier_is_given_twice(folder: Path, table: str, column: str) -> None:
    found = [value for (value,) in rows_of(folder, table, column)]
    assert len(set(found)) == len(found)


def test_same_seed_gives_the_same_bytes_another_does_not(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        write_meta(tmp_path / name, 4_000, 10_000, seed)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "same")
    for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL", "MRCUI"):
        one, other = (bytes_of(tmp_path / name)[f"{table}.RRF"] for name in ("one", "other"))
        assert one != other


def test_blocks_do_not_show(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concepts, "BLOCK", 777)
    write_meta(tmp_path, ROWS, RELATED)
    assert bytes_of(tmp_path) == bytes_of(folder)


def test_what_was_made_before_is_not_made_again(tmp_path: Path) -> None:
    made = Path(made_meta(tmp_path, 1_000))
    (made / "MRSTY.RRF").unlink()
    assert Path(made_meta(tmp_path, 1_000)) == made
    assert sorted(path.name for path in made.iterdir()) == [
        *("MRCONSO.RRF", "MRCUI.RRF", "MRDEF.RRF", "MRFILES.RRF", "MRRANK.RRF", "MRSAB.RRF"),
    ]
    assert (Path(made_meta(tmp_path, 1_000, 2_000)) / "MRREL.RRF").is_file()


@pytest.mark.parametrize(
    ("column", "value", "share"),
    [("LAT", "ENG", 0.612), ("LAT", "SPA", 0.114), ("LAT", "FRE", 0.027), ("LAT", "JPN", 0.0205),
     ("LAT", "RUS", 0.0184), ("LAT", "GER", 0.0163), ("LAT", "CHI", 0.0053),
     ("SUPPRESS", "N", 0.859), ("SUPPRESS", "O", 0.12), ("SUPPRESS", "Y", 0.02),
     ("SRL", "0", 0.426), ("SRL", "3", 0.349), ("SRL", "9", 0.2),
     ("SRL", "4", 0.013), ("SRL", "1", 0.011), ("SRL", "2", 0.001)],
)  # fmt: skip
def test_shares_are_those_of_a_release(atoms: Rows, column: str, value: str, share: float) -> None:
    place = COLUMNS["MRCONSO"].index(column)
    found = sum(row[place] == value for row in atoms) / ROWS
    rounding = 0.0005
    assert found == pytest.approx(share, abs=rounding + 3 * sqrt(share * (1 - share) / ROWS))


@pytest.mark.parametrize(
    ("table", "gigabytes", "rows"),
    [("MRCONSO", 2.1, 17_144_356 / ROWS), ("MRSTY", 0.205, 17_144_356 / ROWS),
     ("MRDEF", 0.124, 17_144_356 / ROWS), ("MRREL", 5.7, 60_000_000 / RELATED)],
)  # fmt: skip
def test_full_tables_have_the_size_of_a_release(
    folder: Path, table: str, gigabytes: float, rows: float
) -> None:
    size = (folder / f"{table}.RRF").stat().st_size
    assert size * rows / 1e9 == pytest.approx(gigabytes, rel=0.05)


def test_most_concepts_have_an_english_name_and_chinese_ones_are_of_the_laboratory(
    folder: Path, atoms: Rows
) -> None:
    english, chinese = ({row[0] for row in atoms if row[1] == lat} for lat in ("ENG", "CHI"))
    laboratory = {cui for cui, tui in rows_of(folder, "MRSTY", "CUI", "TUI") if tui == "T201"}
    assert chinese
    assert chinese <= laboratory
    assert 0.99 < len(english) / len({row[0] for row in atoms}) < 1


def test_each_concept_has_one_preferred_name_a_language(atoms: Rows) -> None:
    for _, of_language in groupby(atoms, key=lambda row: row[:2]):
        statuses = [(row[2], row[4], row[6]) for row in of_language]
        assert statuses.index(("P", "PF", "Y")) == 0
        assert statuses.count(("P", "PF", "Y")) == 1


@pytest.mark.parametrize(
    ("source", "term_type", "pattern"),
    [("", "", '[^"]*"[^"]*'), ("", "", ".*\u2028.*"), ("", "", ".*\x85.*"), ("", "", ".*\t.*"),
     ("", "", "NA"), ("", "", "None"), ("", "", "null"), ("MDRJPN", "PTJKN", "[ｦ-ﾟ]+"),
     ("MSHRUS", "MH", "[А-Я]+, [А-Я]+"), ("MSHRUS", "SY", "[A-Z]+, [A-Z]+"),
     ("MSHGER", "MH", r"\w+, \w+"), ("SCTSPA", "MTH_PT", "[a-z ]+"),
     ("SCTSPA", "FN", r".* \(trastorno\)"), ("SNOMEDCT_US", "FN", r".* \(disorder\)")],
)  # fmt: skip
def test_names_that_readers_trip_over_are_there(
    atoms: Rows, source: str, term_type: str, pattern: str
) -> None:
    of_kind = [row[14] for row in atoms if not source or row[11:13] == (source, term_type)]
    assert any(re.fullmatch(pattern, name, re.DOTALL) for name in of_kind)


def test_names_are_short_but_for_a_long_tail(atoms: Rows) -> None:
    lengths = sorted(len(row[14]) for row in atoms)
    assert 20 < lengths[ROWS // 2] < 35
    assert 300 < lengths[-1] < 2_916


def test_some_definitions_are_long_and_some_have_markup(folder: Path) -> None:
    texts = [text for (text,) in rows_of(folder, "MRDEF", "DEF")]
    assert 700 < max(map(len, texts)) < 10_258
    assert any("<p>" in text for text in texts)
    assert any("\t" in text for text in texts)


def test_levels_of_atoms_are_those_of_their_sources(folder: Path, atoms: Rows) -> None:
    tables = locate(str(path) for path in folder.iterdir())
    levels = assembly_of(tables, ("en",), 0).gate.levels
    assert {(row[11], row[15]) for row in atoms} <= {
        (source, str(level)) for source, level in levels.items()
    }
    used = {row[11] for row in atoms}
    used |= {source for table in ("MRDEF", "MRREL") for (source,) in rows_of(folder, table, "SAB")}
    assert used <= set(levels) == {source.name for source in SOURCES}


def test_what_became_of_old_concepts_is_told(folder: Path, atoms: Rows) -> None:
    present = {row[0] for row in atoms}
    rows = rows_of(folder, "MRCUI", "CUI1", "REL", "CUI2")
    assert {rel for _, rel, _ in rows} == {"SY", "DEL", "RB", "RN", "RO"}
    assert not present & {old for old, _, _ in rows}
    assert all(new in present if rel != "DEL" else new == "" for _, rel, new in rows)
    assert len({old for old, _, _ in rows}) < len(rows)


def test_the_benchmark_takes_all_names_but_suppressed_ones_and_readings(
    folder: Path, atoms: Rows
) -> None:
    languages = {"ENG", "GER", "SPA", "FRE", "JPN", "RUS", "CHI"}
    kept = [
        row for row in atoms
        if row[1] in languages and row[16] == "N" and not row[12].endswith("JKN")
    ]  # fmt: skip
    assert ingest.read(str(folder)) == {
        "concepts": len({row[0] for row in kept}),
        "names": len(kept),
        "characters": sum(len(row[14]) for row in kept),
    }


def text_of(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
