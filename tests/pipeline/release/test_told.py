"""A manifest that is no JSON, or holds something else than it should, is told in one line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.release.layout import ReleaseError
from pipeline.release.told import read_told

SHA256 = "0" * 64
WHOLE = {
    "name": "small",
    "version": "1.0.0",
    "languages": ["en"],
    "umls_release": "2025AB",
    "build_hash": SHA256,
    "profile": "open",
    "plan": "",
    "software": {"python": "3.11"},
    "inputs": [{"name": "MRCONSO.RRF", "bytes": 1, "sha256": SHA256}],
    "files": [{"path": "README.md", "rows": 0, "bytes": 1, "sha256": SHA256}],
}
CONTENTS = {
    "a list": ("[1]", "is no JSON object"),
    "cut short": ('{"name": ', "is no JSON"),
    "too deep": ("[" * 100_000, "is no JSON"),
    "no files": (json.dumps({**WHOLE, "files": None}), "files is not a list of objects"),
    "a file of no path": (json.dumps({**WHOLE, "files": [{}]}), "files is not a list of objects"),
    "files by number": (json.dumps({**WHOLE, "files": [3]}), "files is not a list of objects"),
    "a version's path": (
        json.dumps({**WHOLE, "version": "../../v"}),
        "is not a semantic version",
    ),
    "a name's path": (json.dumps({**WHOLE, "name": "../v"}), "name is not a name of letters"),
    "languages by number": (json.dumps({**WHOLE, "languages": 3}), "languages is not a list"),
    "a plan of lists": (json.dumps({**WHOLE, "plan": []}), "plan is not a string"),
    "software without versions": (
        json.dumps({**WHOLE, "software": {"x": 1}}),
        "software is not an",
    ),
    "inputs of strings": (
        json.dumps({**WHOLE, "inputs": ["x"]}),
        "inputs is not a list of objects",
    ),
    "no version": (json.dumps({k: v for k, v in WHOLE.items() if k != "version"}), "no version"),
}
COMMANDS = (
    ("export", "trec", "RELEASE", "-o", "OUT"),
    ("diff", "RELEASE", "RELEASE"),
    ("rebuild", "--check", "RELEASE"),
    ("publish", "RELEASE", "--to", "OUT"),
)


def written(root: Path, content: str) -> Path:
    root.mkdir()
    (root / "manifest.json").write_text(content, "utf-8")
    return root


def test_a_whole_manifest_is_given_as_it_is(tmp_path: Path) -> None:
    assert read_told(written(tmp_path / "r", json.dumps(WHOLE)), WHOLE) == WHOLE


@pytest.mark.parametrize("case", CONTENTS)
def test_what_is_wrong_is_named(tmp_path: Path, case: str) -> None:
    content, told = CONTENTS[case]
    with pytest.raises(ReleaseError, match=f"manifest.json: .*{told}.*; fetch the release again"):
        read_told(written(tmp_path / "r", content), WHOLE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_a_command_ends_in_one_line_and_writes_nothing(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    places = {"RELEASE": str(written(tmp_path / "r", "[1]")), "OUT": str(tmp_path / "out")}
    ended = CliRunner().invoke(app, [places.get(word, word) for word in command])
    assert ended.exit_code == 1
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
    assert "manifest.json: is no JSON object; fetch the release again" in line
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
