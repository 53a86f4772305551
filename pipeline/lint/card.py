"""Finds cards that the Hub cannot read, or that say what is no longer true."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pipeline.lint.base import Check, Finding, Opened
from pipeline.lint.data_files import rows_of
from pipeline.lint.front_matter import CARD, FrontMatter, as_objects, read_front_matter

NEEDED = ("language", "license", "configs")


@dataclass(frozen=True)
class Card(Check):
    """README.md begins with YAML at its first byte, with languages, a licence and configurations.

    Where the card has a `dataset_info`, its numbers of rows are those of the files: the datasets
    library fails at others. YAML takes the language `no` for false, so languages are quoted.
    """

    name: ClassVar[str] = "card"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each key."""
        front = read_front_matter(release)
        if front.fault:
            yield self.at(CARD, "", front.fault)
            return
        for key in NEEDED:
            if not front.values.get(key):
                yield self.at(CARD, key, "missing in the front matter; add it")
        languages = front.values.get("language")
        for language in languages if isinstance(languages, list) else [languages]:
            if language is not None and not isinstance(language, str):
                yield self.at(CARD, "language", f"{language!r} is no string; quote it")
        for stated in as_objects(front.values.get("dataset_info")):
            yield from self._stale(release, front, stated)

    def _stale(
        self, release: Opened, front: FrontMatter, stated: Mapping[str, Any]
    ) -> Iterator[Finding]:
        name = str(stated.get("config_name", "default"))
        config = next((one for one in front.configs if one.get("config_name") == name), None)
        if config is None:
            about = f"dataset_info of {name}, which is no configuration; leave it out"
            yield self.at(CARD, "dataset_info", about)
            return
        rows = rows_of(release, config)
        for split in as_objects(stated.get("splits")):
            known, said = rows.get(str(split.get("name"))), split.get("num_examples")
            if known != said:
                differs = f"{name} has {known} rows in {split.get('name')}, it says {said}"
                yield self.at(CARD, "dataset_info", f"{differs}; leave it out")
