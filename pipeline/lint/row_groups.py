"""Finds Parquet files that viewers and loaders cannot read piece by piece, or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pyarrow.parquet as pq

from pipeline.lint.base import Check, Finding, Opened

MEGABYTE = 1_000_000
REMEDY = "write the file again"


@dataclass(frozen=True)
class RowGroups(Check):
    """Row groups and files are small, have a page index, are compressed, and hold rows.

    The Hub's viewer reads no row group over 100 MB (uncompressed) and looks for the page index;
    the datasets library fails at a file without rows.
    """

    max_group_megabytes: int = 100
    max_file_megabytes: int = 500
    compression: str = "ZSTD"

    name: ClassVar[str] = "row_groups"

    def find(self, release: Opened) -> Iterator[Finding]:
        """At most one finding of each sort for a file."""
        for path in release.parquet:
            file = release.root / path
            size = file.stat().st_size
            if size > self.max_file_megabytes * MEGABYTE:
                over = f"{size} bytes, over {self.max_file_megabytes} MB"
                yield self.at(path, "", f"{over}; write it in more shards")
            for fault in self._faults(pq.read_metadata(file)):
                yield self.at(path, "", f"{fault}; {REMEDY}")

    def _faults(self, metadata: pq.FileMetaData) -> Iterator[str]:
        if not metadata.num_rows:
            yield "no rows, which the datasets library refuses"
        groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
        largest = max((group.total_byte_size for group in groups), default=0)
        if largest > self.max_group_megabytes * MEGABYTE:
            yield f"a row group of {largest} bytes, over {self.max_group_megabytes} MB"
        chunks = [group.column(place) for group in groups for place in range(group.num_columns)]
        bare = {chunk.path_in_schema for chunk in chunks if not chunk.has_offset_index}
        if bare:
            yield f"no page index for column {min(bare)}"
        for other in sorted({chunk.compression for chunk in chunks} - {self.compression}):
            yield f"compressed as {other}, expected {self.compression}"
