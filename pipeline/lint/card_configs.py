"""Finds configurations in the card under which nothing, or something else, is loaded."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pipeline.lint.base import Check, Finding, Opened
from pipeline.lint.data_files import data_files, matching
from pipeline.lint.front_matter import CARD, FrontMatter, read_front_matter

SPLIT = re.compile(r"\w+")
# MTEB's loader takes a configuration of one of these names for that of every language.
TAKEN = frozenset({"query", "queries", "corpus", "default"})
_NAME = re.compile(r"""["']?config_name["']?\s*:\s*(?P<value>\S)""")


@dataclass(frozen=True)
class CardConfigs(Check):
    """Configurations have quoted names of their own and files that are there; one is the default.

    Splits match `\\w+`. Every table of data is in a configuration. Without quotes YAML takes a name
    such as `no` or `1e3` for something else.
    """

    name: ClassVar[str] = "card_configs"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each configuration and fault."""
        front = read_front_matter(release)
        for name, fault in _faults(release, front) if not front.fault else ():
            yield self.at(CARD, name, fault)
        if front.configs:
            patterns = {path for one in front.configs for _, path in data_files(one)}
            named = {path for pattern in patterns for path in matching(release, pattern)}
            for table in release.tables:
                if table.path not in named:
                    lost = f"no configuration of {CARD} loads it"
                    yield self.at(table.path, "", f"{lost}; add one or remove the file")


def _faults(release: Opened, front: FrontMatter) -> Iterator[tuple[str, str]]:
    times = Counter(str(config.get("config_name")) for config in front.configs)
    for name, number in times.items():
        if number > 1:
            yield name, f"stands {number} times; give each a name of its own"
        if name in TAKEN:
            yield name, "a name that MTEB takes for every subset; give it another"
    defaults = sum(config.get("default") is True for config in front.configs)
    if front.configs and defaults != 1:
        yield "default", f"{defaults} configurations are the default; let one be"
    if any(match["value"] not in "\"'" for match in _NAME.finditer(front.text)):
        yield "config_name", "not quoted; put it in quotes"
    for config in front.configs:
        yield from ((str(config.get("config_name")), one) for one in _wrong(release, config))


def _wrong(release: Opened, config: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(config.get("config_name"), str):
        yield "the name is no string; quote it"
    files = list(data_files(config))
    if not files:
        yield "no data_files; name them"
    for split, pattern in files:
        if not SPLIT.fullmatch(split):
            yield f"split {split!r} is not of letters, digits and _ alone; rename it"
        if not matching(release, pattern):
            yield f"{pattern}: no such file; build the card again"
