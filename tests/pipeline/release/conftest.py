"""A release in the small: three tasks, one of them absent in German, written as a build would."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.release.layout import SETS, Subset, corpus_folder, subset_folder
from pipeline.release.writing import write_parquet, write_shards
from pipeline.schemas import to_table

FOUND = (
    Subset("qa", "", "en"),
    Subset("qa", "", "de"),
    Subset("concepts", "hard", "en"),
    Subset("evidence", "", "en"),
)
CORPORA = {
    "qa": [("p1", "Rest helps.", "test", "CC0-1.0"), ("p2", "So it does.", "more", "CC-BY-4.0")],
    "evidence": [("p3", "Trials say little.", "test", "CC0-1.0")],
    "concepts": [
        ("concept-C3", "scabies", "SAB", "UMLS SRL 0"),
        ("concept-C4", "head lice", "OTHER", "UMLS SRL 3"),
    ],
}


def document(row: tuple[str, str, str, str]) -> dict[str, Any]:
    id_, text, source, licence = row
    keys = {"_id": id_, "text": text, "source": source, "licence": licence}
    return {"title": "", "cuis": ["C1"], "url": "", **keys}


def query(subset: Subset) -> dict[str, Any]:
    is_made = subset.language != "en"
    of_set = subset.task == "concepts"
    return {
        "_id": f"{subset.task}-1",
        "text": f"{subset.task} {subset.tier} in {subset.language}",
        "language": subset.language,
        "cuis": [f"C{subset.task}"],
        "source_id": f"s {subset.task}",
        "origin": "mt" if is_made else "umls" if of_set else "source",
        "engine": "nllb" if is_made else "",
        "model": "600M" if is_made else "",
        "revision": "abc" if is_made else "",
        "back_translation": "back" if is_made else "",
        "sabs": ["SAB"] if of_set else [],
        "max_srl": 1 if of_set else 0,
        "parallel_core": subset.task == "qa",
    }


def verdict(subset: Subset, filter_: str, accepted: bool, number: int = 1) -> dict[str, Any]:
    return {
        "query-id": f"{subset.task}-{number}",
        "task": subset.task,
        "tier": subset.tier,
        "text": "x",
        "origin": "mt",
        "back_translation": "",
        "filter": filter_,
        "score": 0.5,
        "accepted": accepted,
        "released": False,
    }


def explained(number: int, wording: str) -> dict[str, Any]:
    """A row of `quality/sets.parquet`."""
    return {
        "query-id": f"concepts-{number}",
        "tier": "hard",
        "gold": "C3",
        "wording": wording,
        "distractor": "C4",
        "similarity": 0.5,
        "measure": "cosine",
        "why": "look_alike",
        "excluded": [],
    }


@pytest.fixture(name="explained")
def explained_fixture() -> Callable[[int, str], dict[str, Any]]:
    """Makes rows of `quality/sets.parquet`."""
    return explained


@pytest.fixture
def found() -> tuple[Subset, ...]:
    """The subsets that the small release has."""
    return FOUND


@pytest.fixture
def small_root(tmp_path: Path) -> Path:
    """The data and verdicts of the small release, without what describes them."""
    root = tmp_path / "small"
    for task, rows in CORPORA.items():
        write_shards(to_table("corpus", map(document, rows)), root, corpus_folder(task))
    for subset in FOUND:
        id_ = f"{subset.task}-1"
        relevant = CORPORA[subset.task][0][0]
        tables = {
            "queries": [query(subset)],
            "qrels": [{"query-id": id_, "corpus-id": relevant, "score": 1}],
            "top_ranked": [{"query-id": id_, "corpus-ids": ["concept-C3", "concept-C4"]}],
        }
        for kind in subset.kinds:
            write_shards(to_table(kind, tables[kind]), root, subset_folder(subset, kind))
    refused = Subset("evidence", "", "de")
    rows = [
        verdict(refused, "copy", False),
        verdict(refused, "length", True),
        verdict(refused, "copy", False, 2),
        verdict(refused, "length", False, 2),
    ]
    write_parquet(to_table("verdicts", rows), root, "quality/verdicts/de.parquet")
    write_parquet(to_table("sets", [explained(1, "name")]), root, SETS)
    return root
