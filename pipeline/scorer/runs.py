"""Where a run's rankings are found: a folder of TREC files, one such file, or a Parquet file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipeline.scorer.codes import encode
from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.rankings import Ranking, first_duplicate, first_not_finite, make_ranking
from pipeline.scorer.release import read_table
from pipeline.scorer.trec import read_trec

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".trec", ".trec.gz")
PARQUET = ".parquet"
COLUMNS = ("subset", "query-id", "corpus-id", "score")


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
    table = read_table(path, COLUMNS)
    subsets, codes = encode(_as_strings(path, table, "subset"))
    for code, subset in enumerate(subsets):
        rows = np.flatnonzero(codes == code)
        part = table.take(rows)
        queries, documents = (_as_strings(path, part, name) for name in COLUMNS[1:3])
        ranking = make_ranking(str(path), queries, documents, _as_scores(path, part))
        _refuse_faults(ranking, rows)
        yield subset, ranking


def _refuse_faults(ranking: Ranking, rows: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> None:
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


def _as_strings(path: Path, table: "pa.Table", column: str) -> "pa.ChunkedArray":
    import pyarrow as pa  # noqa: PLC0415

    return _cast(path, table, column, pa.string())


def _as_scores(path: Path, table: "pa.Table") -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    import pyarrow as pa  # noqa: PLC0415

    scores: np.ndarray[tuple[int], np.dtype[np.float64]]
    scores = _cast(path, table, "score", pa.float64()).to_numpy()
    return scores


def _cast(path: Path, table: "pa.Table", column: str, kind: "pa.DataType") -> "pa.ChunkedArray":
    import pyarrow as pa  # noqa: PLC0415

    try:
        return table[column].cast(kind)
    except (pa.ArrowException, NotImplementedError) as error:
        there = table[column].type
        raise ScorerError(f"{path}: column {column} is {there}, expected {kind}") from error
