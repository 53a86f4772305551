"""Finds machine translations that equal a text of a restricted source."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened


@dataclass(frozen=True)
class Coincidences(Check):
    """No machine translation equals a text that only restricted sources give.

    Asked only with `--umls META`. A machine may come upon such a text by itself, and often will
    where it is right: `--note coincidences` lists these apart, without failing.
    """

    name: ClassVar[str] = "coincidences"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each text, which is not repeated."""
        yield from self.told(release.in_meta[1])
