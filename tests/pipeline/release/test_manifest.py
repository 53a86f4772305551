import json
from pathlib import Path

import pytest

from pipeline.release.contents import list_files
from pipeline.release.manifest import (
    StageCount,
    build_hash,
    build_manifest,
    software_versions,
    to_json,
)
from pipeline.release.writing import FileEntry
from splits.audit import build_hash as audited_hash

FILES = [
    FileEntry("data/b.parquet", 2, 20, "bb"),
    FileEntry("README.md", 0, 9, "rr"),
    FileEntry("data/a.parquet", 1, 10, "aa"),
    FileEntry("overlap.json", 0, 5, "oo"),
]


def hashes(files: list[FileEntry]) -> dict[str, str]:
    return {entry.path: entry.sha256 for entry in files}


def test_the_hash_is_the_one_that_the_audit_recomputes(small_root: Path) -> None:
    for files in (FILES, FILES[::-1], [], list_files(small_root)):
        assert build_hash(files) == audited_hash(hashes(files))


@pytest.mark.parametrize(
    ("path", "counts"),
    [("README.md", False), ("data/a.parquet", True), ("overlap.json", True), ("x.json", False)],
)
def test_a_better_worded_card_is_the_same_benchmark(path: str, counts: bool) -> None:
    changed = [entry for entry in FILES if entry.path != path] + [FileEntry(path, 1, 1, "new")]
    assert (build_hash(changed) != build_hash(FILES)) == counts


def test_a_renamed_file_is_another_benchmark() -> None:
    renamed = [FileEntry("data/c.parquet", 2, 20, "bb"), *FILES[1:]]
    assert build_hash(renamed) != build_hash(FILES)


def test_a_manifest_holds_everything() -> None:
    counts = [StageCount("pose", 3, 2, {"b": 1, "a": 0}, {"n": 4}), StageCount("claim", 2, 2, {})]
    manifest = build_manifest(
        {"name": "small", "version": "1.0.0"},
        [FileEntry("umls/MRCONSO.RRF", 0, 7, "cc")],
        FILES,
        counts,
        {"qa-zh": "why", "qa-de": "why"},
    )
    assert manifest["name"] == "small"
    assert manifest["inputs"] == [{"name": "umls/MRCONSO.RRF", "bytes": 7, "sha256": "cc"}]
    assert manifest["files"][0] == {
        "path": "data/b.parquet", "rows": 2, "bytes": 20, "sha256": "bb"
    }  # fmt: skip
    assert manifest["counts"]["pose"] == {
        "in": 3, "out": 2, "rejected": {"a": 0, "b": 1}, "notes": {"n": 4}
    }  # fmt: skip
    assert list(manifest["absent"]) == ["qa-de", "qa-zh"]
    assert manifest["build_hash"] == build_hash(FILES)
    assert {"python", "pyarrow", "apache-beam"} <= manifest["software"].keys()


def test_software_that_is_not_installed_had_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.release.manifest.SOFTWARE", ("pyarrow", "no-such-software"))
    assert software_versions().keys() == {"python", "pyarrow"}


def test_json_is_written_one_way() -> None:
    text = to_json({"b": "Krätze", "a": [1]})
    assert text == '{\n  "a": [\n    1\n  ],\n  "b": "Krätze"\n}\n'
    assert json.loads(text) == {"a": [1], "b": "Krätze"}
