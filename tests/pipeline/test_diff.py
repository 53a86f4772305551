"""What differs between two releases, and the version that it asks for."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.diff.comparing import ADDED, CHANGED, REPACKAGED, SAME, compare, stepped

Edit = Callable[[Path], None]


def table(root: Path, folder: str) -> Path:
    return next((root / "data" / folder).glob("*.parquet"))


def edited(folder: str, change: Callable[[pa.Table], pa.Table]) -> Edit:
    def edit(root: Path) -> None:
        path = table(root, folder)
        pq.write_table(change(pq.read_table(path, partitioning=None)), path)

    return edit


def upper(rows: pa.Table) -> pa.Table:
    place = rows.schema.get_field_index("text")
    return rows.set_column(place, "text", pc.utf8_upper(rows.column("text")))


def remove(folder: str) -> Edit:
    return lambda root: shutil.rmtree(root / "data" / folder)


def french(root: Path) -> None:
    for kind in ("queries", "qrels"):
        shutil.copytree(root / "data" / "qa" / kind / "de", root / "data" / "qa" / kind / "fr")


def card(root: Path) -> None:
    (root / "README.md").write_text("reworded", "utf-8")


EDITS: dict[str, tuple[Edit, str, str, str]] = {
    "nothing": (lambda _: None, SAME, "", ""),
    "a text": (edited("qa/queries/de", upper), CHANGED, "changed", "data/qa/queries/de"),
    "a row less": (
        edited("qa/queries/de", lambda rows: rows.slice(1)),
        CHANGED,
        "removed",
        "data/qa/queries/de",
    ),
    "the same document twice": (
        edited("qa/corpus", lambda rows: rows.set_column(0, "_id", with_more(rows))),
        CHANGED,
        "added",
        "data/qa/corpus",
    ),
    "a judgement": (
        edited("qa/qrels/de", lambda rows: rows.set_column(2, "score", twice(rows))),
        CHANGED,
        "changed",
        "data/qa/qrels/de",
    ),
    "a column": (
        edited("qa/queries/de", lambda rows: rows.drop_columns(["sabs"])),
        CHANGED,
        "columns",
        "data/qa/queries/de",
    ),
    "a subset gone": (remove("qa/queries/de"), CHANGED, "gone", "data/qa/queries/de"),
    "a language more": (french, ADDED, "new", "data/qa/queries/fr"),
    "the card": (card, REPACKAGED, "", ""),
    "the order of rows": (
        edited("qa/queries/de", lambda rows: rows.take(list(reversed(range(len(rows)))))),
        REPACKAGED,
        "",
        "",
    ),
}


def with_more(rows: pa.Table) -> pa.Array:
    return pa.array([f"{one}x" for one in rows.column("_id").to_pylist()])


def twice(rows: pa.Table) -> pa.Array:
    return pa.array([2 * one for one in rows.column("score").to_pylist()], pa.int32())


@pytest.mark.parametrize(("edit", "kind", "word", "where"), EDITS.values(), ids=EDITS)
def test_every_difference_has_a_kind(
    audited: ModuleType, sound: Path, tmp_path: Path, edit: Edit, kind: str, word: str, where: str
) -> None:
    new = Path(shutil.copytree(sound, tmp_path / "new"))
    edit(new)
    audited.reseal(new, audited.fields(new))
    found = compare(sound, new)
    assert found.kind == kind
    shown = CliRunner().invoke(app, ["diff", str(sound), str(new)])
    assert shown.exit_code == (0 if kind == SAME else 1), "the version did not rise"
    lines = [line.split() for line in shown.output.splitlines()]
    assert word in {"", *(line[0] for line in lines)}
    assert not where or any(line[1].rstrip(":") == where for line in lines if line[0] == word)
    told = json.loads(CliRunner().invoke(app, ["diff", str(sound), str(new), "--json"]).output)
    assert told["kind"] == kind


VERSIONS = [
    ("1.2.3", SAME, "1.2.3"),
    ("1.2.3", REPACKAGED, "1.2.4"),
    ("1.2.3", ADDED, "1.3.0"),
    ("1.2.3", CHANGED, "2.0.0"),
    ("0.2.3", CHANGED, "0.3.0"),
    ("0.2.3", ADDED, "0.3.0"),
    ("0.2.3-rc.1", REPACKAGED, "0.2.4"),
]


@pytest.mark.parametrize(("version", "kind", "least"), VERSIONS)
def test_the_least_version(version: str, kind: str, least: str) -> None:
    assert stepped(version, kind) == least


@pytest.mark.parametrize(("version", "exit_code"), [("1.0.1", 1), ("1.9.0", 1), ("2.0.0", 0)])
def test_a_version_that_says_too_little_fails(
    audited: ModuleType, sound: Path, tmp_path: Path, version: str, exit_code: int
) -> None:
    new = Path(shutil.copytree(sound, tmp_path / "new"))
    edited("qa/queries/de", upper)(new)
    audited.reseal(new, audited.fields(new) | {"version": version})
    ended = CliRunner().invoke(app, ["diff", str(sound), str(new)])
    assert ended.exit_code == exit_code


def test_what_was_made_otherwise_is_told(audited: ModuleType, sound: Path, tmp_path: Path) -> None:
    new = Path(shutil.copytree(sound, tmp_path / "new"))
    said = {"umls_release": "2026AA", "inputs": [{"name": "MRCONSO", "bytes": 1, "sha256": "1"}]}
    audited.reseal(new, audited.fields(new) | said)
    shown = CliRunner().invoke(app, ["diff", str(sound), str(new)]).output
    assert "umls_release: 2025AB -> 2026AA" in shown
    assert "inputs MRCONSO: None -> 1" in shown


def test_what_is_no_release_is_named(sound: Path, tmp_path: Path) -> None:
    ended = CliRunner().invoke(app, ["diff", str(sound), str(tmp_path)])
    assert ended.exit_code == 1
    assert "no manifest.json" in ended.output


def no_key(rows: pa.Table) -> pa.Table:
    return rows.drop_columns(["_id"])


def cut(root: Path) -> None:
    path = table(root, "qa/queries/de")
    path.write_bytes(path.read_bytes()[:100])


def other_shard(root: Path) -> None:
    pq.write_table(pa.table({"_id": [1]}), table(root, "qa/queries/de").with_name("x.parquet"))


UNREADABLE: dict[str, tuple[Edit, str]] = {
    "no key": (edited("qa/queries/de", no_key), "queries/de: not one column _id"),
    "cut short": (cut, "cannot be read"),
    "shards of two schemas": (other_shard, "queries/de: cannot be read"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_table_that_cannot_be_compared_is_named(sound: Path, tmp_path: Path, case: str) -> None:
    edit, told = UNREADABLE[case]
    new = Path(shutil.copytree(sound, tmp_path / "new"))
    edit(new)
    ended = CliRunner().invoke(app, ["diff", str(sound), str(new)])
    assert ended.exit_code == 1
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
    assert told in line


def test_ids_of_another_type_are_a_change(sound: Path, tmp_path: Path) -> None:
    def numbered(rows: pa.Table) -> pa.Table:
        place = rows.schema.get_field_index("_id")
        return rows.set_column(place, "_id", pa.array(range(rows.num_rows)))

    new = Path(shutil.copytree(sound, tmp_path / "new"))
    edited("qa/queries/de", numbered)(new)
    assert compare(sound, new).kind == CHANGED
