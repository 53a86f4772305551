"""Finds ids that file formats and loaders cannot carry."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened

ID = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Ids(Check):
    """Ids are of A-Z a-z 0-9 . _ - alone, those of queries begin with their task.

    A blank in an id splits the line of a TREC file, and an id that is both a query's and a
    document's makes loaders leave the document out of the query's ranking.
    """

    name: ClassVar[str] = "ids"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each row."""
        asked: set[str] = set()
        for table in release.of_kind("queries"):
            task = PurePosixPath(table.scope).name
            for row, _ in release.rows(table, ("_id",)):
                asked.add(row)
                if fault := _fault(row, task):
                    yield self.at(table.path, row, f"{fault}; rename it")
        for table in release.of_kind("corpus"):
            for row, _ in release.rows(table, ("_id",)):
                if fault := _fault(row, "") or ("the id of a query, too" if row in asked else ""):
                    yield self.at(table.path, row, f"{fault}; rename it")


def _fault(row: str, task: str) -> str:
    if not ID.fullmatch(row):
        what = "characters beyond A-Z a-z 0-9 . _ -" if row else "nothing in it"
        return f"the id has {what}"
    return "" if row.startswith(task) else f"the id does not begin with {task}"
