"""The documentation says what the code does, and every link in it leads somewhere."""

import math
import re
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline.evidence.readers import READERS
from pipeline.lint import CHECKS
from pipeline.plan_file import bundled_plans
from pipeline.reference.commands import command_names
from pipeline.reference.keys import field_comments, key_table
from pipeline.reference.pages import render_pages
from pipeline.schemas import SCHEMAS
from pipeline.scorer.metrics import METRICS
from pipeline.settings import construct
from pipeline.systems.choice import SYSTEMS
from qa_filters.base import Candidate
from qa_filters.filters import FILTERS
from translation.engines import ENGINES
from umls_tools.confusion.tiers import TIERS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES = sorted(DOCS.rglob("*.md")) + WRITTEN

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^\s*```.*?^\s*```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

ENTRIES = [
    *(("readers.md", name) for name in READERS),
    *(("tiers.md", name) for name in TIERS),
    *(("engines.md", name) for name in ENGINES),
    *(("filters.md", name) for name in FILTERS),
    *(("metrics.md", name) for name in METRICS),
    *(("systems.md", name) for name in SYSTEMS),
    *(("lint.md", name) for name in CHECKS),
    *(("commands.md", name) for name in command_names()),
    *(("tables.md", name) for name in SCHEMAS),
]


def prose_of(text: str) -> str:
    return CODE.sub("", text)


def anchors_of(text: str) -> set[str]:
    """The anchors that GitHub gives to headings."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(prose_of(text)))
    return {heading.strip().replace(" ", "-") for heading in kept}


def dead_links(page: Path, text: str) -> Iterable[str]:
    for link in LINK.findall(prose_of(text)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors_of(target.read_text("utf-8")):
            yield f"{link}: no such heading"


@pytest.mark.parametrize(("page", "name"), ENTRIES)
def test_every_entry_has_a_section_of_its_own(page: str, name: str) -> None:
    text = (DOCS / "reference" / page).read_text("utf-8")
    headings = HEADING.findall(text)
    assert headings.count(name) == 1
    body = text.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]
    assert len(body.split()) > 5


def test_the_reference_is_what_the_code_says() -> None:
    written = {path.name: path.read_text("utf-8") for path in (DOCS / "reference").iterdir()}
    rendered = render_pages()
    assert sorted(written) == sorted(rendered), "run: make docs"
    for name, text in rendered.items():
        assert written[name] == text, f"{name} is not what the code says; run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert list(dead_links(page, page.read_text("utf-8"))) == []


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# A heading, with `code`\n", "utf-8")
    text = "[a](there.md) [b](gone.md) [c](there.md#a-heading-with-code) [d](there.md#not-so)"
    assert list(dead_links(tmp_path / "page.md", text)) == [
        "gone.md: no such file",
        "there.md#not-so: no such heading",
    ]


@pytest.mark.parametrize(
    "page", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS))
)
def test_every_page_is_reached_from_the_index(page: Path) -> None:
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        here = waiting.pop()
        if here in reached or here.suffix != ".md" or not here.is_file():
            continue
        reached.add(here)
        links = LINK.findall(prose_of(here.read_text("utf-8")))
        waiting += [(here.parent / link.partition("#")[0]).resolve() for link in links]
    assert page in reached


@pytest.mark.parametrize("command", ["make build-benchmark", "make test"])
def test_the_readme_names_the_two_commands(command: str) -> None:
    assert f"$ {command}\n" in (ROOT / "README.md").read_text("utf-8")


def test_commands_in_examples_exist() -> None:
    """Of `mmed-bench …` and `make …` in blocks of shell commands."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    known = {name.partition(" ")[0] for name in command_names()}
    for page in PAGES:
        text = page.read_text("utf-8")
        for command in re.findall(r"^\s*\$ mmed-bench ([a-z]+)", text, re.MULTILINE):
            assert command in known, f"{page}: mmed-bench {command}"
        for target in re.findall(r"^\s*\$ make ([a-z-]+)", text, re.MULTILINE):
            assert target in targets, f"{page}: make {target}"


def test_named_plans_are_bundled() -> None:
    text = (DOCS / "how-to" / "own-umls.md").read_text("utf-8")
    for name in re.findall(r"pipeline/plans/([a-z]+)\.toml", text):
        assert name in bundled_plans()


@pytest.mark.parametrize(
    ("text", "accepted"), [("WELCHE SYMPTOME?", False), ("Welche Symptome?", True)]
)
def test_the_filter_of_the_how_to_is_one(
    text: str, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (DOCS / "how-to" / "add-a-thing.md").read_text("utf-8")
    module = {"__name__": "shouting"}
    code = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    # Dataclasses look for their module.
    monkeypatch.setitem(sys.modules, "shouting", types.ModuleType("shouting"))
    exec(code, module)
    filter_ = construct(module["Shouting"], {"max_excess": 0.4}, "filters.shouting")
    candidate = Candidate("Which symptoms?", "en", text, "de", "mt")
    assert filter_.accepts(filter_.score(candidate), candidate) is accepted
    native = Candidate("Which symptoms?", "en", text, "de", "umls")
    assert math.isnan(filter_.score(native))


@dataclass(frozen=True)
class Sampled:
    """Something with keys."""

    plain: str
    beside: int = 3  # what it says | here
    # said above,
    # on two lines
    above: tuple[str, ...] = ("a", "b")
    alone: bool = True


def test_comments_become_meanings() -> None:
    assert field_comments(Sampled) == {
        "plain": "",
        "beside": "what it says | here",
        "above": "said above, on two lines",
        "alone": "",
    }
    assert key_table(Sampled, without=("above",)).splitlines() == [
        "| key | type | default | meaning |",
        "| --- | --- | --- | --- |",
        "| `plain` | string | required |  |",
        "| `beside` | integer | `3` | what it says \\| here |",
        "| `alone` | true or false | `true` |  |",
    ]
