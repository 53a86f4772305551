"""Finds files that are not those which the manifest lists: missing, changed, cut short."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened
from pipeline.lint.listing import is_unlisted
from splits.audit.files import file_faults


@dataclass(frozen=True)
class Hashes(Check):
    """Every listed file has its bytes, rows and SHA-256; the files that all need are there.

    The build hash is that of the listed files. These are the audit's rules, too.
    """

    name: ClassVar[str] = "hashes"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each value that differs."""
        faults = self.told(file_faults(release.root, release.manifest))
        return (found for found in faults if not is_unlisted(release, found.path))
