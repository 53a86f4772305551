"""Finds columns of types that some loader takes for something else."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.lint.base import Check, Finding, Opened

IDS = frozenset({"_id", "id", "query-id", "corpus-id"})
NEVER_NULL = ("_id", "title", "text", "query-id", "corpus-id", "corpus-ids", "score")


@dataclass(frozen=True)
class StringTypes(Check):
    """Texts are plain strings, ids strings and no numbers, and no id, title or text is null.

    MTEB joins ids as strings, so that integer ids load no query at all, without an error, and it
    crashes at a title that is null. Dictionaries and large strings are not read everywhere.
    """

    name: ClassVar[str] = "string_types"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each column."""
        for path in release.parquet:
            with pq.ParquetFile(release.root / path) as file:
                for field in file.schema_arrow:
                    if fault := _type_fault(field):
                        yield self.at(path, "", f"column {field.name} {fault}; write it again")
        for table in release.tables:
            for column in _with_nulls(release.root / table.path):
                fault = f'column {column} holds null; write "" or leave the row out'
                yield self.at(table.path, "", fault)


def _type_fault(field: pa.Field) -> str:
    kind = field.type.value_type if pa.types.is_list(field.type) else field.type
    if field.name in IDS and pa.types.is_integer(kind):
        return f"is {kind}, and ids are strings"
    if pa.types.is_string(kind) or not _is_textual(kind):
        return ""
    return f"is {kind}, expected string"


def _is_textual(kind: pa.DataType) -> bool:
    """Whether it is a type that texts are stored in, or that Arrow guesses where there are none."""
    tests = (
        *(pa.types.is_large_string, pa.types.is_string_view, pa.types.is_binary),
        *(pa.types.is_large_binary, pa.types.is_dictionary, pa.types.is_null),
    )
    return any(test(kind) for test in tests)


def _with_nulls(path: Path) -> Iterator[str]:
    with pq.ParquetFile(path) as file:
        wanted = [name for name in NEVER_NULL if name in file.schema_arrow.names]
        bad: set[str] = set()
        for batch in file.iter_batches(columns=wanted):
            bad |= {name for name in wanted if batch.column(name).null_count}
        yield from sorted(bad)
