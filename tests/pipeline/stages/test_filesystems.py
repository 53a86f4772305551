import gzip
import hashlib
from pathlib import Path

import pytest

from pipeline.settings import PlanError
from pipeline.stages.filesystems import exists, fingerprint, list_files, open_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/c.txt", "a.txt", "b/a.txt"):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    return tmp_path / "data"


def test_files_are_listed_by_path(folder: Path) -> None:
    expected = [str(folder / name) for name in ("a.txt", "b/a.txt", "b/c.txt")]
    assert list_files(str(folder)) == expected
    assert list_files(str(folder / "a.txt")) == expected[:1]


@pytest.mark.parametrize("path", ["none", "a.txt/x"])
def test_what_is_not_there_is_named(folder: Path, path: str) -> None:
    with pytest.raises(PlanError, match=r"no such file or folder; check the plan's path"):
        list_files(str(folder / path))


def test_existence(folder: Path) -> None:
    assert exists(str(folder))
    assert exists(str(folder / "a.txt"))
    assert not exists(str(folder / "none"))
    assert not exists("")


def test_compressed_files_are_given_as_they_lie_there(tmp_path: Path) -> None:
    """Decompressed on the way, a truncated file would end without an error."""
    packed = gzip.compress(b"text" * 100)[:-8]
    path = tmp_path / "x.gz"
    path.write_bytes(packed)
    with open_file(str(path)) as file:
        assert file.read() == packed


def test_a_fingerprint_is_free_of_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"ab" * 700_000)
    entry = fingerprint(str(path), "evidence/x.bin")
    assert entry.as_json() == {
        "path": "evidence/x.bin",
        "rows": 0,
        "bytes": 1_400_000,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def test_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "two.xml").touch()
    here = tmp_path / "here"
    here.mkdir()
    (here / "one.xml").touch()
    (here / "linked").symlink_to(tmp_path / "far")
    (here / "linked" / "back").symlink_to(here)
    assert [Path(path).name for path in list_files(str(here))] == ["two.xml", "one.xml"]


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "MRREL.RRF").symlink_to(tmp_path / "gone")
    with pytest.raises(PlanError, match=r"MRREL.RRF: a link that leads nowhere"):
        list_files(str(tmp_path))
