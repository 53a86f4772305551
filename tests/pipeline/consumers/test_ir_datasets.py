"""ir_datasets and ir_measures read the export through the module that registers it."""

import gc
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # of ir_datasets, on encodings and open files
Row = dict[str, Any]


@pytest.fixture(scope="module")
def registered(exports: Path) -> Iterator[Any]:
    """The library, with the release in its registry."""
    import ir_datasets

    before = dict(ir_datasets.registry._registered)
    path = exports / "ir_datasets_of_ours" / "mmed_bench_ir_datasets.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield ir_datasets
    ir_datasets.registry._registered = before
    gc.collect()  # the library closes no file itself, and here nobody minds


def test_every_subset_is_registered(registered: Any, tables: dict[str, list[Row]]) -> None:  # noqa: ANN401
    folders = [folder for folder in tables if "/queries/" in folder]
    assert len(folders) == 10
    for folder in folders:
        _, task, _, *place = folder.split("/")
        dataset = registered.load("/".join(["mmed-bench-ir", task, *place]))
        found = {query.query_id: query.text for query in dataset.queries_iter()}
        assert found == {row["_id"]: row["text"] for row in tables[folder]}
        assert dataset.queries_lang() == place[-1]
        judged = {(one.query_id, one.doc_id, one.relevance) for one in dataset.qrels_iter()}
        rows = tables[folder.replace("/queries/", "/qrels/")]
        assert judged == {(row["query-id"], row["corpus-id"], row["score"]) for row in rows}
        assert dataset.has_scoreddocs() == (task == "concepts")


def test_documents_are_those_of_the_task(registered: Any, tables: dict[str, list[Row]]) -> None:  # noqa: ANN401
    dataset = registered.load("mmed-bench-ir/qa/de")
    rows = {row["_id"]: (row["title"], row["text"]) for row in tables["data/qa/corpus"]}
    assert {one.doc_id: (one.title, one.text) for one in dataset.docs_iter()} == rows
    assert dataset.docs_store().get("p10").text == rows["p10"][1]
    assert registered.docs_parent_id("mmed-bench-ir/qa/de") == "mmed-bench-ir/qa"


def test_ir_measures_scores_the_candidates(registered: Any) -> None:  # noqa: ANN401
    import ir_measures

    dataset = registered.load("mmed-bench-ir/concepts/hard/en")
    (first, second) = dataset.scoreddocs_iter()
    assert (first.doc_id, second.doc_id) == ("concept-C0000004", "concept-C0000003")
    run = [ir_measures.ScoredDoc("concepts-1", "concept-C0000003", 1.0)]
    found = ir_measures.calc_aggregate([ir_measures.nDCG @ 10], dataset.qrels_iter(), run)
    assert found == {ir_measures.nDCG @ 10: 1.0}
