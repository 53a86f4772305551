"""Released queries, passages and rejects → the Parquet files of a release."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import apache_beam as beam

from pipeline.plan import Plan
from pipeline.records import JudgedQuery, Passage, Reject
from pipeline.release.layout import SETS, Subset, corpus_folder, subset_folder
from pipeline.release.withheld import (
    IDS,
    concept_row_withheld,
    judged_row_withheld,
    plain_row,
    schema_of,
)
from pipeline.release.writing import FileEntry, write_parquet, write_shards
from pipeline.schemas import (
    Row,
    concept_row,
    corpus_row,
    qrels_rows,
    query_row,
    reject_row,
    set_rows,
    to_table,
    top_ranked_row,
    verdict_rows,
)
from pipeline.stages.enforcing import Ruled
from pipeline.stages.tally import GIVEN, TAKEN, count
from umls_tools.confusion.shown import shown_name

STAGE = "write"
OPEN = "open"  # the profile whose tables have no more columns than the contract asks for

Place = tuple[str, str]  # kind, folder or file relative to the release


class WriteRelease(beam.PTransform):
    """(Judged query, how it is released) → files, one worker a table, rows sorted by id."""

    def __init__(
        self, plan: Plan, passages: beam.PCollection, rejects: beam.PCollection, folder: str
    ) -> None:
        super().__init__()
        self.plan = plan
        self.passages = passages
        self.rejects = rejects
        self.folder = folder

    def expand(self, ruled: beam.PCollection) -> beam.PCollection:
        """Gives an entry for every file written."""
        shown = (
            ruled
            | "Shown" >> beam.FlatMap(shown_rows, self.plan.profile)
            | "By concept" >> beam.GroupByKey()
            | "Once" >> beam.Map(_first)
        )
        explained = (
            ruled
            | "Explain" >> beam.FlatMap(explained_rows)
            | "By set" >> beam.GroupByKey()
            | "Explained once" >> beam.FlatMap(_first_explained)
        )
        rows = (
            ruled | "Query tables" >> beam.FlatMap(query_tables, self.plan.seed, self.plan.profile),
            shown,
            explained,
            self.passages | "Corpora" >> beam.FlatMap(corpus_tables, self.plan.profile),
            self.rejects | "Rejects" >> beam.Map(_reject_table),
        )
        return (
            rows
            | "Rows" >> beam.Flatten()
            | "By table" >> beam.GroupByKey()
            | "Write" >> beam.FlatMap(write_table, self.folder, self.plan.profile)
        )


def query_tables(ruled: Ruled, seed: int, profile: str = OPEN) -> Iterator[tuple[Place, Row]]:
    """Every row that a judged query gives, with its table."""
    judged, released = ruled
    query, language = judged.query, judged.translation.language
    for row in verdict_rows(judged, released is not None):
        shown = _as_profile_allows("verdicts", row, judged, profile)
        yield ("verdicts", f"quality/verdicts/{language}.parquet"), shown
    if released is None:
        return
    subset = Subset(query.task, query.stratum, language)
    row = _as_profile_allows("queries", query_row(judged, released.parallel_core), judged, profile)
    yield ("queries", subset_folder(subset, "queries")), row
    for row in qrels_rows(query):
        yield ("qrels", subset_folder(subset, "qrels")), row
    if query.task == "concepts":
        yield ("top_ranked", subset_folder(subset, "top_ranked")), top_ranked_row(query, seed)


def _as_profile_allows(kind: str, row: Row, judged: JudgedQuery, profile: str) -> Row:
    return judged_row_withheld(kind, row, judged) if profile == IDS else row


def shown_rows(ruled: Ruled, profile: str = OPEN) -> Iterator[tuple[str, Row]]:
    """The concepts that a released set shows, by CUI."""
    judged, released = ruled
    if released is None or judged.query.task != "concepts":
        return
    for concept in judged.query.concepts:
        if name := shown_name(concept):
            row = concept_row(concept, name)
            yield concept.cui, concept_row_withheld(row, name) if profile == IDS else row


def explained_rows(ruled: Ruled) -> Iterator[tuple[str, list[Row]]]:
    """Why a released set is as it is, by query: the same in all its languages."""
    judged, released = ruled
    if released is not None and judged.query.distractors:
        yield judged.query.query_id, set_rows(judged.query)


def corpus_tables(passage: Passage, profile: str = OPEN) -> Iterator[tuple[Place, Row]]:
    """A passage in the corpus of every task that its source may serve."""
    row = corpus_row(passage)
    for task in passage.tasks:
        yield ("corpus", corpus_folder(task)), plain_row("corpus", row) if profile == IDS else row


def write_table(
    group: tuple[Place, Iterable[Row]], folder: str, profile: str = OPEN
) -> Iterator[FileEntry]:
    """Write one table; a folder gets shards, a single file its one."""
    (kind, place), rows = group
    table = to_table(kind, rows, schema_of(kind, profile))
    count(STAGE, TAKEN, table.num_rows)
    root = Path(folder)
    if place.endswith(".parquet"):
        entries = [write_parquet(table, root, place)]
    else:
        entries = write_shards(table, root, place)
    count(STAGE, GIVEN, sum(entry.rows for entry in entries))
    yield from entries


def _first(group: tuple[str, Iterable[Row]]) -> tuple[Place, Row]:
    """All sets show a concept by the same rule, so its rows are all the same."""
    _, rows = group
    return ("corpus", corpus_folder("concepts")), next(iter(rows))


def _first_explained(group: tuple[str, Iterable[list[Row]]]) -> Iterator[tuple[Place, Row]]:
    _, rows = group
    yield from ((("sets", SETS), row) for row in next(iter(rows)))


def _reject_table(reject: Reject) -> tuple[Place, Row]:
    return ("rejects", "quality/rejects.parquet"), reject_row(reject)
