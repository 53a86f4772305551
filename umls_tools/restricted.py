"""Which texts a Metathesaurus gives, and under how strict a licence at the least."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

import pyarrow as pa

from pipeline.text import normalise
from umls_tools.definitions import plain_text
from umls_tools.licence import Gate

NAME_COLUMNS = ("STR", "SAB", "SRL")
DEFINITION_COLUMNS = ("DEF", "SAB")
# Above every level: a source that MRSAB does not list, or a level that is none.
UNKNOWN_LEVEL = 10


@dataclass(frozen=True, slots=True, order=True)
class Giver:
    """A source that gives a text, ordered by how little it restricts it."""

    level: int
    sab: str


def givers_of_names(
    batches: Iterable[pa.RecordBatch], wanted: Set[str], gate: Gate
) -> dict[str, Giver]:
    """The least restricting source of each wanted key (as `normalise` makes it) that is a name.

    Suppressed names count as well: they are under the same licence. Memory holds the wanted keys
    alone, however long the file is.
    """
    found: dict[str, Giver] = {}
    for batch in batches:
        texts, sabs, srls = (batch.column(name) for name in NAME_COLUMNS)
        for row, text in enumerate(texts.to_pylist()):
            if (key := normalise(text)) in wanted:
                level = gate.level(str(sabs[row]), str(srls[row]))
                _keep_least(found, key, _giver(level, str(sabs[row])))
    return found


def givers_of_definitions(
    batches: Iterable[pa.RecordBatch], wanted: Set[str], gate: Gate
) -> dict[str, Giver]:
    """The same of definitions, both as they stand and as the build takes markup out of them."""
    found: dict[str, Giver] = {}
    for batch in batches:
        rows = zip(*(batch.column(name).to_pylist() for name in DEFINITION_COLUMNS), strict=True)
        for text, sab in rows:
            for key in {normalise(text), normalise(plain_text(text))} & wanted:
                _keep_least(found, key, _giver(gate.levels.get(sab), sab))
    return found


def least_of(*givers: Mapping[str, Giver]) -> Iterator[tuple[str, Giver]]:
    """Each key with the least restricting of all that give it, in order of key."""
    for key in sorted({key for some in givers for key in some}):
        yield key, min(some[key] for some in givers if key in some)


def _giver(level: int | None, sab: str) -> Giver:
    return Giver(UNKNOWN_LEVEL if level is None else level, sab)


def _keep_least(found: dict[str, Giver], key: str, giver: Giver) -> None:
    found[key] = min(giver, found.get(key, giver))
