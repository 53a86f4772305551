import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.release.folder import commit, staged
from pipeline.release.layout import ReleaseError


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "small" / "1.0.0"


def put_up(target: Path, text: str) -> None:
    with staged(target) as staging:
        (staging / "a.txt").write_text(text, "utf-8")
        commit(staging, target)


def visible(target: Path) -> dict[str, str]:
    """Every file beside and in the release but the lock, which stays."""
    files = (path for path in target.parent.rglob("*") if path.is_file())
    found = {str(p.relative_to(target.parent)): p.read_text("utf-8") for p in files}
    found.pop(f".{target.name}.lock")
    return found


def test_a_release_appears_whole(target: Path) -> None:
    with staged(target) as staging:
        assert list(staging.iterdir()) == []
        assert staging.parent == target.parent
        (staging / "a.txt").write_text("new", "utf-8")
        assert not target.exists()
        commit(staging, target)
    assert visible(target) == {"1.0.0/a.txt": "new"}


def test_a_failing_build_leaves_nothing(target: Path) -> None:
    with pytest.raises(KeyError), staged(target) as staging:
        (staging / "a.txt").write_text("half", "utf-8")
        raise KeyError("x")
    assert visible(target) == {}


def test_a_failing_build_leaves_the_release_before_it(target: Path) -> None:
    put_up(target, "old")
    with pytest.raises(KeyError), staged(target) as staging:
        (staging / "a.txt").write_text("half", "utf-8")
        raise KeyError("x")
    assert visible(target) == {"1.0.0/a.txt": "old"}


def test_an_existing_release_gives_way(target: Path) -> None:
    put_up(target, "old")
    (target / "b.txt").write_text("only in the old one", "utf-8")
    put_up(target, "new")
    assert visible(target) == {"1.0.0/a.txt": "new"}


def test_what_a_killed_build_left_is_removed(target: Path) -> None:
    left = target.with_name(".1.0.0.building")
    left.mkdir(parents=True)
    (left / "half.txt").write_text("half", "utf-8")
    put_up(target, "new")
    assert visible(target) == {"1.0.0/a.txt": "new"}


def test_a_release_moved_aside_by_a_killed_build_comes_back(target: Path) -> None:
    put_up(target, "old")
    target.rename(target.with_name(".1.0.0.replaced"))
    with pytest.raises(KeyError), staged(target):
        raise KeyError("x")
    assert visible(target) == {"1.0.0/a.txt": "old"}


def test_what_was_replaced_does_not_come_back(target: Path) -> None:
    put_up(target, "new")
    aside = target.with_name(".1.0.0.replaced")
    aside.mkdir()
    (aside / "a.txt").write_text("old", "utf-8")
    put_up(target, "newer")
    assert visible(target) == {"1.0.0/a.txt": "newer"}


def test_a_second_build_in_this_process_is_refused(target: Path) -> None:
    with staged(target) as staging:
        (staging / "a.txt").write_text("first", "utf-8")
        with pytest.raises(ReleaseError, match=r"1\.0\.0: another build is writing it; wait"):
            put_up(target, "second")
        commit(staging, target)
    assert visible(target) == {"1.0.0/a.txt": "first"}
    put_up(target, "third")


def test_a_second_build_in_another_process_is_refused(target: Path) -> None:
    enter = f"""
import sys
from pathlib import Path
from pipeline.release.folder import staged
with staged(Path({str(target)!r})):
    sys.exit("entered")
"""
    with staged(target):
        done = subprocess.run(
            [sys.executable, "-c", enter], capture_output=True, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.endswith("1.0.0: another build is writing it; wait for its end\n")


def test_two_versions_are_built_side_by_side(target: Path) -> None:
    other = target.with_name("1.0.1")
    with staged(target) as one, staged(other) as two:
        assert one != two


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with (
        pytest.raises(ReleaseError, match=r"/file: (File exists|Not a directory)"),
        staged(tmp_path / "file" / "1.0.0"),
    ):
        pass
