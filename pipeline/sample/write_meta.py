"""Write the sample's Metathesaurus files from its hand-written tables: always the same bytes.

``python -m pipeline.sample.write_meta`` writes ``META`` beside this module anew.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.sample.authored import read_authored
from pipeline.sample.layout import LAYOUT
from pipeline.sample.rrf_rows import Row, content_rows

_ROUNDS = 20  # within which the sizes that the release states of its own tables settle


def encode(row: Row) -> bytes:
    """One line of an RRF file: every field is followed by a pipe."""
    return ("|".join(row) + "|\n").encode()


def encode_table(table: str, rows: Sequence[Row]) -> bytes:
    """A whole file, rows in byte order, save MRRANK, which runs from high to low."""
    lines = [encode(row) for row in rows]
    return b"".join(lines if table == "MRRANK" else sorted(lines))


def column_rows(tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """MRCOLS: the lengths of every column's values."""
    rows: list[Row] = []
    for table, layout in LAYOUT.items():
        for place, column in enumerate(layout.columns):
            lengths = [len(row[place]) for row in tables.get(table, ())] or [0]
            mean = f"{sum(lengths) / len(lengths):.2f}"
            sizes = (str(min(lengths)), mean, str(max(lengths)))
            rows.append((column.name, column.meaning, "", *sizes, f"{table}.RRF", column.data_type))
    return rows


def file_rows(tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """MRFILES: rows and bytes of every file."""
    rows: list[Row] = []
    for table, layout in LAYOUT.items():
        columns = [column.name for column in layout.columns]
        held = tables.get(table, ())
        sizes = (str(len(columns)), str(len(held)), str(len(encode_table(table, held))))
        rows.append((f"{table}.RRF", layout.meaning, ",".join(columns), *sizes))
    return rows


def describe(content: Mapping[str, Sequence[Row]]) -> dict[str, Sequence[Row]]:
    """Add MRFILES and MRCOLS, which also describe themselves: repeat until they are right."""
    tables: dict[str, Sequence[Row]] = dict(content)
    for _ in range(_ROUNDS):
        described = {**tables, "MRCOLS": column_rows(tables), "MRFILES": file_rows(tables)}
        if described == tables:
            return tables
        tables = described
    raise RuntimeError(f"MRFILES and MRCOLS did not settle in {_ROUNDS} rounds")


def meta_files(authoring: Path) -> dict[str, bytes]:
    """The name and content of every file of META, made from the authoring folder."""
    tables = describe(content_rows(read_authored(authoring)))
    return {f"{table}.RRF": encode_table(table, rows) for table, rows in sorted(tables.items())}


def write_meta(authoring: Path, meta: Path) -> None:
    """Write META from the authoring folder."""
    meta.mkdir(parents=True, exist_ok=True)
    for name, content in meta_files(authoring).items():
        (meta / name).write_bytes(content)


if __name__ == "__main__":
    here = Path(__file__).parent
    write_meta(here / "authoring", here / "META")
