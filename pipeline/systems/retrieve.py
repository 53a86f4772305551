"""Run a system over a release: one TREC run file a subset."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pipeline.scorer.release import (
    Release,
    Subset,
    open_release,
    read_candidates,
    read_corpus,
    read_queries,
)
from pipeline.systems.base import Asked, Hit, Index, System, SystemsError


def retrieve(
    release: Path,
    system: System,
    output: Path,
    *,
    subsets: Sequence[str] | None = None,
    depth: int = 100,
) -> Mapping[str, int]:
    """Write ``SUBSET.trec`` files into `output`; returns how many queries each subset answers.

    All subsets of the release by default. Each corpus is indexed once for all its languages;
    concepts are ranked among the candidates shown for their query, all of them.
    """
    opened = open_release(release)
    wanted = opened.subsets if subsets is None else [opened.subset(name) for name in subsets]
    output.mkdir(parents=True, exist_ok=True)
    answered: dict[str, int] = {}
    for task, group in groupby(_in_release_order(opened, wanted), key=lambda one: one.task):
        index = system.index(read_corpus(opened, task))
        for subset in group:
            hits = _in_trec_order(_ask(index, opened, subset, depth))
            _write_run(output / f"{subset.name}.trec", hits, system.name)
            answered[subset.name] = len({hit.query_id for hit in hits})
    return answered


def _in_release_order(release: Release, wanted: Iterable[Subset]) -> list[Subset]:
    asked = frozenset(wanted)
    return [subset for subset in release.subsets if subset in asked]


def _ask(index: Index, release: Release, subset: Subset, depth: int) -> Iterator[Hit]:
    queries = [Asked(*query, subset.language) for query in read_queries(release, subset)]
    candidates = read_candidates(release, subset)
    if candidates is None:
        return index.search(queries, depth)
    for query in queries:
        if query.query_id not in candidates:
            place = f"{release.root}: {subset.name}: query {query.query_id}"
            raise SystemsError(f"{place} is shown no candidates; fetch the release again")
    return index.rerank(queries, candidates)


def _in_trec_order(hits: Iterable[Hit]) -> list[Hit]:
    """By query, then score and document id, both descending."""
    by_document = sorted(hits, key=lambda hit: hit.document_id, reverse=True)
    return sorted(by_document, key=lambda hit: (hit.query_id, -hit.score))


def _write_run(path: Path, hits: Iterable[Hit], tag: str) -> None:
    """Write six columns a line, ranks from 1, scores to their last digit; whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("w", encoding="utf-8", newline="\n") as file:
        for _, ranked in groupby(hits, key=lambda hit: hit.query_id):
            file.writelines(
                f"{hit.query_id} Q0 {hit.document_id} {rank} {hit.score!r} {tag}\n"
                for rank, hit in enumerate(ranked, 1)
            )
    temporary.replace(path)
