"""Which texts a release withholds, and in which rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from pipeline.release.withheld import EXTRA
from pipeline.schemas import Row


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text by whose it is, which atom's (or "" of a definition), and its SHA-256."""

    cui: str
    aui: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Table:
    """The files that hold one kind of rows: the shards of a folder, or a file of its own."""

    kind: str
    place: str  # the folder or the file, relative to the release
    files: tuple[str, ...]


def tables_of(root: Path) -> Iterator[Table]:
    """The tables that may withhold texts, by place."""
    shards: dict[tuple[str, str], list[str]] = {}
    for path in sorted(root.glob("data/**/*.parquet")):
        name = path.relative_to(root)
        if (kind := name.parts[2]) in EXTRA:
            shards.setdefault((name.parent.as_posix(), kind), []).append(name.as_posix())
    for (place, kind), files in shards.items():
        yield Table(kind, place, tuple(files))
    for path in sorted(root.glob("quality/verdicts/*.parquet")):
        place = path.relative_to(root).as_posix()
        yield Table("verdicts", place, (place,))


def rows_of(root: Path, table: Table) -> Iterator[tuple[str, str, Row]]:
    """File, id and values of each row."""
    for file in table.files:
        with pq.ParquetFile(root / file) as opened:
            for batch in opened.iter_batches():
                for row in batch.to_pylist():
                    yield file, row[batch.schema.names[0]], row


def withheld_in(row: Row) -> Text | None:
    """The text that the row withholds, if it does; the CUI stands in its placeholder."""
    if not row["text_sha256"]:
        return None
    cui = row["text"].strip("[]").partition(" ")[0]
    return Text(cui, row["aui"], row["text_sha256"])


def wanted_by(root: Path) -> frozenset[Text]:
    """Every text that the release withholds."""
    found = (withheld_in(row) for table in tables_of(root) for _, _, row in rows_of(root, table))
    return frozenset(text for text in found if text)
