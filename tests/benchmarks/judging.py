"""How fast translations are judged by all filters together."""

import csv
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
from tests.benchmarks.reading import SAMPLE, concepts_of
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from pipeline.records import Concept, Query, Translation

TRANSLATIONS = 10_000
STATED = 100_000  # the goals are stated for so many
TEXTS = ("text", "translation", "back_translation")

Row = dict[str, str]


def figures(workshop: Workshop) -> list[Figure]:
    """All filters against the one measure that most of the time goes into, called alone."""
    path = workshop.prepare("judging:prepare", workshop.folder)
    runs = workshop.measure(
        {
            "judge": workshop.ours("judging:judge_all", path),
            "sacrebleu": workshop.peer("peers:sacrebleu_round_trips", path),
        }
    )
    ours, sacrebleu = runs.values()
    found, seconds = ours.answer, ours.seconds["judge"]
    without = ours.seconds["judge without chrF"]
    scale = STATED / TRANSLATIONS
    return [
        *process_figures(f"judge {TRANSLATIONS:,} translations", ours),
        Figure(f"CPU of judging {STATED:,}, at this rate", seconds * scale, "s", 180),
        Figure(f"CPU of judging {STATED:,} without chrF", without * scale, "s", 60),
        Figure("translations in 1 s of CPU", TRANSLATIONS / seconds, "per s"),
        Figure("accepted by all filters", found["accepted"] / TRANSLATIONS, "share"),
        *process_figures(f"sacrebleu, chrF of {TRANSLATIONS:,} back-translations", sacrebleu),
        ratio("CPU of judging alone, to sacrebleu", seconds, sacrebleu.seconds["score"]),
    ]


def prepare(folder: str) -> str:
    """Write the sample's translations over and over, numbered so that no two are the same."""
    path = Path(folder) / "translations.tsv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(
            file, ("target_language", *TEXTS), delimiter="\t", quoting=csv.QUOTE_NONE
        )
        writer.writeheader()
        writer.writerows(islice(_numbered(_rows(SAMPLE / "memory" / "curated.tsv")), TRANSLATIONS))
    return str(path)


def judge_all(path: str) -> dict[str, int]:
    """Judge every translation with the filters' own defaults."""
    from qa_filters.filters import standard_filters
    from qa_filters.judge import judge

    pairs = list(_pairs(_rows(Path(path)), concepts_of(str(SAMPLE / "META"))))
    filters = standard_filters()
    with timed("judge"):
        accepted = sum(judge(query, text, filters).accepted for query, text in pairs)
    del filters["round_trip"]
    with timed("judge without chrF"):
        for query, text in pairs:
            judge(query, text, filters)
    return {"translations": len(pairs), "accepted": accepted}


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _numbered(rows: list[Row]) -> Iterator[Row]:
    for number in count(1):
        for row in rows:
            texts = {name: f"{row[name]} ({number})" for name in TEXTS}
            yield {"target_language": row["target_language"], **texts}


def _pairs(rows: list[Row], concepts: "list[Concept]") -> "Iterator[tuple[Query, Translation]]":
    """Each translation, with its query grounded in the concepts that its English text names."""
    from pipeline.records import Query, Translation, Wording
    from umls_tools.linking import Everything, Lexicon, lexicon_entries

    known = {concept.cui: concept for concept in concepts}
    lexicon = Lexicon.of(one for c in concepts for one in lexicon_entries(c, Everything()))

    def named(text: str) -> "Iterable[Concept]":
        found = {link.cui for link in lexicon.links(text) if link.cui}
        return (known[cui] for cui in sorted(found))

    for number, row in enumerate(rows):
        original = Wording(row["text"], "en", ("sample",), 0)
        query = Query(
            query_id=f"qa-{number}", task="qa", stratum="", source_id=f"{number}",
            source="sample", origin="source", original=original, natives=(),
            concepts=tuple(named(row["text"])), relevant=(), licence="",
        )  # fmt: skip
        yield query, Translation(
            row["translation"], row["target_language"], "mt", "curated",
            back_translation=row["back_translation"],
        )  # fmt: skip
