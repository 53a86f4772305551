"""The leaderboard is used in a real browser: sorted, searched, followed by its links."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.leaderboard.answers import Answers, Family
from pipeline.leaderboard.figures import Board, Standing, TaskBoard
from pipeline.leaderboard.page import render
from pipeline.leaderboard.writing import write_leaderboard
from pipeline.scorer.resampling import Interval

QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--virtual-time-budget=8000", "--dump-dom"),
)
PHONE, WIDE = 390, 1280
QUERIES, SYSTEMS, LANGUAGES = 15_000, 10, ("en", "de", "es", "fr", "ja", "ru", "zh")
ROWS = 50  # that the page draws at once
# The page stands in a frame as wide as a phone's screen; a window of Chromium is never so narrow.
FRAME = """<!DOCTYPE html><body style="margin:0"><iframe style="border:0" width="{0}" height="900"
src="page.html{1}"></iframe><script>addEventListener("message", (event) => {{
document.title = event.data; }});</script>"""
TELL = """(async () => {
const byId = (id) => document.getElementById(id);
const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
const type = (id, value) => { byId(id).value = value; byId(id).dispatchEvent(new Event("input")); };
const work = () => ({ ...byId("browser").dataset, count: byId("count").textContent,
  nodes: byId("browser").querySelectorAll("*").length });
const found = { excess: document.documentElement.scrollWidth - innerWidth };
%s
parent.postMessage("told " + btoa(unescape(encodeURIComponent(JSON.stringify(found)))), "*");
})();"""


def told_by(page: str, steps: str, folder: Path, width: int = WIDE, at: str = "") -> dict[str, Any]:
    """What the page tells after some steps; nothing may stand on its console."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium here; .ci/run installs it")
    assert "https://" not in page
    script = TELL % steps
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = page.replace("script-src '", f"script-src 'sha256-{digest}' '", 1)
    body = allowed.replace("</body>", f"<script>{script}</script></body>")
    (folder / "page.html").write_text(body, "utf-8")
    (folder / "frame.html").write_text(FRAME.format(width, at), "utf-8")
    window = (f"--user-data-dir={folder}/profile", "--window-size=1300,900")
    command = [chromium, *QUIET, *window, f"file://{folder}/frame.html"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=240)
    assert "CONSOLE" not in done.stderr, done.stderr
    (told,) = re.findall(r"<title>told (\S+)</title>", done.stdout)
    found: dict[str, Any] = json.loads(base64.b64decode(told))
    return found


@pytest.fixture
def page(release: Path, runs: list[Path], tmp_path: Path) -> str:
    return write_leaderboard(release, runs, tmp_path / "site")[0].read_text("utf-8")


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_nothing_scrolls_sideways(page: str, width: int, tmp_path: Path) -> None:
    at = "#query=qa-3&lang=de"
    found = told_by(page, "found.hidden = byId('detail').hidden;", tmp_path, width, at)
    assert found["excess"] <= 0
    assert found["hidden"] is False


def test_tables_are_sorted_by_a_click(page: str, tmp_path: Path) -> None:
    steps = """
    const table = document.querySelector("#qa table");
    const names = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent);
    const column = (place) => table.tHead.rows[0].cells[place];
    const click = (place) => { column(place).querySelector("button").click(); return names(); };
    found.orders = [names(), click(0), click(0), click(2), click(2), click(8)];
    found.sorted = column(8).getAttribute("aria-sort");"""
    found = told_by(page, steps, tmp_path)
    *orders, by_gap = found["orders"]
    assert orders == [
        ["good", "part", "poor"],
        ["good", "part", "poor"],
        ["poor", "part", "good"],
        ["good", "part", "poor"],
        ["poor", "part", "good"],
    ]
    assert by_gap[-1] == "part"  # a gap needs two languages: what has none stands last
    assert found["sorted"] == "descending"


def test_queries_are_found_and_filtered(page: str, tmp_path: Path) -> None:
    steps = """
    const ids = () => texts("#queries tbody th");
    found.all = ids().length;
    type("find", "FEVER DE qa-3"); found.found = ids();
    type("find", ""); type("show", "every"); found.every = ids();
    type("show", "none"); found.none = ids();
    type("set", "all"); type("show", "all"); found.whole = ids().length;
    type("set", "concepts-hard"); type("lang", "de"); found.hard = ids();
    found.address = location.hash;"""
    found = told_by(page, steps, tmp_path)
    assert (found["all"], found["whole"]) == (12, 20)
    assert found["found"] == ["qa-3"]
    assert found["every"] == ["qa-0", "qa-1"]
    assert found["none"] == ["qa-11"]
    assert found["hard"] == [f"concepts-hard-{place}" for place in range(4, 8)]
    assert found["address"] == "#set=concepts-hard&lang=de"


def test_an_address_shows_a_query_with_every_answer(page: str, tmp_path: Path) -> None:
    steps = """
    found.texts = texts("#detail dd"); found.answers = texts("#detail tbody td");
    found.title = texts("#detail h3");"""
    found = told_by(page, steps, tmp_path, at="#lang=de&query=qa-3")
    assert found["title"] == ["qa-3"]
    assert found["texts"][0] == "</script><b>&\u2028 fever en qa-3"
    assert found["texts"][-1] == "d3 text 3"
    assert found["answers"] == [
        *("right", "1.000", "d3 text 3", "en ✓ de ✓ "),
        *("no answer", "–", "", "en ✓ de – "),
        *("wrong", "0.000", "d4 text 4", "en ✗ de ✗ "),
    ]


def large_page() -> str:
    """Fifteen thousand queries in seven languages, ten systems, generated."""
    runs = [f"system {place}" for place in range(SYSTEMS)]
    one = Interval(0.5, 0.4, 0.6, 0.05)
    standings = tuple(
        Standing(run, one, (1,), {"ndcg@10": 0.5}, {"en": 0.5}, {}, "en", None, None, 0)
        for run in runs
    )
    task = TaskBoard("qa", "ndcg@10", standings, LANGUAGES, (), {})
    family = Family("qa", "", "ndcg@10", [f"qa-{place:05d}" for place in range(QUERIES)])
    for language in LANGUAGES:
        family.texts[language] = [
            f"What helps against complaint {place} of the {language} kind, when all else failed?"
            for place in range(QUERIES)
        ]
        family.firsts[language] = [
            [(place if (place * 7919 + run) % 10 < run else place + 1) % QUERIES
             for place in range(QUERIES)]
            for run in range(SYSTEMS)
        ]  # fmt: skip
        family.values[language] = [
            [1000 * (code == place) for place, code in enumerate(column)]
            for column in family.firsts[language]
        ]
    family.gold = [[place] for place in range(QUERIES)]
    texts = [f"Document {place}: " + "it tells of what helps. " * 8 for place in range(QUERIES)]
    documents = {
        "qa": {
            "ids": [f"d{place}" for place in range(QUERIES)],
            "titles": [""] * QUERIES,
            "texts": texts,
        }
    }
    board = Board("Large", "1.0.0", "open", "signature", tuple(runs), (task,), {})
    return render(board, Answers(runs, [family], documents))


def test_many_queries_cost_a_page_of_rows(tmp_path: Path) -> None:
    """What is done at a change is bounded: each query looked at once, one page of rows drawn."""
    steps = """
    found.steps = [work()];
    type("find", "complaint 1499"); found.steps.push(work());
    type("find", ""); type("lang", "zh"); type("show", "none"); found.steps.push(work());
    type("show", "all"); byId("after").click(); found.steps.push(work());
    found.page = byId("page").textContent; found.first = texts("#queries tbody th")[0];"""
    found = told_by(large_page(), steps, tmp_path)
    for step in found["steps"]:
        assert int(step["scanned"]) <= QUERIES
        assert int(step["drawn"]) <= ROWS
        assert step["nodes"] < ROWS * (SYSTEMS + 8) + 200
    assert [step["count"] for step in found["steps"][:2]] == ["15000 queries", "11 queries"]
    assert found["page"] == f"page 2 of {QUERIES // ROWS}"
    assert found["first"] == "qa-00050"
