"""Tiers that are what they are called pass; tiers that are not are told."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.difficulty import (
    DIFFICULTY,
    PICTURE,
    TITLE,
    Difficulty,
    measure_difficulty,
    write_difficulty,
)
from pipeline.release.writing import entry_of

SETS, SHOWN = 100, 10
DIGITS = {"easy": 1, "medium": 2, "hard": 3}
FALLING = {"easy": 0.8, "medium": 0.5, "hard": 0.2}
Write = Callable[[dict[str, float]], tuple[Path, Path]]


@pytest.fixture
def write(tmp_path: Path, audited: ModuleType) -> Write:
    """A release of sets in circles of ten, and a run that finds a share of each tier's golds."""

    def write_both(found: dict[str, float]) -> tuple[Path, Path]:
        tables = audited.small_release()
        for folder in [name for name in tables if name.startswith("data/concepts")]:
            del tables[folder]
        corpus = [
            audited.document(f"concept-{cui(tier, place)}", name(tier, place), cui(tier, place))
            for tier in found
            for place in range(SETS)
        ]
        tables["data/concepts/corpus"] = corpus
        for tier in found:
            places = [(query_id(tier, place), cui(tier, place), place) for place in range(SETS)]
            tables[f"data/concepts/queries/{tier}/en"] = [
                audited.query(query, f"asked for {own}", own) for query, own, _ in places
            ]
            tables[f"data/concepts/qrels/{tier}/en"] = [
                audited.qrel(query, f"concept-{own}") for query, own, _ in places
            ]
            tables[f"data/concepts/top_ranked/{tier}/en"] = [
                {"query-id": query, "corpus-ids": shown(tier, at)} for query, _, at in places
            ]
        root = Path(audited.seal(audited.write(tmp_path / "release", tables), tables))
        return root, write_run(tmp_path / "run", found)

    return write_both


def write_run(run: Path, found: dict[str, float]) -> Path:
    run.mkdir()
    for tier, share in found.items():
        lines = []
        for place in range(SETS):
            right = f"concept-{cui(tier, place)}"
            wrong = f"concept-{cui(tier, place - place % SHOWN + (place + 1) % SHOWN)}"
            best = right if (place * 37) % SETS < share * SETS else wrong
            lines += [
                f"{query_id(tier, place)} Q0 {one} 1 {int(one == best)} x"
                for one in shown(tier, place)
            ]
        (run / f"concepts-{tier}-en.trec").write_text("\n".join(lines) + "\n")
    return run


def query_id(tier: str, place: int) -> str:
    return f"concepts-{tier}-{place}"


def shown(tier: str, place: int) -> list[str]:
    """The circle's ten concepts, beginning elsewhere for each of them."""
    circle = place - place % SHOWN
    return [f"concept-{cui(tier, circle + (place * 2 + at) % SHOWN)}" for at in range(SHOWN)]


def cui(tier: str, place: int) -> str:
    return f"C{DIGITS[tier]}{place:06d}"


def name(tier: str, place: int) -> str:
    """Names of equal length, of words that nothing else has."""
    return f"{'xyz'[DIGITS[tier] - 1]}{place:03d}q"


def judged(root: Path, run: Path) -> Difficulty:
    return measure_difficulty(root, [], [run])


def test_falling_tiers_are_what_they_are_called(write: Write) -> None:
    found = judged(*write(FALLING))
    (curve,) = found.curves
    assert {tier: round(one.mean, 2) for tier, one in curve.tiers.items()} == FALLING
    assert curve.falls
    assert found.deals["run"] == 0
    assert found.faults == []


@pytest.mark.parametrize(
    "shares",
    [
        {"easy": 0.2, "medium": 0.5, "hard": 0.8},
        {"easy": 0.5, "medium": 0.5, "hard": 0.5},
        {"easy": 0.5, "medium": 0.6, "hard": 0.2},
        {"easy": 0.52, "medium": 0.5, "hard": 0.48},
    ],
    ids=["upside down", "all alike", "medium above easy", "apart by chance"],
)
def test_other_tiers_are_told(write: Write, shares: dict[str, float]) -> None:
    (fault,) = judged(*write(shares)).faults
    assert fault.startswith("run: accuracy@1 does not fall from tier to tier: easy")


def test_the_command_fails_and_tells(write: Write) -> None:
    root, run = write({"easy": 0.5, "medium": 0.5, "hard": 0.5})
    ended = CliRunner().invoke(app, ["difficulty", str(root), "--run", str(run)])
    assert ended.exit_code == 1
    assert "does not fall" in ended.output


def test_it_is_written_into_the_card_and_only_once(write: Write) -> None:
    root, run = write(FALLING)
    command = ["difficulty", str(root), "--run", str(run), "--write", "--json"]
    for _ in range(2):
        ended = CliRunner().invoke(app, command)
        assert ended.exit_code == 0, ended.output
    card = (root / "README.md").read_text("utf-8")
    assert card.count(f"## {TITLE}") == 1
    assert "| run | en | 0.800 (" in card
    told = json.loads((root / DIFFICULTY).read_text("utf-8"))
    assert told == json.loads(ended.output)
    assert card.count(f"]({PICTURE})") == 1
    listed = json.loads((root / "manifest.json").read_text("utf-8"))["files"]
    assert {DIFFICULTY, PICTURE} <= {entry["path"] for entry in listed}
    assert listed == [entry_of(root, entry["path"], entry["rows"]).as_json() for entry in listed]


def test_without_matplotlib_it_is_written_without_a_picture(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.difficulty.can_draw", lambda: False)
    root, run = write(FALLING)
    write_difficulty(root, judged(root, run))
    assert (root / DIFFICULTY).is_file()
    assert PICTURE not in (root / "README.md").read_text("utf-8")
    assert not (root / PICTURE).exists()


def test_a_system_of_ours_may_judge(write: Write) -> None:
    root, _ = write(FALLING)
    ended = CliRunner().invoke(app, ["difficulty", str(root), "--system", "random"])
    assert ended.exit_code == 1
    assert "random: accuracy@1 does not fall" in ended.output
