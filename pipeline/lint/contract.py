"""Finds what the contract of a release does not allow: manifest, columns, order, subsets."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened
from splits.audit import look_at_tables, read_manifest
from splits.audit.subsets import subset_faults


@dataclass(frozen=True)
class Contract(Check):
    """The manifest has its fields and seal, every table its columns, order and whole shards.

    Every subset of the manifest's languages is there, or told to be absent. These are the audit's
    own rules, those that `mmed-bench verify` applies.
    """

    name: ClassVar[str] = "contract"

    def find(self, release: Opened) -> Iterator[Finding]:
        """Each with the file that it is about, or the subset."""
        manifest, faults = read_manifest(release.root)
        yield from self.told(faults)
        yield from self.told(look_at_tables(release.root).faults)
        yield from self.told(subset_faults(release.root, manifest))
