import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.release import folder
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
    """Every file beside and in the release."""
    files = (path for path in target.parent.rglob("*") if path.is_file())
    return {str(p.relative_to(target.parent)): p.read_text("utf-8") for p in files}


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


# What a build does until it is killed, and what then stands under the release's name.
KILLS = [
    ("with staged(target) as new: write(new); kill()", "old"),
    ("with staged(target) as new: write(new); commit(new, target); kill()", "new"),
    ("with staged(target) as new: write(new); (new / 'b').mkdir(); kill()", "old"),
]


def kill_a_build(target: Path, doing: str) -> None:
    setting = f"""
import os, signal
from pathlib import Path
from pipeline.release import folder
from pipeline.release.folder import commit, staged
target = Path({str(target)!r})
def kill(*_): os.kill(os.getpid(), signal.SIGKILL)
def write(new): (new / "a.txt").write_text("new", "utf-8")
{doing}
"""
    done = subprocess.run([sys.executable, "-c", setting], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize(("doing", "standing"), KILLS)
def test_a_kill_leaves_a_whole_release_under_its_name(
    doing: str, standing: str, target: Path
) -> None:
    put_up(target, "old")
    kill_a_build(target, doing)
    assert (target / "a.txt").read_text("utf-8") == standing
    put_up(target, "newer")  # what the killed one left is no hindrance
    assert visible(target) == {"1.0.0/a.txt": "newer"}


def test_a_kill_between_two_renames_is_made_good_by_the_next_build(target: Path) -> None:
    """Where folders cannot change places in one step."""
    put_up(target, "old")
    doing = "folder._exchanged = lambda *_: False\n"
    doing += "rename = Path.rename\n"
    doing += "Path.rename = lambda *paths: (rename(*paths), kill())\n"
    kill_a_build(target, doing + "with staged(target) as new: write(new); commit(new, target)")
    assert not target.exists()
    with pytest.raises(KeyError), staged(target):
        raise KeyError("x")
    assert visible(target) == {"1.0.0/a.txt": "old"}


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_release_gives_way_whether_or_not_folders_can_change_places(
    can_exchange: bool, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr(folder, "_exchanged", lambda *_: False)
    put_up(target, "old")
    put_up(target, "new")
    assert visible(target) == {"1.0.0/a.txt": "new"}


def test_a_full_disk_leaves_the_release_before_it(target: Path) -> None:
    put_up(target, "old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
    with pytest.raises(ReleaseError, match="No space left"), staged(target) as staging:
        (staging / "a.txt").write_text("half", "utf-8")
        raise full
    assert visible(target) == {"1.0.0/a.txt": "old"}


def test_a_lock_file_that_was_removed_meanwhile_locks_nothing(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another build ends, and takes its lock file along, after this one has opened it."""
    target.parent.mkdir(parents=True)
    lock = target.with_name(".1.0.0.lock")
    taken: list[int] = []

    def flock(handle: object, operation: int) -> None:
        if not taken:
            lock.unlink()
        taken.append(operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with staged(target):
        assert lock.exists()
    assert len(taken) == 2
    assert not lock.exists()


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
