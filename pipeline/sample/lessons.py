"""What the sample's small model learns: the curated translations, there and back."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.sample.authored import read_rows
from pipeline.sample.schooling import Lesson, both_ways

_COLUMNS = (
    *("source_language", "target_language", "text", "translation"),
    *("back_translation", "engine", "model", "revision"),
)


def lessons_of(sample: Path) -> list[Lesson]:
    """Every lesson of the sample's folder, sorted; the faulty translations are none."""
    return sorted(set(_sentences(sample / "memory" / "curated.tsv")))


def _sentences(table: Path) -> Iterator[Lesson]:
    for _, row in read_rows(table, _COLUMNS):
        languages = row["source_language"], row["target_language"]
        yield from both_ways(*languages, row["text"], row["translation"])
