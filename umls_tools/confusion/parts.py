"""What one batch of concepts brings to the index, in flat arrays: a part of it.

Parts are made wherever the batches are, and put together in `building`. Here is all that needs
the concepts themselves, with all their names; a part holds a tenth of that.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.records import Concept
from umls_tools.confusion.arrays import read_arrays, write_arrays
from umls_tools.confusion.keys import hashed, wording_key
from umls_tools.confusion.shown import shown_name, why_not_shown
from umls_tools.confusion.wordings import english_query
from umls_tools.naming.judging import with_repaired_names
from umls_tools.semantic_types import group_of

FILE_KIND = "mmed confusion part 1"
NO_CODE = frozenset({"", "NOCODE"})
# The kinds of relations that mining asks about; a part holds their places in this list.
RELATION_KINDS = ("parent", "child", "synonym", "family", "broader", "narrower")
_DIGITS = re.compile(r"([0-9]+)")

Part = Mapping[str, pa.Array]


def part_of(concepts: Iterable[Concept]) -> Part:
    """What the index needs of some concepts, by CUI; lists lie flat beside their owners' rows."""
    known = sorted(concepts, key=lambda concept: concept.cui)
    columns: dict[str, Any] = {
        "cuis": pa.array([concept.cui for concept in known], pa.string()),
        **_faces(known),
        **_owned("types", _types(known), TYPES),
        **_owned("relations", _relations(known), RELATIONS),
        **_owned("codes", _codes(known), CODES),
        **_wordings(known),
    }
    sources = {name.source for concept in known for name in concept.names}
    columns["sources"] = pa.array(sorted(sources), pa.string())
    return {name: _array(values) for name, values in columns.items()}


def write_part(path: str, part: Part) -> None:
    """Write a part to a file; the same concepts give the same bytes, in whatever order."""
    write_arrays(path, part, FILE_KIND)


def read_part(path: str) -> Part:
    """Map a part into memory."""
    return read_arrays(path, FILE_KIND)


TYPES = {"type": pa.string()}
RELATIONS = {"kind": pa.int8(), "cui": pa.string(), "source": pa.string()}
CODES = {"source": pa.string(), "key": pa.string()}


def _faces(concepts: Sequence[Concept]) -> dict[str, pa.Array]:
    """The names shown, why there is none, whether there is a text to ask with, and the groups."""
    barred = [why_not_shown(concept, ()) for concept in concepts]
    names = [
        None if why else shown_name(concept) for concept, why in zip(concepts, barred, strict=True)
    ]
    shown = [name.text if name else "" for name in names]
    askable = [
        bool(text) and english_query(concept, text) is not None
        for concept, text in zip(concepts, shown, strict=True)
    ]
    return {
        "shown": pa.array(shown, pa.string()),
        "barred": pa.array(barred, pa.string()),
        "askable": pa.array(np.array(askable, np.int32)),
        "groups": pa.array([group_of(one.semantic_types) for one in concepts], pa.string()),
    }


def _types(concepts: Iterable[Concept]) -> Iterator[tuple[Any, ...]]:
    for row, concept in enumerate(concepts):
        for tui in concept.semantic_types:
            yield row, tui


def _relations(concepts: Iterable[Concept]) -> Iterator[tuple[Any, ...]]:
    places = {kind: place for place, kind in enumerate(RELATION_KINDS)}
    for row, concept in enumerate(concepts):
        for relation in concept.relations:
            if relation.kind in places:
                yield row, places[relation.kind], relation.cui, relation.source


def _codes(concepts: Iterable[Concept]) -> Iterator[tuple[Any, ...]]:
    for row, concept in enumerate(concepts):
        found = {(name.source, name.code) for name in concept.names if name.code not in NO_CODE}
        for source, key in sorted({(source, natural(code)) for source, code in found}):
            yield row, source, key


def natural(code: str) -> str:
    """A text that sorts as the makers of codes count: A9 before A10, letters before figures.

    Figures are led by how many they are, without noughts before them, and by a sign; what stands
    between them by another, and ends with the same, so that A comes before AB.
    """
    parts = _DIGITS.split(code)
    return "".join(
        _counted(part) if place % 2 else f"\x00{part}\x00"
        for place, part in enumerate(parts)
        if part
    )


def _counted(figures: str) -> str:
    bare = figures.lstrip("0")
    return f"\x01{chr(len(bare) + 1)}{bare}"


def _wordings(concepts: Iterable[Concept]) -> dict[str, Any]:
    """Hashed wording keys of all names in all languages, repaired ones too, each row sorted."""
    members, sizes = array("Q"), array("q")
    for concept in concepts:
        keys = {hashed(wording_key(name.text)) for name in with_repaired_names(concept).names}
        members.extend(sorted(keys))
        sizes.append(len(keys))
    return {
        "wordings.sizes": np.array(sizes, np.int64),
        "wordings.members": np.array(members, np.uint64),
    }


def _owned(
    name: str, rows: Iterable[tuple[Any, ...]], columns: Mapping[str, pa.DataType]
) -> dict[str, Any]:
    """Columns from rows whose first value is the owner's row."""
    values = list(zip(*rows, strict=True)) or [()] * (len(columns) + 1)
    kinds = chain([("owner", pa.int32())], columns.items())
    return {
        f"{name}.{column}": pa.array(list(of_column), kind)
        for (column, kind), of_column in zip(kinds, values, strict=True)
    }


def _array(values: Any) -> pa.Array:  # noqa: ANN401 - an Arrow or a NumPy array
    return values if isinstance(values, pa.Array) else pa.array(values)
