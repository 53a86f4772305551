"""The files that exports are made of: documents and queries as JSON, judgements, candidates."""

from itertools import chain
from pathlib import Path

from pipeline.export.lines import json_line, tab_line, write_lines
from pipeline.export.source import Source, corpus_rows, subset_rows
from pipeline.release.layout import Subset
from pipeline.schemas import Row

TAG = "mmed-bench-ir"
_DOCUMENT = ("_id", "title", "text", "source", "licence", "url")
_QUERY = ("_id", "text", "language", "origin")
_QREL = ("query-id", "corpus-id", "score")


def write_beir_corpus(source: Source, task: str, path: Path) -> None:
    """A task's documents as BEIR has them; `metadata` says whose they are and under which terms."""
    rows = corpus_rows(source, task, _DOCUMENT)
    write_lines(path, (json_line(_with_metadata(row, ("_id", "title", "text"))) for row in rows))


def write_beir_queries(source: Source, subset: Subset, path: Path) -> None:
    """A subset's queries as BEIR has them."""
    rows = subset_rows(source, subset, "queries", _QUERY)
    write_lines(path, (json_line(_with_metadata(row, ("_id", "text"))) for row in rows))


def write_beir_qrels(source: Source, subset: Subset, path: Path) -> None:
    """Judgements between tabs, under a header, which BEIR's reader skips unread."""
    rows = subset_rows(source, subset, "qrels", _QREL)
    lines = (tab_line(*(row[name] for name in _QREL)) for row in rows)
    write_lines(path, chain((tab_line(*_QREL),), lines))


def write_trec_documents(source: Source, task: str, path: Path) -> None:
    """A task's documents as Anserini's JSON collection: `contents` is title and text."""
    rows = corpus_rows(source, task, _DOCUMENT)
    write_lines(path, (json_line(_as_collection(row)) for row in rows))


def write_topics(source: Source, subset: Subset, path: Path) -> None:
    """A subset's queries, id and text between a tab."""
    rows = subset_rows(source, subset, "queries", ("_id", "text"))
    write_lines(path, (tab_line(row["_id"], row["text"]) for row in rows))


def write_trec_qrels(source: Source, subset: Subset, path: Path) -> None:
    """Judgements as trec_eval reads them: ``query 0 document grade``."""
    rows = subset_rows(source, subset, "qrels", _QREL)
    write_lines(path, (f"{row['query-id']} 0 {row['corpus-id']} {row['score']}\n" for row in rows))


def write_candidates(source: Source, subset: Subset, path: Path) -> None:
    """The documents to rank for each query, as a run; all score 0, for their order says nothing."""
    rows = subset_rows(source, subset, "top_ranked", ("query-id", "corpus-ids"))
    write_lines(
        path,
        (
            f"{row['query-id']} Q0 {document} {rank} 0 {TAG}\n"
            for row in rows
            for rank, document in enumerate(row["corpus-ids"], 1)
        ),
    )


def _with_metadata(row: Row, own: tuple[str, ...]) -> Row:
    rest = {name: value for name, value in row.items() if name not in own}
    return {**{name: row[name] for name in own}, "metadata": rest}


def _as_collection(row: Row) -> Row:
    contents = "\n".join(part for part in (row["title"], row["text"]) if part)
    rest = {name: row[name] for name in ("title", "source", "licence", "url")}
    return {"id": row["_id"], "contents": contents, **rest}
