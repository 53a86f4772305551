"""What the how-to shows is what runs."""

import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries that are shown
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "use-elsewhere.md"
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PRINTED = {
    "datasets": r"Wie lange dauert Migräne\? 2\n",
    "MTEB": r"qa-en 0\.\d+\nqa-de 0\.\d+\n",
    "BEIR": r"1 1 1\n",
    "trec_eval, Anserini and whatever reads their files": r"\{.*'ndcg_cut_10': 1\.0.*\}\n",
    "ir_datasets": r"Wie lange dauert Migräne\? Rest helps\.\n",
}


def snippets() -> dict[str, str]:
    _, *parts = SECTION.split(PAGE.read_text("utf-8"))
    sections = zip(parts[::2], parts[1::2], strict=True)
    return {title: CODE.search(text)[1] for title, text in sections if CODE.search(text)}


def test_every_section_is_tried() -> None:
    assert snippets().keys() == PRINTED.keys()


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a snippet adds to the libraries is gone after it."""
    import ir_datasets

    monkeypatch.setattr(sys, "path", [*sys.path])
    registered = dict(ir_datasets.registry._registered)
    monkeypatch.setattr(ir_datasets.registry, "_registered", registered)
    yield
    for name in [name for name in sys.modules if name.startswith("mmed_bench_ir")]:
        del sys.modules[name]
    registered.clear()
    gc.collect()  # the library closes no file itself, and here nobody minds


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("title", PRINTED)
def test_snippets_run(
    exports: Path, title: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(exports)
    exec(snippets()[title], {"__name__": "snippet"})
    assert re.fullmatch(PRINTED[title], capsys.readouterr().out)
