"""What the sample's small model learns: the curated translations, there and back, and names."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.records import LANGUAGES
from pipeline.sample.authored import read_concepts, read_rows
from pipeline.sample.schooling import Lesson, both_ways

_COLUMNS = (
    *("source_language", "target_language", "text", "translation"),
    *("back_translation", "engine", "model", "revision"),
)


def lessons_of(sample: Path) -> list[Lesson]:
    """Every lesson of the sample's folder, sorted; the faulty translations are none."""
    return sorted({*_sentences(sample / "memory"), *_names(sample / "authoring")})


def _sentences(memory: Path) -> Iterator[Lesson]:
    for _, row in read_rows(memory / "curated.tsv", _COLUMNS):
        languages = row["source_language"], row["target_language"]
        yield from both_ways(*languages, row["text"], row["translation"])


def _names(authoring: Path) -> Iterator[Lesson]:
    """The preferred names of what the questions are about: words for sentences not seen whole."""
    for concept in read_concepts(authoring / "concepts_evidence.tsv"):
        preferred = {code: names[0] for code, names in concept.names}
        for code in LANGUAGES:
            if code != "en":
                yield from both_ways("en", code, preferred["en"], preferred[code])
