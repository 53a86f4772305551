"""Finds queries in letters that their language is not written in."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened
from pipeline.records import LANGUAGES
from qa_filters.base import Candidate
from qa_filters.script import Script

ENGLISH = "en"


@dataclass(frozen=True)
class Scripts(Check):
    """Queries are in the script of their language, as the filter `script` sees it by default.

    Latin names and symbols may stand in other scripts if the English query has them too. The
    column `language` must say what the folder says. A text that is withheld has no script.
    """

    name: ClassVar[str] = "scripts"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each query."""
        english = dict(_english(release))
        for table in release.of_kind("queries"):
            folder = PurePosixPath(table.subset).name
            for row, values in release.rows(table, ("_id", "text", "language", "text_sha256")):
                language = str(values["language"]) or folder
                if folder in LANGUAGES and language != folder:
                    wrong = f"a query in {language!r} below {folder}"
                    yield self.at(table.path, row, f"{wrong}; move it or name its language")
                elif language in LANGUAGES and not values["text_sha256"]:
                    source = english.get((table.scope, row), "")
                    if not _is_written(str(values["text"]), language, source):
                        wrong = f"hardly a letter of the script of {language}"
                        yield self.at(table.path, row, f"{wrong}; translate it again")


def _english(release: Opened) -> Iterator[tuple[tuple[str, str], str]]:
    for table in release.of_kind("queries"):
        if PurePosixPath(table.subset).name == ENGLISH:
            for row, values in release.rows(table, ("_id", "text")):
                yield (table.scope, row), str(values["text"])


def _is_written(text: str, language: str, source: str) -> bool:
    candidate = Candidate(source, ENGLISH, text, language, "source")
    score = Script().score(candidate)
    return math.isnan(score) or Script().accepts(score, candidate)
