"""Finds texts that only restricted sources of your own Metathesaurus give."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened


@dataclass(frozen=True)
class RestrictedTexts(Check):
    """No text from the UMLS is above the level that the release's profile allows.

    Asked only with `--umls META`: the comparison is that of `mmed-bench verify --umls`.
    """

    name: ClassVar[str] = "restricted_texts"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each text, which is not repeated."""
        yield from self.told(release.in_meta[0])
