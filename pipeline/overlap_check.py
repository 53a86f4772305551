"""What a Metathesaurus shows two tasks of a release to share, beyond what the release shows."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa

from pipeline.records import LANGUAGES
from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import find_tables
from splits.audit import look_at_tables, read_manifest, used_level
from splits.audit.metathesaurus import (
    NAME_COLUMNS,
    RELATION_COLUMNS,
    Findings,
    Tables,
    compare_by_metathesaurus,
)
from umls_tools.files import TableFile
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.retired import histories
from umls_tools.rrf import read_batches


def overlap_findings(release: Path, umls: str) -> Findings:
    """Retired CUIs, edges between tasks and names in common, by the Metathesaurus `umls`.

    MRCUI, MRREL and MRCONSO are read once each. Of a release with tables that cannot be read
    nothing is said: `verify` tells of them.
    """
    if any(path.startswith("data/") for path in look_at_tables(release).unsound):
        return Findings()
    manifest, _ = read_manifest(release)
    tables = find_tables(umls)
    read = partial(_batches, tables)
    gate = Gate(source_levels(read("MRSAB", SOURCE_COLUMNS)), used_level(manifest))
    return compare_by_metathesaurus(
        release,
        Tables(
            histories=histories(tables, open_file),
            relations=read("MRREL", RELATION_COLUMNS),
            names=read("MRCONSO", NAME_COLUMNS),
            allows=gate.allows,
            languages=[LANGUAGES[one].umls_lat for one in manifest.languages if one in LANGUAGES],
        ),
    )


def _batches(
    tables: Mapping[str, TableFile], table: str, columns: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    if table in tables:
        yield from read_batches(tables[table], columns, open_file)
