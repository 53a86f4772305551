"""The part of a plan that says what must be kept apart: tasks, and lists of others."""

import re
from dataclasses import dataclass, field

from pipeline.limits import at_least, share
from pipeline.settings import known

_LIST_NAME = re.compile(r"[A-Za-z0-9_-]+")

# What the certificate of a release measures with, whatever the plan says (splits.audit).
CERTIFIED_JACCARD = 0.7


ON_FOUND = ("drop", "flag")


@dataclass(frozen=True, slots=True)
class Outside:
    """A list of others: another benchmark's queries, or those that a model was trained on."""

    files: tuple[str, ...]  # .txt, .tsv, .csv, .jsonl, .parquet; or what `export hashes` writes
    column: str = "text"  # of a table; a number, from 1, where a .tsv or .csv has no header
    found: str = "drop"  # a query that equals or nearly equals an item; or "flag" it

    def __post_init__(self) -> None:
        """Refuse a list of nothing, and what there is no way to do."""
        if not self.files:
            raise ValueError("files: expected at least one")
        if self.found not in ON_FOUND:
            raise ValueError(f"found: unknown {self.found!r}; {known(self.found, ON_FOUND)}")


@dataclass(frozen=True, slots=True)
class Overlap:
    """What is too close for two tasks.

    `jaccard` is the similarity from which on two queries are (Lee et al. 2022). `class_size` is
    how many concepts may hang together by synonymy and drug families, over any number of steps; a
    class that would be larger is cut at its weakest relations. 16 is twice the largest class of an
    open Metathesaurus (docs: zero overlap); 1 is for direct relations alone.
    """

    jaccard: float = 0.7
    class_size: int = 16
    external: dict[str, Outside] = field(default_factory=dict)  # lists of others, each by its name

    def __post_init__(self) -> None:
        """Refuse a similarity that every pair has, or that none can, and names that are none."""
        for name in self.external:
            if not _LIST_NAME.fullmatch(name):
                raise ValueError(f"external: {name!r}: expected letters, digits, _ and - alone")
        share("jaccard", self.jaccard)
        at_least("class_size", self.class_size, 1)
        if not self.jaccard:
            raise ValueError("jaccard: 0 would keep every two queries apart; expected above 0")
        if self.jaccard > CERTIFIED_JACCARD:
            raise ValueError(
                f"jaccard: the certificate finds near duplicates from {CERTIFIED_JACCARD} on; "
                "expected that or less"
            )
