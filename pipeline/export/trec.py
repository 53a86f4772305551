"""TREC's files: topics, qrels and, for subsets of concepts, candidates; documents a task."""

from pathlib import Path

from pipeline.export.folder import add_licence, new_folder
from pipeline.export.source import open_source
from pipeline.export.writers import (
    write_candidates,
    write_topics,
    write_trec_documents,
    write_trec_qrels,
)


def export_trec(release: Path, target: Path) -> int:
    """Write ``docs/TASK.jsonl`` and a folder a subset; gives the number of subsets."""
    source = open_source(release)
    with new_folder(source, target) as folder:
        add_licence(source, folder)
        for task in source.tasks:
            write_trec_documents(source, task, folder / "docs" / f"{task}.jsonl")
        for subset in source.subsets:
            here = folder / subset.name
            write_topics(source, subset, here / "topics.tsv")
            write_trec_qrels(source, subset, here / "qrels.txt")
            if subset.tier:
                write_candidates(source, subset, here / "candidates.trec")
    return len(source.subsets)
