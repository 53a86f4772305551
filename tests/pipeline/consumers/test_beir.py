"""BEIR's two loaders read the exported folders."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # BEIR leaves files open
Row = dict[str, Any]
SUBSETS = ("qa-en", "qa-de", "evidence-en", "evidence-de")


def expected(
    tables: dict[str, list[Row]], subset: str
) -> tuple[dict[str, dict[str, str]], dict[str, str], dict[str, dict[str, int]]]:
    task, language = subset.split("-")
    judged: dict[str, dict[str, int]] = {}
    for row in tables[f"data/{task}/qrels/{language}"]:
        judged.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
    documents = {
        row["_id"]: {"text": row["text"], "title": row["title"]}
        for row in tables[f"data/{task}/corpus"]
    }
    queries = {row["_id"]: row["text"] for row in tables[f"data/{task}/queries/{language}"]}
    return documents, queries, judged


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_generic_loader(exports: Path, tables: dict[str, list[Row]], subset: str) -> None:
    from beir.datasets.data_loader import GenericDataLoader

    loaded = GenericDataLoader(str(exports / "beir" / subset)).load("test")
    assert loaded == expected(tables, subset)


@pytest.mark.parametrize("subset", ["qa-de", "evidence-en"])
def test_the_loader_by_datasets(exports: Path, tables: dict[str, list[Row]], subset: str) -> None:
    from beir.datasets.data_loader_hf import HFDataLoader

    corpus, queries, qrels = HFDataLoader(data_folder=str(exports / "beir" / subset)).load("test")
    found = (
        {row["id"]: {"text": row["text"], "title": row["title"]} for row in corpus},
        {row["id"]: row["text"] for row in queries},
        {query: dict(grades) for query, grades in qrels.items()},
    )
    assert found == expected(tables, subset)
