"""Rows with their texts put back, as the profile `local` would have them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.hydrate.finding import Found
from pipeline.hydrate.wanted import Table, Text, rows_of, withheld_in
from pipeline.release.writing import write_parquet, write_shards
from pipeline.schemas import Row, to_table


@dataclass(frozen=True, slots=True, order=True)
class Unrestored:
    """A row that keeps its placeholder, and why."""

    file: str
    row: str
    reason: str

    def __str__(self) -> str:
        """As the command prints it."""
        return f"{self.file} {self.row}: {self.reason}"


def restore_table(source: Path, table: Table, found: Found, target: Path) -> Iterator[Unrestored]:
    """Write a table as `local` has it into another release; yields what was not restored."""
    rows = [restored(row, found.texts) for _, _, row in rows_of(source, table)]
    for file in table.files:
        (target / file).unlink(missing_ok=True)
    made = to_table(table.kind, rows)
    if table.place.endswith(".parquet"):
        write_parquet(made, target, table.place)
    else:
        write_shards(made, target, table.place)
    for file, row_id, row in rows_of(source, table):
        text = withheld_in(row)
        if text is not None and text in found.missing:
            yield Unrestored(file, row_id, found.missing[text])


def restored(row: Row, texts: Mapping[Text, str]) -> Row:
    """The row with its text, if that was found, and with the level of all that it rests on."""
    text = withheld_in(row)
    shown = row["text"] if text is None else texts.get(text, row["text"])
    level = {"max_srl": row["full_srl"]} if "full_srl" in row else {}
    return {**row, "text": shown, **level}
