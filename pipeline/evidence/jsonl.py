"""Rows of JSONL files that have an id and may have metadata, as in BEIR."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pipeline.evidence.base import EvidenceError, OpenFile
from pipeline.evidence.files import Json, json_lines, text_at, texts_at
from pipeline.evidence.wording import cuis_of

Row: TypeAlias = tuple[str, Json | None, str]
"""An id, its record or None where another record has the id, and its place."""


def distinct_rows(path: str, open_file: OpenFile) -> Iterator[Row]:
    """One record for each id, and a row without one for each record that repeats an id.

    Of records with one id the smallest in JSON is taken, so that their order decides nothing.
    """
    repeated = _repeated_ids(path, open_file)
    held: dict[str, list[tuple[str, str]]] = {}
    for where, record in json_lines(path, open_file, "text"):
        identifier = _identifier(record, where)
        if identifier in repeated:
            canonical = json.dumps(record, sort_keys=True)
            held.setdefault(identifier, []).append((canonical, where))
        else:
            yield identifier, record, where
    for identifier in sorted(held):
        (smallest, where), *others = sorted(held[identifier])
        yield identifier, json.loads(smallest), where
        yield from ((identifier, None, other) for _, other in others)


def _repeated_ids(path: str, open_file: OpenFile) -> frozenset[str]:
    """The ids that several records have; reads and checks the whole file."""
    seen: set[str] = set()
    repeated: set[str] = set()
    for where, record in json_lines(path, open_file, "text"):
        identifier = _identifier(record, where)
        metadata_of(record, where)
        text_at(record, "text", where)
        text_at(record, "title", where)
        (repeated if identifier in seen else seen).add(identifier)
    return frozenset(repeated)


def _identifier(record: Json, where: str) -> str:
    """``_id``, or ``id``, a string or a whole number."""
    value = record.get("_id", record.get("id"))
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise EvidenceError(f"{where}: the _id is {value!r}, expected a string or a whole number")
    return str(value).strip()


@dataclass(frozen=True)
class Metadata:
    """What a record says about itself."""

    cuis: tuple[str, ...]
    headings: tuple[str, ...]
    source: str
    licence: str
    url: str


def metadata_of(record: Json, where: str) -> Metadata:
    """From ``metadata``, and from ``cuis``, ``mesh`` and ``url`` beside the text."""
    inner = record.get("metadata") or {}
    if not isinstance(inner, dict):
        raise EvidenceError(f"{where}: 'metadata' is a {type(inner).__name__}, expected an object")
    own = {key: value for key, value in record.items() if key in {"cuis", "mesh", "url"}}
    about = own | inner
    return Metadata(
        cuis=cuis_of(texts_at(about, "cuis", where), where),
        headings=tuple(sorted(set(texts_at(about, "mesh", where)) - {""})),
        source=text_at(about, "source", where),
        licence=text_at(about, "licence", where),
        url=text_at(about, "url", where),
    )
