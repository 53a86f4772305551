"""The rows of a release's Parquet files, which may be cut short or another tool's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.release.layout import ReleaseError
from pipeline.schemas import CORPUS, QRELS, QUERIES, TOP_RANKED, Row

_REMEDY = "fetch the release again"
_TYPES = {field.name: field.type for kind in (CORPUS, QUERIES, QRELS, TOP_RANKED) for field in kind}


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what is wrong with a Parquet file into one line that names it."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        told = " ".join(str(error).split())
        raise ReleaseError(f"{path}: cannot be read ({told}); {_REMEDY}") from error


def rows_in(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of a file, with these columns of a release's tables.

    Raises:
        ReleaseError: The file cannot be read, lacks a column, or holds no such values in one.
    """
    with readable(path), pq.ParquetFile(path) as file:
        _require(path, file.schema_arrow, columns)
        for batch in file.iter_batches(columns=list(columns)):
            for name in columns:
                if batch.column(name).null_count:
                    raise ReleaseError(f"{path}: column {name} holds null; {_REMEDY}")
            yield from batch.to_pylist()


def _require(path: Path, schema: pa.Schema, columns: Sequence[str]) -> None:
    """That each column is there, once, and of the type that releases have."""
    lacking = [name for name in columns if name not in schema.names]
    if lacking:
        raise ReleaseError(f"{path}: no column {', '.join(lacking)}; {_REMEDY}")
    for name in columns:
        if schema.names.count(name) > 1:
            raise ReleaseError(f"{path}: two columns {name}; {_REMEDY}")
        if not _is_like(kind := schema.field(name).type, _TYPES[name]):
            raise ReleaseError(f"{path}: column {name} is {kind}, not {_TYPES[name]}; {_REMEDY}")


def _is_like(found: pa.DataType, meant: pa.DataType) -> bool:
    """Whether its values are the same to Python: other tools write texts and lists otherwise."""
    if pa.types.is_dictionary(found):
        found = found.value_type
    if pa.types.is_list(meant):
        is_list = pa.types.is_list(found) or pa.types.is_large_list(found)
        return is_list and _is_like(found.value_type, meant.value_type)
    if pa.types.is_integer(meant):
        return bool(pa.types.is_integer(found))
    if pa.types.is_string(meant):
        return bool(pa.types.is_string(found) or pa.types.is_large_string(found))
    return bool(found == meant)
