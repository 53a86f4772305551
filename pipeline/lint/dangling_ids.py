"""Finds judgements and rankings of what is not there, and queries that nothing answers."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened, Table

Subset = tuple[str, str]  # scope, and the folders below a kind of table


@dataclass(frozen=True)
class DanglingIds(Check):
    """Every judged or ranked query and document exists, and every query has a relevant one.

    Loaders leave out what they do not find, and then count other queries than the release has; a
    ranking without the relevant document can only be lost.
    """

    name: ClassVar[str] = "dangling_ids"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each id that leads nowhere."""
        documents: dict[str, set[str]] = {}
        queries: dict[Subset, set[str]] = {}
        for table in release.of_kind("corpus"):
            documents.setdefault(table.scope, set()).update(_ids(release, table))
        for table in release.of_kind("queries"):
            queries.setdefault(_subset(table), set()).update(_ids(release, table))
        relevant: dict[Subset, dict[str, set[str]]] = {}
        for table, row, found in _judged(release):
            relevant.setdefault(_subset(table), {}).setdefault(row, set()).update(found)
        for table, row, found in [*_judged(release), *_ranked(release)]:
            known = queries.get(_subset(table), set()), documents.get(table.scope, set())
            yield from self._dangling(table, row, found, known)
        yield from self._unanswered(release, relevant)

    def _dangling(
        self, table: Table, row: str, found: list[str], known: tuple[Set[str], Set[str]]
    ) -> Iterator[Finding]:
        queries, documents = known
        if row not in queries:
            yield self.at(table.path, row, "no such query in the subset; leave the row out")
        for document in found:
            if document not in documents:
                lost = f"document {document} is not in the corpus"
                yield self.at(table.path, row, f"{lost}; add it or leave it out")

    def _unanswered(
        self, release: Opened, relevant: dict[Subset, dict[str, set[str]]]
    ) -> Iterator[Finding]:
        for table in release.of_kind("queries"):
            for row in _ids(release, table):
                if not relevant.get(_subset(table), {}).get(row):
                    yield self.at(table.path, row, "no relevant document; leave the query out")
        for table, row, candidates in _ranked(release):
            if not relevant.get(_subset(table), {}).get(row, set()) & set(candidates):
                lost = "no relevant document among the candidates"
                yield self.at(table.path, row, f"{lost}; add it")


def _ids(release: Opened, table: Table) -> Iterable[str]:
    return (row for row, _ in release.rows(table, ("_id",)))


def _judged(release: Opened) -> Iterator[tuple[Table, str, list[str]]]:
    for table in release.of_kind("qrels"):
        for row, values in release.rows(table, ("query-id", "corpus-id")):
            yield table, row, [str(values["corpus-id"])]


def _ranked(release: Opened) -> Iterator[tuple[Table, str, list[str]]]:
    for table in release.of_kind("top_ranked"):
        for row, values in release.rows(table, ("query-id", "corpus-ids")):
            yield table, row, list(values["corpus-ids"])


def _subset(table: Table) -> Subset:
    return table.scope, table.subset
