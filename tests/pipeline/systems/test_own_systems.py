import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.scorer.release import Document
from pipeline.settings import PlanError
from pipeline.systems.base import Asked
from pipeline.systems.choice import build_system

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "systems.md"

OWN = """
from dataclasses import dataclass
from typing import ClassVar
from pipeline.systems.base import Hit, Index, System

class Nothing(Index):
    def search(self, queries, depth):
        return iter(())
    def rerank(self, queries, candidates):
        return iter(())

@dataclass(frozen=True)
class Mine(System):
    name: ClassVar[str] = "mine"
    size: int = 3
    def index(self, documents):
        return Nothing()

class Unfinished(System):
    name = "unfinished"

class Bare(Mine):
    pass

class Plain(System):
    name = "plain"
    def index(self, documents):
        return Nothing()

class NoSystem:
    pass
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "systems_of_mine.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "systems_of_mine", raising=False)


def test_a_class_of_the_users_is_a_system() -> None:
    system = build_system("systems_of_mine:Mine", ["size=7"])
    assert (system.name, vars(system)["size"]) == ("mine", 7)
    assert list(system.index([]).search([], 1)) == []


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("systems_of_mine:NoSystem", [], "no subclass of pipeline.systems.base.System"),
        ("systems_of_mine:Unfinished", [], "no subclass"),
        ("systems_of_mine:Hit", [], "no subclass"),
        ("systems_of_mine:System", [], "no subclass"),
        ("systems_of_mine:Plain", [], "must be a dataclass with a name"),
        ("systems_of_mine:Yours", [], "cannot be imported .* on PYTHONPATH"),
        ("systems_of_others:Mine", [], "cannot be imported"),
        (":Mine", [], "cannot be imported"),
        ("systems_of_mine:Mine", ["sise=7"], "unknown key 'sise'; did you mean 'size'"),
    ],
)
def test_what_is_no_system_is_named(name: str, changes: list[str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        build_system(name, changes)


@pytest.mark.usefixtures("offline")
def test_the_class_of_the_guide_runs(
    checkpoint: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = GUIDE.read_text("utf-8").split("```python\n")[1:]
    (tmp_path / "my_systems.py").write_text(code.split("```")[0], "utf-8")
    monkeypatch.delitem(sys.modules, "my_systems", raising=False)
    system = build_system("my_systems:Mine", [f"model={checkpoint('bert')}", "cache="])
    index = system.index([Document("d1", "", "asthma"), Document("d2", "", "blood")])
    assert len(list(index.search([Asked("q", "lungs", "en")], 5))) == 2
