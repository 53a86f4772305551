"""The page, the Markdown and the picture: the same bytes, nothing that breaks out."""

import itertools
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.leaderboard.page import safe_json
from pipeline.leaderboard.plots import LABEL_GAP, Scale, _spread
from pipeline.leaderboard.writing import write_leaderboard

EVIL = "</script><b>&\u2028 fever"


def test_the_same_bytes_in_whatever_order(release: Path, runs: list[Path], tmp_path: Path) -> None:
    one = write_leaderboard(release, runs, tmp_path / "one")
    other = write_leaderboard(release, runs[::-1], tmp_path / "other")
    assert [path.name for path in one] == ["index.html", "board.md", "board.png"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_without_matplotlib_there_is_no_picture(
    release: Path, runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.leaderboard.writing.can_draw", lambda: False)
    written = write_leaderboard(release, runs, tmp_path / "site")
    assert [path.name for path in written] == ["index.html", "board.md"]


def test_texts_stay_texts(release: Path, runs: list[Path], tmp_path: Path) -> None:
    page = write_leaderboard(release, runs, tmp_path / "site")[0].read_text("utf-8")
    assert EVIL not in page
    assert page.count("</script>") == 2
    told = re.search(r'<script type="application/json" id="answers">(.*)</script>', page)
    assert told is not None
    texts = json.loads(told.group(1))["families"][0]["texts"]["en"]
    assert texts[0] == f"{EVIL} en qa-0"


def test_names_of_runs_are_escaped(release: Path, runs: list[Path], tmp_path: Path) -> None:
    evil = runs[0].rename(tmp_path / "<i>a|b&")
    page, markdown, _ = write_leaderboard(release, [evil], tmp_path / "site")
    assert "<i>" not in page.read_text("utf-8")
    assert "&lt;i&gt;a|b&amp;" in page.read_text("utf-8")
    assert r"| \<i\>a\|b& |" in markdown.read_text("utf-8")


def test_json_breaks_out_of_nothing() -> None:
    written = safe_json({"a": "<!-- </script> \u2028\u2029"})
    assert not set(written) & {"<", "\u2028", "\u2029"}
    assert json.loads(written) == {"a": "<!-- </script> \u2028\u2029"}


@pytest.mark.parametrize(("profile", "warns"), [("local", True), ("open", False)])
def test_texts_that_may_not_be_passed_on_are_called_so(
    release: Path, runs: list[Path], tmp_path: Path, profile: str, warns: bool
) -> None:
    manifest = release / "manifest.json"
    manifest.write_text(json.dumps({"build_hash": "00", "profile": profile}), "utf-8")
    page = write_leaderboard(release, runs[:1], tmp_path / "site")[0].read_text("utf-8")
    assert ("may not be passed on" in page) == warns


def test_the_command(release: Path, runs: list[Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    ended = CliRunner().invoke(app, ["leaderboard", str(release), *map(str, runs), "-o", str(site)])
    assert ended.exit_code == 0, ended.output
    assert ended.output.splitlines()[0] == f"wrote  {site / 'index.html'}"
    ended = CliRunner().invoke(app, ["leaderboard", str(release), "nowhere", "-o", str(site)])
    assert ended.exit_code != 0
    assert "nowhere: no such run" in ended.output


@pytest.mark.parametrize("places", [[0.0], [10, 11, 12], [300, 310, 316], [100, 101, 300]])
def test_labels_keep_their_distance_and_their_order(places: list[float]) -> None:
    spread = _spread(places)
    assert len(spread) == len(places)
    assert all(two - one >= LABEL_GAP for one, two in itertools.pairwise(spread))
    assert max(spread) <= 316


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-0.05, 0.11, [-0.05, 0, 0.05, 0.1]),
        (0.41, 0.58, [0.45, 0.5, 0.55]),
    ],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert Scale(low, high, 0, 100).ticks == pytest.approx(ticks)
