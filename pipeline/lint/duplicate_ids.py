"""Finds rows that stand twice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened

KEYS = {
    "corpus": ("_id",),
    "queries": ("_id",),
    "qrels": ("query-id", "corpus-id"),
    "top_ranked": ("query-id",),
}


@dataclass(frozen=True)
class DuplicateIds(Check):
    """No id stands twice in a corpus or a subset, no judgement and no candidate is repeated.

    Loaders keep one of two rows with the same id, and not all the same one.
    """

    name: ClassVar[str] = "duplicate_ids"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each row after the first."""
        seen: dict[tuple[str, ...], str] = {}
        for table in release.tables:
            keys = KEYS[table.kind]
            for row, values in release.rows(table, keys):
                about = (str(values[name]) for name in keys)
                key = (table.kind, table.scope, table.subset, *about)
                if key in seen:
                    yield self.at(table.path, row, f"stands in {seen[key]} already; keep one")
                seen.setdefault(key, table.path)
        for table in release.of_kind("top_ranked"):
            for row, values in release.rows(table, ("query-id", "corpus-ids")):
                if len(set(values["corpus-ids"])) < len(values["corpus-ids"]):
                    yield self.at(table.path, row, "a candidate stands twice; keep one")
