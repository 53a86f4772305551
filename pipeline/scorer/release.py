"""The parts of a release that scoring and retrieval read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pipeline.scorer.codes import Codes, encode, to_numbers
from pipeline.scorer.errors import RequestError, ScorerError, known

if TYPE_CHECKING:
    import pyarrow as pa

TASKS = ("qa", "concepts", "evidence")
TIERS = ("easy", "medium", "hard")
ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Subset:
    """What is retrieved and scored together: a task in a language, of concepts a tier of it."""

    task: str
    tier: str
    language: str

    @property
    def name(self) -> str:
        """For example ``qa-de`` or ``concepts-hard-zh``."""
        return "-".join(part for part in (self.task, self.tier, self.language) if part)


@dataclass(frozen=True, slots=True)
class Release:
    """A release's folder, the hash that names its content, and the subsets that it has."""

    root: Path
    build_hash: str
    subsets: tuple[Subset, ...]

    def subset(self, name: str) -> Subset:
        """The subset of that name; raises RequestError where there is none."""
        for subset in self.subsets:
            if subset.name == name:
                return subset
        names = [subset.name for subset in self.subsets]
        raise RequestError(f"{self.root}: no subset {name!r}; {known(name, names)}")


@dataclass(frozen=True, slots=True)
class Judgements:
    """The qrels of a subset as columns; a code is the place of an id in its list.

    ``in_core`` tells for each query whether it belongs to the parallel core.
    """

    queries: Sequence[str]  # ascending
    documents: Sequence[str]  # ascending
    query_codes: Codes
    document_codes: Codes
    grades: NDArray[np.float64]
    in_core: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a system sees it."""

    document_id: str
    title: str
    text: str


def open_release(root: Path) -> Release:
    """Find what a release holds; raises RequestError where there is none."""
    manifest = root / "manifest.json"
    if not manifest.is_file():
        raise RequestError(f"{root}: no manifest.json; name the folder of a release")
    try:
        build_hash = str(json.loads(manifest.read_text("utf-8"))["build_hash"])
    except (ValueError, KeyError, TypeError) as error:
        raise ScorerError(f"{manifest}: no build_hash to be read; fetch the release again") from (
            error
        )
    return Release(root, build_hash, tuple(sorted(_find_subsets(root), key=_order)))


def read_judgements(release: Release, subset: Subset) -> Judgements:
    """The qrels of a subset, with the parallel core from its queries."""
    table = _read(release, subset, "qrels", ("query-id", "corpus-id", "score"))
    queries, query_codes = encode(table["query-id"])
    documents, document_codes = encode(table["corpus-id"])
    grades = to_numbers(table["score"]).astype(np.float64)
    core = _read(release, subset, "queries", ("_id", "parallel_core")).to_pydict()
    flags = dict(zip(core["_id"], core["parallel_core"], strict=True))
    in_core = np.array([bool(flags.get(query)) for query in queries], bool)
    return Judgements(queries, documents, query_codes, document_codes, grades, in_core)


def read_candidates(release: Release, subset: Subset) -> Mapping[str, Sequence[str]] | None:
    """Query id → the documents shown for it; None where a task ranks its whole corpus."""
    if not subset.tier:
        return None
    table = _read(release, subset, "top_ranked", ("query-id", "corpus-ids")).to_pydict()
    return dict(zip(table["query-id"], table["corpus-ids"], strict=True))


def read_concepts(release: Release, subset: Subset) -> Mapping[str, Sequence[str]]:
    """Query id → the concepts that it is about."""
    table = _read(release, subset, "queries", ("_id", "cuis")).to_pydict()
    return dict(zip(table["_id"], table["cuis"], strict=True))


def read_queries(release: Release, subset: Subset) -> list[tuple[str, str]]:
    """The ids and texts of a subset's queries, by id."""
    table = _read(release, subset, "queries", ("_id", "text")).to_pydict()
    return sorted(zip(table["_id"], table["text"], strict=True))


def read_corpus(release: Release, task: str) -> list[Document]:
    """The documents of a task, by id."""
    folder = release.root / "data" / task / "corpus"
    table = read_tables(folder, ("_id", "title", "text")).to_pydict()
    rows = zip(table["_id"], table["title"], table["text"], strict=True)
    return [Document(*row) for row in sorted(rows)]


def read_tables(folder: Path, columns: Sequence[str]) -> "pa.Table":
    """Some columns of all the shards in a folder."""
    import pyarrow as pa  # noqa: PLC0415 - the scorer's help must not wait for it

    paths = sorted(folder.glob("*.parquet"))
    if not paths:
        raise ScorerError(f"{folder}: no Parquet file; fetch the release again")
    return pa.concat_tables([read_table(path, columns) for path in paths])


def read_table(path: Path, columns: Sequence[str], ids: Sequence[str] = ()) -> "pa.Table":
    """Some columns of one Parquet file; raises ScorerError where they cannot be had.

    Those that hold few different `ids` many times are read as places in a list, which costs less.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        schema = pq.read_schema(path)
        repeated = [n for n in ids if n in schema.names and schema.field(n).type == pa.string()]
        with pq.ParquetFile(path, read_dictionary=repeated or None) as file:
            lacking = [name for name in columns if name not in file.schema_arrow.names]
            if lacking:
                there = ", ".join(file.schema_arrow.names)
                raise ScorerError(f"{path}: no column {', '.join(lacking)}; there are {there}")
            table = file.read(columns=list(columns))
    except (pa.ArrowException, OSError) as error:
        raise ScorerError(f"{path}: cannot be read as Parquet ({error})") from error
    _refuse_nulls(path, table)
    return table


def _read(release: Release, subset: Subset, kind: str, columns: Sequence[str]) -> "pa.Table":
    parts = [part for part in (subset.tier, subset.language) if part]
    return read_tables(release.root.joinpath("data", subset.task, kind, *parts), columns)


def _refuse_nulls(path: Path, table: "pa.Table") -> None:
    for name in table.column_names:
        if table[name].null_count:
            raise ScorerError(f"{path}: column {name} has null values; every row needs one")


def _find_subsets(root: Path) -> Iterator[Subset]:
    """One for each folder of qrels: ``data/TASK/qrels/LANGUAGE`` or ``…/TIER/LANGUAGE``."""
    for folder in {path.parent for path in root.glob("data/*/qrels/**/*.parquet")}:
        task, _, *parts = folder.relative_to(root / "data").parts
        if parts:
            yield Subset(task, "-".join(parts[:-1]), parts[-1])


def _order(subset: Subset) -> tuple[object, ...]:
    """By task and tier in the order of the design, English before other languages."""
    return (
        _place(subset.task, TASKS),
        _place(subset.tier, TIERS),
        (subset.language != ENGLISH, subset.language),
    )


def _place(name: str, order: Sequence[str]) -> tuple[int, str]:
    return (order.index(name) if name in order else len(order), name)
