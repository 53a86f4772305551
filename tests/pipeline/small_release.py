"""Write the parts of a release that scoring and retrieval read, from plain Python values."""

import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.schemas import CORPUS, QRELS, QUERIES, TOP_RANKED

BUILD_HASH = "0123456789abcdef"

Grades = Mapping[str, Mapping[str, int]]
"""Query → document → grade."""


def write_manifest(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "manifest.json").write_text(json.dumps({"build_hash": BUILD_HASH}), "utf-8")
    return root


def write_corpus(root: Path, task: str, documents: Mapping[str, str]) -> None:
    rows = [{"_id": one, "title": "", "text": text} for one, text in sorted(documents.items())]
    _write(root / "data" / task / "corpus", CORPUS, rows)


def write_subset(
    root: Path,
    name: str,
    grades: Grades,
    *,
    texts: Mapping[str, str] | None = None,
    core: frozenset[str] = frozenset(),
    shown: Mapping[str, list[str]] | None = None,
) -> None:
    task, *parts = name.split("-")
    queries = [
        {
            "_id": query,
            "text": (texts or {}).get(query, "text"),
            "language": parts[-1],
            "parallel_core": query in core,
        }
        for query in sorted(grades)
    ]
    qrels = [
        {"query-id": query, "corpus-id": document, "score": grade}
        for query in sorted(grades)
        for document, grade in sorted(grades[query].items())
    ]
    data = root / "data" / task
    _write(data.joinpath("queries", *parts), QUERIES, queries)
    _write(data.joinpath("qrels", *parts), QRELS, qrels)
    if shown is not None:
        rows = [{"query-id": query, "corpus-ids": ids} for query, ids in sorted(shown.items())]
        _write(data.joinpath("top_ranked", *parts), TOP_RANKED, rows)


def _write(folder: Path, schema: pa.Schema, rows: list[dict[str, object]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    full = [{field.name: _default(field.type) for field in schema} | row for row in rows]
    pq.write_table(pa.Table.from_pylist(full, schema), folder / "test-00000-of-00001.parquet")


def _default(kind: pa.DataType) -> object:
    if pa.types.is_list(kind):
        return []
    if pa.types.is_boolean(kind):
        return False
    return 0 if pa.types.is_integer(kind) else ""
