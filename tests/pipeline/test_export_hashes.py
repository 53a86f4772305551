from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from splits.outside import Ours
from splits.outside_files import read_list


@pytest.fixture
def release(audited: ModuleType, tmp_path: Path) -> Path:
    return Path(audited.write(tmp_path / "release", audited.small_release()))


def open_(path: str) -> BinaryIO:
    return Path(path).open("rb")


def test_exported_hashes_know_every_query_and_show_no_text(release: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "hashes.tsv"
    result = CliRunner().invoke(app, ["export", "hashes", str(release), "-o", str(target)])
    assert (result.exit_code, result.stdout) == (0, f"6 texts in {target}\n")
    header, *rows = target.read_text("utf-8").splitlines()
    assert header == "sha256\tsketch\tlanguage"
    assert rows == sorted(rows)
    assert "aspirin" not in target.read_text("utf-8").lower()
    ours = Ours(
        {"a": ["Hilft aspirin"], "b": ["How long does a migraine last now?"], "c": ["gout"]}
    )
    found = ours.find(read_list(str(target), "text", open_))
    assert {key: match.kind for key, match in found.items()} == {"a": "equal", "b": "near"}


def test_what_is_no_release_has_no_hashes(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["export", "hashes", str(tmp_path), "-o", "x.tsv"])
    assert result.exit_code == 1
    assert "no queries; name the folder of a release" in result.stderr


def test_hashes_replace_no_folder_and_stay_out_of_the_release(
    release: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    for place, told in ((release / "x.tsv", "within the release"), (tmp_path, "is a folder")):
        result = CliRunner().invoke(app, ["export", "hashes", str(release), "-o", str(place)])
        assert result.exit_code == 1
        assert f"{place}: {told}" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before
