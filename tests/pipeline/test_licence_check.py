"""Restricted texts in a release, found by the Metathesaurus that they are from."""

import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.licence_check import licence_findings
from splits.audit import verify

SHARD = "test-00000-of-00001.parquet"
QUERIES = f"data/concepts/queries/hard/de/{SHARD}"
ASKED = f"data/qa/queries/en/{SHARD}"
NAMES = f"data/concepts/corpus/{SHARD}"
VERDICTS = "quality/verdicts/de.parquet"


@pytest.fixture(scope="module")
def meta(write_meta: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts written for this test; LOST is a source that MRSAB does not list."""
    atom = write_meta.atom
    return Path(
        write_meta.write(
            tmp_path_factory.mktemp("meta"),
            MRSAB=[write_meta.source("MSH", "0"), write_meta.source("MDR", "3")],
            MRCONSO=[
                atom("C0000003", "ENG", "MSH", "Scabies"),
                atom("C0000003", "ENG", "MDR", "scabies", "3"),
                atom("C0000003", "GER", "MDR", "Milbenkrätze", "3"),
                atom("C0000003", "GER", "MDR", "Alte Krätze", "3", SUPPRESS="O"),
                atom("C0000003", "ENG", "MSH", "Seven years' itch", SUPPRESS="O"),
                atom("C0000003", "ENG", "MSH", "Norway itch", "1"),
                atom("C0000004", "GER", "LOST", "Lausbefall"),
            ],
            MRDEF=[
                write_meta.definition("C0000003", "MDR", "A mite's <i>burrow</i> in the skin."),
                write_meta.definition("C0000004", "MSH", "Lice in the hair."),
            ],
        )
    )


@pytest.fixture(scope="module")
def whole(audited: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("whole")
    return Path(audited.seal(audited.write(root, audited.small_release())))


def put(path: Path, values: dict[str, Any]) -> None:
    """Put values into the first row of a table."""
    table = pq.read_table(path, partitioning=None)
    first, *rest = table.to_pylist()
    pq.write_table(pa.Table.from_pylist([first | values, *rest], table.schema), path)


UMLS, MACHINE = {"origin": "umls", "back_translation": ""}, {"origin": "mt"}


@pytest.mark.parametrize(
    ("file", "values", "giver"),
    [
        (QUERIES, UMLS | {"text": "MILBENKRÄTZE!"}, "MDR of level 3"),
        (QUERIES, UMLS | {"text": "Alte Krätze"}, "MDR of level 3"),  # suppressed
        (QUERIES, UMLS | {"text": "Norway itch"}, "MSH of level 1"),  # the atom's own level
        (QUERIES, UMLS | {"text": "Lausbefall"}, "LOST of level unknown"),
        (QUERIES, UMLS | {"text": "A mite's burrow in the skin"}, "MDR of level 3"),  # taken out
        (QUERIES, UMLS | {"text": "A mite's <i>burrow</i> in the skin."}, "MDR of level 3"),
        (NAMES, {"text": "Milbenkrätze"}, "MDR of level 3"),
        (VERDICTS, UMLS | {"text": "Milbenkrätze"}, "MDR of level 3"),
        (ASKED, UMLS | {"text": "What is described as: A mite's burrow in the skin?"}, "MDR of"),
        (ASKED, UMLS | {"text": "What is described as: Lice in the hair?"}, ""),
        (QUERIES, UMLS | {"text": "SCABIES"}, ""),  # a source of level 0 gives it as well
        (QUERIES, UMLS | {"text": "Seven years' itch"}, ""),  # suppressed, but free
        (QUERIES, UMLS | {"text": "Lice in the hair"}, ""),
        (QUERIES, UMLS | {"text": "Nobody's name"}, ""),
        (QUERIES, {"origin": "source", "text": "Milbenkrätze"}, ""),  # as the evidence asks it
    ],
)
def test_a_restricted_text_is_found_where_it_stands(
    file: str, values: dict[str, Any], giver: str, whole: Path, meta: Path, tmp_path: Path
) -> None:
    release = Path(shutil.copytree(whole, tmp_path / "release"))
    put(release / file, values)
    faults, coincidences = licence_findings(release, str(meta))
    assert coincidences == []
    if not giver:
        assert faults == []
        return
    (fault,) = faults
    row = pq.read_table(release / file, partitioning=None).column(0)[0]
    assert fault.startswith(f"{file} {row}: holds a text that only restricted sources give")
    assert giver in fault
    assert values["text"] not in fault


@pytest.mark.parametrize("column", ["text", "back_translation"])
def test_a_machine_may_come_upon_a_restricted_text_by_itself(
    column: str, whole: Path, meta: Path, tmp_path: Path
) -> None:
    release = Path(shutil.copytree(whole, tmp_path / "release"))
    put(release / QUERIES, MACHINE | {column: "Milbenkrätze"})
    faults, (coincidence,) = licence_findings(release, str(meta))
    assert faults == []
    assert coincidence.startswith(f"{QUERIES} concepts-1: the machine translation equals a text")
    put(release / VERDICTS, UMLS | {"text": "Milbenkrätze"})
    (fault,), coincidences = licence_findings(release, str(meta))
    assert coincidences == []
    assert fault.startswith(f"{QUERIES} concepts-1 and 1 more: holds a text")


def test_a_source_whose_level_was_lowered_is_found(
    audited: ModuleType, whole: Path, meta: Path, tmp_path: Path
) -> None:
    release = Path(shutil.copytree(whole, tmp_path / "release"))
    said = audited.fields(release) | {"sources": {"MSH": 0, "MDR": 0, "ELSEWHERE": 0}}
    audited.reseal(release, said)
    assert verify(release) == []
    faults, _ = licence_findings(release, str(meta))
    assert len(faults) == 1
    assert faults[0].startswith("manifest.json: sources gives MDR level 0, MRSAB level 3")


@pytest.mark.parametrize(
    ("origin", "options", "last", "exit_code"),
    [
        ("umls", (), "1 faults", 1),
        ("umls", ("--coincidence", "note"), "1 faults", 1),
        ("mt", (), "1 faults", 1),
        ("mt", ("--coincidence", "note"), "0 faults", 0),
    ],
)
def test_a_text_planted_with_every_hash_made_right_is_found_by_the_command(
    *, origin: str, options: tuple[str, ...], last: str, exit_code: int,
    audited: ModuleType, whole: Path, meta: Path, tmp_path: Path,
) -> None:  # fmt: skip
    release = Path(shutil.copytree(whole, tmp_path / "release"))

    def plant(root: Path) -> None:
        for file in (QUERIES, VERDICTS):
            back = {"back_translation": "mite plague"} if origin == "mt" else UMLS
            put(root / file, back | {"text": "Milbenkrätze", "origin": origin})

    audited.doctored(release, plant)
    assert verify(release) == []  # nothing in the release itself tells
    done = CliRunner().invoke(app, ["verify", str(release), "--umls", str(meta), *options])
    line, end = done.stdout.splitlines()
    assert line.startswith(
        f"{'NOTE' if exit_code == 0 else 'FAULT'} {QUERIES} concepts-1 and 1 more"
    )
    assert (end, done.exit_code) == (last, exit_code)


def test_a_table_that_cannot_be_read_hides_no_restricted_text(
    whole: Path, meta: Path, tmp_path: Path
) -> None:
    release = Path(shutil.copytree(whole, tmp_path / "release"))
    put(release / QUERIES, UMLS | {"text": "Milbenkrätze"})
    (release / NAMES).write_bytes(b"PAR1")
    (release / "manifest.json").write_text("[]", "utf-8")
    done = CliRunner().invoke(app, ["verify", str(release), "--umls", str(meta)])
    assert (done.exit_code, done.stderr) == (1, "")
    for fault in (
        "manifest.json: not a JSON object",
        f"{NAMES}: not a readable Parquet file",
        f"{QUERIES} concepts-1: holds a text that only restricted sources give",
    ):
        assert f"FAULT {fault}" in done.stdout


def test_no_metathesaurus_is_a_wrong_request(whole: Path) -> None:
    done = CliRunner().invoke(app, ["verify", str(whole), "--umls", "/nowhere"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "/nowhere" in done.stderr
