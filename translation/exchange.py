"""Brings translations of a team's own into a memory, and takes a memory's out to be read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from translation.base import TranslationError
from translation.memory import Entry
from translation.memory_files import TMX, TSV, load_memory, read_entries, write_entries
from translation.memory_tables import write_tsv
from translation.memory_tmx import read_tmx, write_tmx

_WRITERS = {TSV: write_tsv, TMX: write_tmx}


@dataclass(frozen=True)
class Exchanged:
    """What was brought over: how many entries into which file, and what was left out and why."""

    entries: int
    path: str
    left_out: Mapping[str, int] = field(default_factory=dict)


def import_memory(files: Iterable[str], folder: str) -> Exchanged:
    """Write the entries of TSV, TMX or Parquet files into a new file of a folder, as they are.

    Raises TranslationError for files that cannot be read, or hold nothing to take.
    """
    entries: list[Entry] = []
    left_out: Counter[str] = Counter()
    named = sorted(set(files))
    for file in named:
        if file.endswith(TMX):
            found = read_tmx(file, _content(file))
            entries += found.entries
            left_out.update(found.left_out)
        else:
            entries += read_entries(file)
    if not entries:
        raise TranslationError(f"{', '.join(named)}: no translation between the known languages")
    path = write_entries(folder, entries)
    return Exchanged(len(read_entries(path)), path, dict(sorted(left_out.items())))


def export_memory(paths: Iterable[str], output: str) -> Exchanged:
    """Write the entries of files and folders to one file, TSV or TMX by its name's ending."""
    ending = Path(output).suffix
    if ending not in _WRITERS:
        raise TranslationError(f"{output}: expected a name that ends in {' or '.join(_WRITERS)}")
    loaded = load_memory(paths).entries
    # Not a set: a score that is NaN equals no other.
    unique = {entry.table_order: entry for entry in loaded}
    Path(output).write_bytes(_WRITERS[ending](unique.values()))
    return Exchanged(len(unique), output)


def _content(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise TranslationError(f"{file}: cannot be read ({error}); correct the name") from error
