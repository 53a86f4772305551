"""Builds the translated half of a release in a process that may be killed at any moment.

Run as ``python killable_build.py PLACE KILL_AT``: 400 questions of the sample become 2,000 requests
of its model, half of which PLACE/memory.tsv holds; PLACE/cache and PLACE/release are written. The
process ends itself with SIGKILL at its n-th opening, renaming or removing of a file of the cache.
Prints how many such there were, and how many sentences the model was asked.
"""

import csv
import dataclasses
import json
import sys
from pathlib import Path

import apache_beam as beam

from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Query, Wording
from pipeline.stages.enforcing import EnforceZeroOverlap
from pipeline.stages.judging import JudgeQueries
from pipeline.stages.release import WriteRelease
from pipeline.stages.running import Engine, empty_graph
from pipeline.stages.translation import TranslateQueries, tidy_cache
from pipeline.text import content_id
from tests.dying import die_at
from translation.nllb_ct2 import NllbCt2

QUESTIONS = 400
LANGUAGES = ("de", "es", "fr", "ru", "zh")
_FILTERS = ("flags", "length", "script")  # quick ones


def questions(sample: Path) -> list[str]:
    """English questions of the sample: as its sources ask them, and as they came back."""
    with (sample / "memory" / "curated.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sorted({row[column] for row in rows for column in ("text", "back_translation")})[
        :QUESTIONS
    ]


def query(text: str) -> Query:
    original, name = Wording(text, "en", (), 0), content_id(text)
    return Query(f"qa-{name}", "qa", "", name, "t", "source", original, (), (), (), "CC0-1.0")


def plan_of(place: Path) -> Plan:
    languages = json.dumps(["en", *LANGUAGES])
    changes = [
        f"languages={languages}",
        f"tasks.qa.quota={QUESTIONS}",
        f"translation.cache={place}/cache",
    ]
    memory = f'translation.memory=["{place}/memory.tsv"]'
    plan = load_plan("sample", [*changes, memory, "translation.nllb-ct2.beams=1"])
    return dataclasses.replace(plan, filters={name: plan.filters[name] for name in _FILTERS})


def count_asked() -> list[int]:
    """Count the texts that the model is asked to carry out of English."""
    asked, translate = [0], NllbCt2.translate_choosing

    def counting(self: NllbCt2, texts: list[object], source: str, target: str) -> object:
        asked[0] += len(texts) if source == "en" else 0
        return translate(self, texts, source, target)  # type: ignore[arg-type]

    NllbCt2.translate_choosing = counting  # type: ignore[method-assign, assignment]
    return asked


def run(place: Path, kill_at: int) -> None:
    (place / "cache").mkdir(exist_ok=True)
    plan, asked, count = plan_of(place), count_asked(), die_at(kill_at, f"{place}/cache")
    tidy_cache(plan.translation)
    queries = [query(text) for text in questions(Path(plan.umls.meta).parent)]
    with empty_graph(Engine()) as graph:
        start = graph | "Queries" >> beam.Create(queries)
        worded, untranslated = start | "Translate" >> TranslateQueries(plan)
        judged, refused = worded | "Judge" >> JudgeQueries(plan)
        ruled, unreleased = judged | "Enforce" >> EnforceZeroOverlap(plan)
        rejects = (untranslated, refused, unreleased) | "Rejects" >> beam.Flatten()
        nothing = graph | "Passages" >> beam.Create([])
        _ = ruled | "Write" >> WriteRelease(plan, nothing, rejects, str(place / "release"))
        graph.run().wait_until_finish()
    tidy_cache(plan.translation)
    sys.stdout.write(json.dumps({"events": count[0], "asked": asked[0]}))


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
