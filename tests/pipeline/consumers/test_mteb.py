"""MTEB's own loaders read every subset, and it evaluates a model on a task of each kind."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # of MTEB and what it loads
Row = dict[str, Any]


@pytest.fixture(scope="module")
def tasks(exports: Path) -> Iterator[ModuleType]:
    """The exported module."""
    path = exports / "mteb_tasks" / "mmed_bench_ir_tasks.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where MTEB looks for the file of a task
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


def test_every_subset_has_filled_metadata(tasks: ModuleType) -> None:
    named = {}
    for task in tasks.TASKS:
        assert task.metadata.is_filled()
        task.metadata._validate_metadata()
        assert task.metadata.domains == ["Medical"]
        assert task.metadata.intext_citation() == "\\cite{mmed-bench-ir}"
        named |= task.metadata.hf_subsets_to_langscripts
    assert len(named) == 10
    assert named["qa-de"] == named["concepts-hard-de"] == ["deu-Latn", "eng-Latn"]
    assert named["evidence-en"] == ["eng-Latn"]


def test_the_loader_reads_every_subset(tasks: ModuleType, tables: dict[str, list[Row]]) -> None:
    for cls in tasks.TASKS:
        task = cls()
        task.load_data()
        for subset in task.metadata.hf_subsets:
            name, *place = subset.split("-")
            data = task.dataset[subset]["test"]
            for kind in ("corpus", "queries"):
                folder = "/".join(["data", name, kind, *(place if kind == "queries" else [])])
                ids = {row["_id"]: row["text"] for row in tables[folder]}
                assert dict(zip(data[kind]["id"], data[kind]["text"], strict=True)) == ids
            judged: dict[str, dict[str, int]] = {}
            for row in tables["/".join(["data", name, "qrels", *place])]:
                judged.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
            assert data["relevant_docs"] == judged
            assert (data["top_ranked"] is not None) == (name == "concepts")
        if task.metadata.type == "Reranking":
            assert data["top_ranked"] == {"concepts-1": ["concept-C0000004", "concept-C0000003"]}


@pytest.mark.parametrize(
    "name", ["MMedBenchIRQA", "MMedBenchIRConceptsHard", "MMedBenchIREvidence"]
)
def test_a_random_encoder_is_evaluated(tasks: ModuleType, name: str) -> None:
    import mteb

    model = mteb.get_model("mteb/baseline-random-encoder")
    task = getattr(tasks, name)()
    (result,) = mteb.evaluate(model, task, cache=None).task_results
    scores = result.scores["test"]
    assert {one["hf_subset"] for one in scores} == set(task.metadata.hf_subsets)
    assert all(0 < one["ndcg_at_10"] == one["main_score"] <= 1 for one in scores)
