"""A module that registers every subset with ir_datasets, and the files that it reads."""

import json
from pathlib import Path

from pipeline.export.folder import add_licence, new_folder
from pipeline.export.lines import write_lines
from pipeline.export.source import Source, open_source
from pipeline.export.writers import (
    write_beir_corpus,
    write_beir_queries,
    write_candidates,
    write_trec_qrels,
)

MODULE = "mmed_bench_ir_datasets.py"
_TEMPLATE = '''"""Registers the subsets of a release of MMed-Bench-IR with ir_datasets on import.

    import ir_datasets, mmed_bench_ir_datasets
    dataset = ir_datasets.load("mmed-bench-ir/qa/en")
"""

from pathlib import Path
from typing import NamedTuple

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import JsonlDocs, JsonlQueries, TrecQrels, TrecScoredDocs
from ir_datasets.util import LocalDownload

NAME = {name}
VERSION = {version}
BUILD_HASH = {build_hash}
PREFIX = "mmed-bench-ir"
DATA = Path(__file__).resolve().parent / "data"

# Subset: its task, its language, whether candidates are to be ranked rather than all documents.
SUBSETS = {{
{subsets}
}}


class Document(NamedTuple):
    """A document as the release has it."""

    doc_id: str
    title: str
    text: str

    def default_text(self):
        """What is to be searched: title and text."""
        return f"{{self.title}} {{self.text}}".strip()


def _documents(task):
    fields = {{"doc_id": "_id", "title": "title", "text": "text"}}
    file = LocalDownload(DATA / "docs" / f"{{task}}.jsonl")
    return JsonlDocs(file, Document, fields, namespace=f"{{PREFIX}}/{{task}}", lang="en")


def _parts(subset, language, has_candidates):
    folder = DATA / subset
    fields = {{"query_id": "_id", "text": "text"}}
    yield JsonlQueries(LocalDownload(folder / "queries.jsonl"), mapping=fields, lang=language)
    yield TrecQrels(LocalDownload(folder / "qrels.txt"), {{}})
    if has_candidates:
        yield TrecScoredDocs(LocalDownload(folder / "candidates.trec"))


def register():
    """Register every corpus, and every subset with the documents of its task."""
    corpora = {{task: _documents(task) for task, _, _ in SUBSETS.values()}}
    for task, documents in corpora.items():
        ir_datasets.registry.register(f"{{PREFIX}}/{{task}}", Dataset(documents))
    for subset, (task, language, has_candidates) in SUBSETS.items():
        parts = _parts(subset, language, has_candidates)
        name = f"{{PREFIX}}/{{subset.replace('-', '/')}}"  # below the corpus, whose index it shares
        ir_datasets.registry.register(name, Dataset(corpora[task], *parts))


register()
'''


def export_ir_datasets(release: Path, target: Path) -> int:
    """Write the module and its data beside it; gives the number of subsets."""
    source = open_source(release)
    with new_folder(source, target) as folder:
        add_licence(source, folder)
        write_lines(folder / MODULE, (_module(source),))
        for task in source.tasks:
            write_beir_corpus(source, task, folder / "data" / "docs" / f"{task}.jsonl")
        for subset in source.subsets:
            here = folder / "data" / subset.name
            write_beir_queries(source, subset, here / "queries.jsonl")
            write_trec_qrels(source, subset, here / "qrels.txt")
            if subset.tier:
                write_candidates(source, subset, here / "candidates.trec")
    return len(source.subsets)


def _module(source: Source) -> str:
    rows = (
        f'    "{one.name}": ("{one.task}", "{one.language}", {bool(one.tier)}),'
        for one in source.subsets
    )
    names = {key: json.dumps(getattr(source, key)) for key in ("name", "version", "build_hash")}
    return _TEMPLATE.format(**names, subsets="\n".join(rows))
