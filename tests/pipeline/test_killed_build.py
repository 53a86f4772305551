"""A build that is killed while it translates, and started anew, writes what it would have."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipeline.killable_build import LANGUAGES, QUESTIONS, questions
from translation.memory import Entry
from translation.memory_tables import write_tsv

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "pipeline" / "sample"
SCRIPT = Path(__file__).with_name("killable_build.py")
REQUESTS = QUESTIONS * len(LANGUAGES)


def killable(place: Path, kill_at: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(place), str(kill_at)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def project(place: Path) -> Path:
    """A folder with a memory of every second request."""
    place.mkdir()
    asked = [(text, language) for text in questions(SAMPLE) for language in LANGUAGES]
    known = (
        Entry(text, "en", language, f"{language} {number}", text, "human")
        for number, (text, language) in enumerate(asked)
        if number % 2
    )
    (place / "memory.tsv").write_bytes(write_tsv(known))
    return place


def held(place: Path) -> dict[str, bytes]:
    """Every file of the cache and of the release."""
    paths = [*(place / "cache").rglob("*"), *(place / "release").rglob("*")]
    return {str(path.relative_to(place)): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture(scope="module")
def unkilled(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, int]]:
    place = project(tmp_path_factory.mktemp("builds") / "unkilled")
    done = killable(place, 0)
    assert done.returncode == 0, done.stderr[-2000:]
    return held(place), json.loads(done.stdout)


def test_the_other_half_is_translated_alone(
    unkilled: tuple[dict[str, bytes], dict[str, int]],
) -> None:
    files, told = unkilled
    assert told["asked"] == REQUESTS // 2
    assert len([name for name in files if name.startswith("cache/")]) == 1
    assert {f"release/quality/verdicts/{one}.parquet" for one in LANGUAGES} <= files.keys()


@pytest.mark.parametrize("number", range(5))
def test_a_killed_build_is_resumed_to_the_same_bytes(
    number: int, unkilled: tuple[dict[str, bytes], dict[str, int]], tmp_path: Path
) -> None:
    files, told = unkilled
    # How often a folder is looked into varies by a few from run to run: not the very last ones.
    point = random.Random(2000).sample(range(1, told["events"] * 9 // 10), 5)[number]
    place = project(tmp_path / "killed")
    assert killable(place, point).returncode == -signal.SIGKILL
    again = killable(place, 0)
    assert again.returncode == 0, again.stderr[-2000:]
    assert json.loads(again.stdout)["asked"] <= REQUESTS // 2
    assert held(place) == files
