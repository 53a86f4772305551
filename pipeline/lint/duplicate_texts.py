"""Finds texts that stand twice, of which one is taken for a wrong answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened
from pipeline.text import normalise


@dataclass(frozen=True)
class DuplicateTexts(Check):
    """No two queries of a subset ask the same, no two documents of a corpus read the same.

    Texts are compared by their letters and digits, case aside. The document that a query does not
    name is counted as a miss when it is found; models that remove duplicates count a query less.
    Names of concepts may be equal, unless one ranking shows both.
    """

    name: ClassVar[str] = "duplicate_texts"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each row after the first."""
        ranked = {table.scope for table in release.of_kind("top_ranked")}
        seen: dict[tuple[str, ...], str] = {}
        for table in release.tables:
            if table.kind == "queries" or (table.kind == "corpus" and table.scope not in ranked):
                for row, values in release.rows(table, ("_id", "title", "text")):
                    text = normalise(f"{values['title']} {values['text']}")
                    first = seen.setdefault((table.kind, table.scope, table.subset, text), row)
                    if text and first != row:
                        yield self.at(table.path, row, f"reads like {first}; keep one of them")
        for scope in sorted(ranked):
            yield from self._in_rankings(release, scope)

    def _in_rankings(self, release: Opened, scope: str) -> Iterator[Finding]:
        names = {
            row: normalise(f"{values['title']} {values['text']}")
            for table in release.of_kind("corpus")
            if table.scope == scope
            for row, values in release.rows(table, ("_id", "title", "text"))
        }
        for table in release.of_kind("top_ranked"):
            for row, values in release.rows(table, ("query-id", "corpus-ids")):
                if table.scope == scope and (same := _same(values["corpus-ids"], names)):
                    yield self.at(table.path, row, f"shows {same} under one name; leave one out")


def _same(shown: list[str], names: dict[str, str]) -> str:
    """The first two different documents with the same name, or ""."""
    first: dict[str, str] = {}
    for document in shown:
        before = first.setdefault(names.get(document, document), document)
        if before != document:
            return f"{before} and {document}"
    return ""
