"""Where a run's rankings are found: a folder of TREC files, one such file, or a Parquet file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scorer.codes import Codes, encode, select, to_numbers
from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.rankings import Ranking, first_duplicate, first_not_finite
from pipeline.scorer.release import read_table
from pipeline.scorer.trec import read_trec

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".trec", ".trec.gz")
PARQUET = ".parquet"
COLUMNS = {"subset": "string", "query-id": "string", "corpus-id": "string", "score": "double"}


@dataclass(frozen=True, slots=True)
class Run:
    """A run and where it lies: what a system answered, under a name."""

    name: str
    path: Path
    subset: str = ""  # of a single TREC file that is not named after its subset


def read_run(run: Run) -> Iterator[tuple[str, Ranking]]:
    """The name of each subset in a run, ascending, with its ranking, read one at a time.

    A folder holds ``SUBSET.trec`` or ``SUBSET.trec.gz`` files; a Parquet file has the columns
    subset, query-id, corpus-id and score.
    """
    if run.subset and (run.path.is_dir() or run.path.suffix == PARQUET):
        raise RequestError(f"{run.path}: names its subsets itself; leave out --subset")
    if not run.path.exists():
        raise RequestError(f"{run.path}: no such run")
    if run.path.suffix == PARQUET:
        yield from _read_parquet(run.path)
    else:
        for subset, path in _trec_files(run):
            yield subset, read_trec(path)


def stem(path: Path) -> str:
    """A run's or a subset's name: that of its folder, or of its file without the ending."""
    name = path.resolve().name
    endings = (*reversed(SUFFIXES), PARQUET)
    return next((name.removesuffix(end) for end in endings if name.endswith(end)), name)


def _trec_files(run: Run) -> list[tuple[str, Path]]:
    if not run.path.is_dir():
        return [(run.subset or stem(run.path), run.path)]
    files = [path for path in sorted(run.path.iterdir()) if path.name.endswith(SUFFIXES)]
    if not files:
        raise RequestError(f"{run.path}: no run file; expected SUBSET.trec or SUBSET.trec.gz")
    named: dict[str, Path] = {}
    for path in files:
        if stem(path) in named:
            raise ScorerError(f"{path}: {named[stem(path)].name} is there too; keep one of them")
        named[stem(path)] = path
    return sorted(named.items())


def _read_parquet(path: Path) -> Iterator[tuple[str, Ranking]]:
    table = read_table(path, tuple(COLUMNS), ids=[n for n, k in COLUMNS.items() if k == "string"])
    subset, query, document, score = (
        _cast(path, table, name, kind) for name, kind in COLUMNS.items()
    )
    subsets, subset_codes = encode(subset)
    queries, documents = encode(query), encode(document)
    scores = to_numbers(score).astype(np.float64)
    for code, name in enumerate(subsets):
        rows = np.flatnonzero(subset_codes == code)
        query_ids, query_codes = select(*queries, rows)
        document_ids, document_codes = select(*documents, rows)
        ranking = Ranking(
            str(path), query_ids, document_ids, query_codes, document_codes, scores[rows]
        )
        _refuse_faults(ranking, rows)
        yield name, ranking


def _refuse_faults(ranking: Ranking, rows: Codes) -> None:
    faults = (
        ("score is no finite number", first_not_finite(ranking)),
        ("document is ranked again for its query", first_duplicate(ranking)),
    )
    for fault, place in faults:
        if place is not None:
            query = ranking.queries[ranking.query_codes[place]]
            document = ranking.documents[ranking.document_codes[place]]
            where = f"{ranking.source}: row {rows[place] + 1} (query {query}, document {document})"
            raise ScorerError(f"{where}: {fault}; mend or drop it")


def _cast(path: Path, table: "pa.Table", column: str, kind: str) -> "pa.ChunkedArray":
    import pyarrow as pa  # noqa: PLC0415

    there = table[column].type
    if kind == "string" and pa.types.is_dictionary(there) and there.value_type == pa.string():
        return table[column]
    try:
        return table[column].cast(kind)
    except (pa.ArrowException, NotImplementedError) as error:
        raise ScorerError(f"{path}: column {column} is {there}, expected {kind}") from error
