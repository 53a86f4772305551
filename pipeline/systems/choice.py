"""The table of systems, and how the command line configures one."""

import tomllib
from collections.abc import Sequence
from typing import Any

from pipeline.settings import PlanError, choose, construct
from pipeline.systems.base import System
from pipeline.systems.bm25 import Bm25
from pipeline.systems.chance import Random
from pipeline.systems.tfidf import Tfidf

SYSTEMS: dict[str, type[System]] = {
    "bm25": Bm25,
    "random": Random,
    "tfidf": Tfidf,
}


def build_system(name: str, changes: Sequence[str] = ()) -> System:
    """The system of that name with ``key=value`` settings; raises PlanError for unknown ones."""
    cls = choose(SYSTEMS, name, "system")
    return construct(cls, dict(map(_setting, changes)), f"system {name}")


def _setting(change: str) -> tuple[str, Any]:
    """A key and its value, which is TOML, or else a string."""
    key, equals, value = change.partition("=")
    if not equals:
        raise PlanError(f"--set {change}: expected key=value")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value
