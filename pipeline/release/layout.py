"""Where everything lies in a release: the paths of its contract, in one place."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from pipeline.records import TASKS

TIERS = ("easy", "medium", "hard")
CARD = "README.md"
MANIFEST = "manifest.json"
REPORT = "quality/report.html"
AUDIT = "quality/audit.json"  # what raters said, once there are any
FIGURES = "quality/figures.parquet"  # those of the report
SETS = "quality/sets.parquet"  # why each confusion set is as it is
WORK = ".work"  # what a build writes for itself; gone when it ends


class ReleaseError(ValueError):
    """A release cannot be written, or is not what its manifest says."""


@dataclass(frozen=True, slots=True, order=True)
class Subset:
    """What is retrieved and scored together: a task in a language, of concepts a tier of it."""

    task: str
    tier: str
    language: str

    @property
    def name(self) -> str:
        """For example ``qa-de`` or ``concepts-hard-zh``."""
        return "-".join(part for part in (self.task, self.tier, self.language) if part)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of tables that the subset has of its own."""
        return ("queries", "qrels", *(("top_ranked",) if self.tier else ()))


def subsets(languages: tuple[str, ...], tiers: tuple[str, ...] = TIERS) -> Iterator[Subset]:
    """Every subset that a release may have, in the order of tasks, tiers and languages."""
    for task in TASKS:
        for tier in tiers if task == "concepts" else ("",):
            for language in languages:
                yield Subset(task, tier, language)


def corpus_folder(task: str) -> str:
    """The folder of a task's corpus, relative to the release."""
    return str(PurePosixPath("data", task, "corpus"))


def subset_folder(subset: Subset, kind: str) -> str:
    """The folder of one of a subset's own tables, relative to the release."""
    parts = [part for part in (subset.tier, subset.language) if part]
    return str(PurePosixPath("data", subset.task, kind, *parts))


def shard_name(place: int, count: int) -> str:
    """The name of a data file, as the Hub's loaders expect it."""
    return f"test-{place:05d}-of-{count:05d}.parquet"
