"""What a Metathesaurus says of licences: of a plan before it is built, of a release afterwards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import Meta, find_tables
from pipeline.text import normalise
from splits.audit import allowed_level, look_at_tables, read_manifest
from umls_tools.files import TableFile
from umls_tools.gate_table import GATE_COLUMNS, GateTable, gate_table
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.restricted import (
    DEFINITION_COLUMNS,
    NAME_COLUMNS,
    UNKNOWN_LEVEL,
    Giver,
    givers_of_definitions,
    givers_of_names,
    least_of,
)
from umls_tools.rrf import read_batches

REMEDY = "do not pass it on; build the release again"
# Tables that may show UMLS text, those of the texts that people read first.
TABLES = ("data/*/queries", "data/concepts/corpus", "quality/verdicts")
TRANSLATED = "mt"
_COLUMNS = ("text", "back_translation", "origin")


@dataclass(frozen=True, slots=True, order=True)
class Restricted:
    """A released text that only sources above the release's level give; it is not repeated here."""

    file: str
    row: str
    rows: int  # all that hold the text
    giver: Giver
    is_translation: bool  # of a machine in all of them, which may have come upon it by itself

    def __str__(self) -> str:
        """As a fault names it."""
        level = "unknown" if self.giver.level == UNKNOWN_LEVEL else self.giver.level
        more = f" and {self.rows - 1} more" if self.rows > 1 else ""
        what = "the machine translation equals a text" if self.is_translation else "holds a text"
        whose = f"that only restricted sources give, e.g. {self.giver.sab} of level {level}"
        return f"{self.file} {self.row}{more}: {what} {whose}; {REMEDY}"


def survey(meta: Meta) -> GateTable:
    """What the plan's gate leaves and takes, in one pass over MRCONSO."""
    return gate_table(_batches(meta.tables, "MRCONSO", GATE_COLUMNS), meta.assembly.gate)


def licence_findings(release: Path, umls: str) -> tuple[list[str], list[str]]:
    """What the Metathesaurus `umls` shows to be above a release's level: faults, coincidences.

    The latter are texts that are nowhere in the release but as machine translations. Texts are
    compared as `normalise` makes them. MRCONSO and MRDEF are read once, all of their rows.
    """
    manifest, _ = read_manifest(release)
    tables = find_tables(umls)
    levels = source_levels(_batches(tables, "MRSAB", SOURCE_COLUMNS))
    faults = list(_raised(manifest.mapping("sources"), levels))
    found = _restricted(release, tables, Gate(levels, allowed_level(manifest)))
    faults += [str(one) for one in found if not one.is_translation]
    return faults, [str(one) for one in found if one.is_translation]


def _raised(stated: Mapping[str, int], levels: Mapping[str, int]) -> Iterator[str]:
    """Sources that the Metathesaurus restricts more than the manifest says."""
    for sab, level in sorted(stated.items()):
        if (own := levels.get(sab, level)) > level:
            said = f"sources gives {sab} level {level}, MRSAB level {own}"
            yield f"manifest.json: {said}; {REMEDY}"


def _restricted(release: Path, tables: Mapping[str, TableFile], gate: Gate) -> list[Restricted]:
    held = _texts_of(release)
    names = givers_of_names(_batches(tables, "MRCONSO", NAME_COLUMNS), held.keys(), gate)
    texts = _batches(tables, "MRDEF", DEFINITION_COLUMNS)
    definitions = givers_of_definitions(texts, held.keys(), gate)
    return sorted(
        Restricted(*held[key][0][:2], len(held[key]), giver, all(made for *_, made in held[key]))
        for key, giver in least_of(names, definitions)
        if giver.level > gate.max_srl
    )


_Held = tuple[str, str, bool]  # file, row, whether a machine translated it


def _texts_of(release: Path) -> dict[str, list[_Held]]:
    """What the release shows of the UMLS or may show, by key, each with all its places.

    Tables that are not what they should be are left out: `verify` tells of them.
    """
    unsound = look_at_tables(release).unsound
    held: dict[str, list[_Held]] = {}
    for pattern in TABLES:
        for path in sorted(release.glob(f"{pattern}/**/*.parquet")):
            file = path.relative_to(release).as_posix()
            for row, text, made in () if file in unsound else _rows(path):
                if key := normalise(text):
                    held.setdefault(key, []).append((file, row, made))
    return held


def _rows(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Row, text and whether it is a translation, of texts that the evidence did not bring.

    A question may end in a definition after a colon ("… described as: a mite's burrow?"), so what
    stands behind the first one is a text too.
    """
    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        wanted = [name for name in (names[0], *_COLUMNS) if name in names]
        for batch in file.iter_batches(columns=wanted):
            for row in batch.to_pylist():
                yield from _of_umls(row, row[names[0]])


def _of_umls(row: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, bool]]:
    origin = row.get("origin", "umls")  # a name shown in a set has no column that says so
    if origin != "source":
        made = origin == TRANSLATED
        texts = [row[key] for key in _COLUMNS[:2] if key in row]
        if not name.startswith("concept"):
            texts += [text.partition(": ")[2] for text in texts]
        yield from ((name, text, made) for text in texts)


def _batches(
    tables: Mapping[str, TableFile], table: str, columns: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    if table in tables:
        yield from read_batches(tables[table], columns, open_file)
