"""Finds texts in which there is nothing to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class BlankTexts(Check):
    """Every query has a letter or digit, every document a text, and none what no text holds.

    An encoder gives blank texts all the same vector. Control characters end a row of a TSV file,
    and U+FFFD stands where something was read in the wrong encoding.
    """

    name: ClassVar[str] = "blank_texts"

    def find(self, release: Opened) -> Iterator[Finding]:
        """At most one finding for each row."""
        for kind in ("corpus", "queries"):
            for table in release.of_kind(kind):
                for row, values in release.rows(table, ("_id", "text")):
                    if fault := _fault(str(values["text"]), kind):
                        yield self.at(table.path, row, fault)


def _fault(text: str, kind: str) -> str:
    if not text.strip():
        return "blank text; leave the row out"
    if kind == "queries" and not any(character.isalnum() for character in text):
        return "text without a letter or digit; leave the query out"
    if REPLACEMENT in text:
        return "U+FFFD in the text; read its source again in the right encoding"
    if any(_is_control(character) for character in text):
        return "a control character in the text; take it out"
    return ""


def _is_control(character: str) -> bool:
    """Line ends and tabs may stand in a passage, and are blanks to every reader."""
    return (character < " " and character not in "\n\r\t") or "\x7f" <= character <= "\x9f"
