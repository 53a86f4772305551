"""The quality report is looked at in a real browser, wide and narrow."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.records import JudgedQuery, Query, Translation, Wording
from qa_filters.base import Filter
from qa_filters.filters import standard_filters
from qa_filters.judge import judge
from qa_filters.page import render
from qa_filters.report import examples_of, narrow_of, tally

QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"),
)
# How wide the page is beside the window; a page that scrolls sideways cannot be read on a phone.
MEASURE = "<script>document.title = document.documentElement.scrollWidth - innerWidth</script>"


@pytest.fixture(scope="module")
def page() -> str:
    filters = standard_filters()
    judged = [judged_query(number, filters) for number in range(40)]
    narrow = narrow_of(judged, filters)
    return render(tally(judged, filters), examples_of(judged), narrow, filters, "A report")


def judged_query(number: int, filters: dict[str, Filter]) -> JudgedQuery:
    original = Wording(f"What helps against fever of {number} days?", "en", (), 0)
    query = Query(f"qa-{number}", "qa", "", "s", "x", "source", original, (), (), (), "open")
    text = f"Was hilft gegen Fieber von {number - number % 3} Tagen?"
    language = ("de", "es", "fr")[number % 3]
    return judge(query, Translation(text, language, "mt", "e", "m", "r", original.text), filters)


@pytest.mark.parametrize("width", [1280, 600])
def test_page_opens_without_a_request_or_an_error(page: str, width: int, tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium here; .ci/run installs it")
    file = tmp_path / "report.html"
    file.write_text(page.replace("</body>", MEASURE + "</body>"), "utf-8")
    command = [chromium, *QUIET, f"--user-data-dir={tmp_path}/profile"]
    done = subprocess.run(
        [*command, f"--window-size={width},900", f"file://{file}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "CONSOLE" not in done.stderr
    assert "https://" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    (excess,) = re.findall(r"<title>(-?\d+)</title>", done.stdout)
    assert int(excess) <= 0
