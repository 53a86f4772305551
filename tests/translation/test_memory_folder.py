"""A cache that several write to, that is compacted, damaged, and whose writers are killed."""

import json
import os
import platform
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from translation import memory_folder
from translation.memory import Entry
from translation.memory_files import load_memory, read_entries, write_entries
from translation.memory_folder import compact, set_aside_damaged, tidy
from translation.memory_tables import write_tsv

KILLABLE = Path(__file__).with_name("killable.py")
SENTENCES = 2000
ENTRY = Entry("Stroke", "en", "de", "Schlaganfall", "Stroke", "nllb", "m", "r", "nllb m@r", -0.5)


def entries(start: int, stop: int) -> list[Entry]:
    return [replace(ENTRY, text=f"Text {number}") for number in range(start, stop)]


def held(folder: Path) -> dict[str, bytes]:
    """What is there, without what a killed process was about to write."""
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if not p.name.startswith(".")}


def test_many_files_become_one_that_depends_on_the_entries_alone(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for start, stop in ((0, 5), (3, 9), (9, 12)):
        write_entries(str(one), entries(start, stop))
    write_entries(str(other), entries(0, 12))
    assert len(list(one.iterdir())) == 3
    compact(str(one))
    assert held(one) == held(other)
    assert compact(str(one)) == compact(str(one)) == str(next(one.iterdir()))
    assert len(load_memory([str(one)]).entries) == 12


def test_nothing_is_compacted_into_nothing(tmp_path: Path) -> None:
    assert compact(str(tmp_path)) == ""
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_set_aside_and_named(tmp_path: Path) -> None:
    whole = Path(write_entries(str(tmp_path), entries(0, 5)))
    cut = Path(write_entries(str(tmp_path), entries(5, 9)))
    cut.write_bytes(cut.read_bytes()[:-20])
    own = tmp_path / "ours.tsv"
    own.write_bytes(write_tsv([replace(ENTRY, engine="human", signature="")]))
    [said] = set_aside_damaged(str(tmp_path))
    assert said.startswith(f"{cut}: no translation memory")
    assert said.endswith(f"set aside as {cut.name}.damaged")
    assert held(tmp_path).keys() == {whole.name, f"{cut.name}.damaged", "ours.tsv"}
    assert len(load_memory([str(tmp_path)]).entries) == 6
    assert tidy(str(tmp_path)) == []
    assert own.is_file()


def test_several_write_read_and_compact_side_by_side(tmp_path: Path) -> None:
    folder = str(tmp_path)

    def work(worker: int) -> int:
        for number in range(12):
            start = 100 * worker + 5 * number
            write_entries(folder, entries(start, start + 5))
            if number % 3 == worker % 3:
                compact(folder)
        return len(load_memory([folder]).entries)

    with ThreadPoolExecutor(4) as pool:
        assert all(count >= 60 for count in pool.map(work, range(4)))
    compact(folder)
    expected = sorted(f"Text {100 * worker + one}" for worker in range(4) for one in range(60))
    assert [path.suffix for path in tmp_path.iterdir()] == [".parquet"]
    assert sorted(entry.text for entry in load_memory([folder]).entries) == expected


def test_a_file_that_vanishes_is_looked_for_in_what_took_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (write_entries(str(tmp_path), entries(at, at + 3)) for at in (0, 3))
    gone: list[str] = []

    def compacted_meanwhile(path: str) -> list[Entry]:
        if not gone:
            gone.append(compact_by_another(tmp_path, first, second))
        return read_entries(path)

    monkeypatch.setattr(memory_folder, "read_entries", compacted_meanwhile)
    compact(str(tmp_path))
    assert {entry.text for entry in load_memory([str(tmp_path)]).entries} == {
        f"Text {number}" for number in range(6)
    }


def compact_by_another(folder: Path, *paths: str) -> str:
    merged = write_entries(str(folder), [one for path in paths for one in read_entries(path)])
    for path in paths:
        Path(path).unlink()
    return merged


def killable(folder: Path, kill_at: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, str(KILLABLE), str(folder / "cache"), str(folder / "memory.tsv")),
            *(str(folder / "out.json"), str(kill_at)),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )


def project(folder: Path) -> Path:
    """A folder with a memory of every second sentence."""
    folder.mkdir()
    known = (
        Entry(f"Sentence {number} of {SENTENCES}.", "en", "de", f"Satz {number}", "", "human")
        for number in range(0, SENTENCES, 2)
    )
    (folder / "memory.tsv").write_bytes(write_tsv(known))
    return folder


def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    unkilled = project(tmp_path / "unkilled")
    done = killable(unkilled, 0)
    told = json.loads(done.stdout)
    assert told["asked"] == SENTENCES // 2
    expected = (held(unkilled / "cache"), (unkilled / "out.json").read_bytes())
    assert len(expected[0]) == 1
    points = random.Random(6).sample(range(1, told["events"] + 1), 5)
    for point in points:
        killed = project(tmp_path / f"killed-{point}")
        assert killable(killed, point).returncode == -signal.SIGKILL
        assert not (killed / "out.json").exists()
        again = json.loads(killable(killed, 0).stdout)
        assert again["asked"] <= SENTENCES // 2
        assert (held(killed / "cache"), (killed / "out.json").read_bytes()) == expected


def test_what_a_killed_process_left_half_written_is_removed(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = platform.node().partition(".")[0]
    left = tmp_path / f".{host}-{dead.pid}.abc.tmp"
    kept = [
        tmp_path / f".{host}-{os.getpid()}.abc.tmp",  # still writing
        tmp_path / f".elsewhere-{dead.pid}.abc.tmp",  # another machine's
        tmp_path / ".unknown.tmp",
    ]
    for path in (left, *kept):
        path.write_bytes(b"PAR1")
    tidy(str(tmp_path))
    assert sorted(tmp_path.iterdir()) == sorted(kept)
