"""Whether every Parquet file of a release is a table of the contract: columns, order, place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from splits.audit.manifest import REMEDY, read_manifest
from splits.audit.withheld import COLUMNS, PROFILE

_LIST = pa.list_(pa.string())
_Extra = Mapping[str, Mapping[str, pa.DataType]]  # columns that one profile has, by kind


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of table: its columns with their types, and those by which rows are sorted."""

    columns: Mapping[str, pa.DataType]
    keys: tuple[str, ...]


def _columns(kinds: Mapping[pa.DataType, str]) -> dict[str, pa.DataType]:
    return {name: kind for kind, names in kinds.items() for name in names.split()}


KINDS: Mapping[str, Kind] = {
    "corpus": Kind(
        _columns({pa.string(): "_id title text source licence url", _LIST: "cuis"}), ("_id",)
    ),
    "queries": Kind(
        _columns(
            {
                pa.string(): "_id text language source_id origin engine model revision "
                "back_translation",
                _LIST: "cuis sabs",
                pa.int8(): "max_srl",
                pa.bool_(): "parallel_core",
            }
        ),
        ("_id",),
    ),
    "qrels": Kind(
        _columns({pa.string(): "query-id corpus-id", pa.int32(): "score"}),
        ("query-id", "corpus-id"),
    ),
    "top_ranked": Kind(_columns({pa.string(): "query-id", _LIST: "corpus-ids"}), ("query-id",)),
    "verdicts": Kind(
        _columns(
            {
                pa.string(): "query-id task tier text origin back_translation filter",
                pa.float64(): "score",
                pa.bool_(): "accepted released",
            }
        ),
        ("query-id", "filter"),
    ),
    "rejects": Kind(
        _columns({pa.string(): "stage key reason detail"}), ("stage", "key", "reason", "detail")
    ),
    "sets": Kind(
        _columns(
            {
                pa.string(): "query-id tier gold wording distractor measure why",
                pa.float64(): "similarity",
                _LIST: "excluded",
            }
        ),
        ("query-id", "distractor"),
    ),
    "figures": Kind(
        _columns(
            {
                pa.string(): "figure task language filter other step bin decision",
                pa.int32(): "count",
            }
        ),
        ("figure", "task", "language", "filter", "other", "step", "bin", "decision"),
    ),
}
_SINGLE = {
    "quality/figures.parquet": "figures",
    "quality/rejects.parquet": "rejects",
    "quality/sets.parquet": "sets",
}
_DATA_FOLDER = re.compile(
    r"data/(?:(?:qa|evidence|concepts)/(?P<corpus>corpus)"
    r"|(?:qa|evidence)/(?P<flat>queries|qrels)/[a-z]{2}"
    r"|concepts/(?P<tiered>queries|qrels|top_ranked)/(?:easy|medium|hard)/[a-z]{2})"
)
_SHARD = re.compile(r"test-(\d{5})-of-(\d{5})\.parquet")


def kind_of(path: str) -> str:
    """The kind of table that a path of a release holds, or "" if the contract knows none there."""
    file = PurePosixPath(path)
    if path in _SINGLE:
        return _SINGLE[path]
    if str(file.parent) == "quality/verdicts":
        return "verdicts"
    match = _DATA_FOLDER.fullmatch(str(file.parent))
    return next(filter(None, match.groups())) if match and _SHARD.fullmatch(file.name) else ""


@dataclass(frozen=True, slots=True)
class Looked:
    """What is wrong with the tables, and which files nobody can read as what they should be."""

    faults: list[str]
    unsound: frozenset[str]

    def is_sound(self, folder: str) -> bool:
        """Whether every table below a folder can be read."""
        return not any(path.startswith(f"{folder}/") for path in self.unsound)


def look_at_tables(root: Path) -> Looked:
    """Look at every Parquet file of the release but hidden ones."""
    extra = COLUMNS if read_manifest(root)[0].fields.get("profile") == PROFILE else {}
    faults: list[str] = []
    unsound: set[str] = set()
    folders: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.parquet")):
        name = path.relative_to(root).as_posix()
        if any(part.startswith(".") for part in PurePosixPath(name).parts):
            continue
        if found := list(_file_faults(path, name, extra)):
            faults += found
            unsound.add(name)
        else:
            table = str(PurePosixPath(name).parent) if name.startswith("data/") else name
            folders.setdefault(table, []).append(path)
    for table, paths in sorted(folders.items()):
        faults += _table_faults(table, paths)
    return Looked(faults, frozenset(unsound))


def _file_faults(path: Path, name: str, extra: _Extra) -> Iterator[str]:
    kind = kind_of(name)
    if not kind:
        yield f"{name}: no table of the contract stands there; {REMEDY}"
        return
    try:
        with pq.ParquetFile(path) as file:
            columns = {**KINDS[kind].columns, **extra.get(kind, {})}
            misfit = list(_schema_faults(file.schema_arrow, columns))
            yield from (f"{name}: {one}; {REMEDY}" for one in misfit)
            if not misfit:
                yield from (f"{name}: {one}; {REMEDY}" for one in _null_faults(file))
    except (pa.ArrowException, OSError) as error:
        told = " ".join(str(error).split())
        yield f"{name}: not a readable Parquet file ({told}); {REMEDY}"


def _schema_faults(schema: pa.Schema, columns: Mapping[str, pa.DataType]) -> Iterator[str]:
    for column, kind in columns.items():
        if column not in schema.names:
            yield f"no column {column}"
        elif schema.names.count(column) == 1 and not _is_of(schema.field(column).type, kind):
            yield f"column {column} is {schema.field(column).type}, expected {kind}"
    for column in schema.names:
        if column not in columns or schema.names.count(column) > 1:
            yield f"column {column} is none of the contract's"


def _is_of(found: pa.DataType, expected: pa.DataType) -> bool:
    """Lists are compared by what they hold: their items' name is nobody's business."""
    if pa.types.is_list(expected) and pa.types.is_list(found):
        found, expected = found.value_type, expected.value_type
    return bool(found == expected)


def _null_faults(file: pq.ParquetFile) -> Iterator[str]:
    bad: set[str] = set()
    for batch in file.iter_batches():
        for column in batch.schema.names:
            values = batch.column(column)
            items = values.flatten().null_count if pa.types.is_list(values.type) else 0
            if values.null_count or items:
                bad.add(column)
    yield from (f"null in column {column}" for column in sorted(bad))


def _table_faults(table: str, paths: Sequence[Path]) -> Iterator[str]:
    """Faults of a file, or of a folder of shards, that can be read."""
    shards = [path.name for path in paths]
    if not table.endswith(".parquet"):
        whole = [f"test-{place:05d}-of-{len(paths):05d}.parquet" for place in range(len(paths))]
        if shards != whole:
            yield f"{table}: shards {', '.join(shards)} are not a whole; {REMEDY}"
    kind = kind_of(table) or kind_of(f"{table}/{shards[0]}")
    if order := _order_fault(paths, KINDS[kind].keys):
        yield f"{table}: {order}"
    if kind == "queries":
        yield from _language_faults(table, paths, PurePosixPath(table).name)


def _order_fault(paths: Sequence[Path], keys: tuple[str, ...]) -> str:
    """Rows are sorted as strings compare by their bytes."""
    table = pa.concat_tables([pq.ParquetFile(path).read(columns=list(keys)) for path in paths])
    order = pc.sort_indices(table, [(key, "ascending") for key in keys])
    for place, found in enumerate(order.to_pylist()):
        if place != found:
            row = " ".join(str(table.column(key)[place]) for key in keys)
            return f"not sorted by {', '.join(keys)} from row {place}, {row}; {REMEDY}"
    return ""


def _language_faults(folder: str, paths: Sequence[Path], language: str) -> Iterator[str]:
    for path in paths:
        found = pc.unique(pq.ParquetFile(path).read(columns=["language"]).column(0)).to_pylist()
        for other in sorted(set(found) - {language}):
            yield f"{folder}: {path.name} has rows of the language {other!r}; {REMEDY}"
