"""BEIR's folders, one a subset: corpus.jsonl, queries.jsonl, qrels/test.tsv."""

from pathlib import Path

from pipeline.export.folder import add_licence, new_folder, same_file
from pipeline.export.source import Source, open_source
from pipeline.export.writers import (
    write_beir_corpus,
    write_beir_qrels,
    write_beir_queries,
    write_candidates,
)

CANDIDATES = "candidates.trec"


def export_beir(release: Path, target: Path) -> int:
    """Write every subset as a folder that BEIR's loaders read; gives their number.

    A corpus that several languages share is one file under several names, where the file system
    can. Subsets of concepts have ``candidates.trec`` besides: BEIR itself would rank the whole
    corpus for them.
    """
    source = open_source(release)
    with new_folder(source, target) as folder:
        add_licence(source, folder)
        for task in source.tasks:
            _write_task(source, task, folder)
    return len(source.subsets)


def _write_task(source: Source, task: str, folder: Path) -> None:
    first, *others = (folder / one.name for one in source.subsets if one.task == task)
    write_beir_corpus(source, task, first / "corpus.jsonl")
    for other in others:
        same_file(first / "corpus.jsonl", other / "corpus.jsonl")
    for subset in source.subsets:
        if subset.task == task:
            here = folder / subset.name
            write_beir_queries(source, subset, here / "queries.jsonl")
            write_beir_qrels(source, subset, here / "qrels" / "test.tsv")
            if subset.tier:
                write_candidates(source, subset, here / CANDIDATES)
