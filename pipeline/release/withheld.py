"""What a release of the profile `ids` holds instead of a text that may not be passed on.

A row says by CUI and AUI whose name it was, and by SHA-256 what the name was, byte for byte; the
name itself stands nowhere. `pipeline.hydrate` puts it back from a Metathesaurus.
"""

import dataclasses
import hashlib
from collections.abc import Mapping

import pyarrow as pa

from pipeline.records import JudgedQuery, Name, Query, Wording
from pipeline.schemas import SCHEMAS, Row, wording_of

IDS = "ids"
FREE_LEVEL = 0  # the highest restriction level of text that may be passed on, or translated
DEFINITION = "definition"
# The columns that a table has more than elsewhere, behind the others.
EXTRA: Mapping[str, Mapping[str, pa.DataType]] = {
    "corpus": {"aui": pa.string(), "text_sha256": pa.string()},
    "queries": {"aui": pa.string(), "text_sha256": pa.string(), "full_srl": pa.int8()},
    "verdicts": {"aui": pa.string(), "text_sha256": pa.string()},
}


def schema_of(kind: str, profile: str) -> pa.Schema:
    """The schema of a kind of table in a release of a profile."""
    schema = SCHEMAS[kind]
    for name, column in EXTRA.get(kind, {}).items() if profile == IDS else ():
        schema = schema.append(pa.field(name, column, nullable=False))
    return schema


def plain_row(kind: str, row: Row) -> Row:
    """A row whose text may be passed on; a query's level is the one of all that it rests on."""
    extra = dict.fromkeys(EXTRA.get(kind, {}), "")
    if kind == "queries":
        return {**row, **extra, "max_srl": FREE_LEVEL, "full_srl": row["max_srl"]}
    return {**row, **extra}


def concept_row_withheld(row: Row, shown: Name) -> Row:
    """The row of a concept under the name that it is shown under, if that is restricted."""
    plain = plain_row("corpus", row)
    if shown.restriction <= FREE_LEVEL:
        return plain
    return plain | _instead(row["text"], row["cuis"][0], shown.atom_id)


def judged_row_withheld(kind: str, row: Row, judged: JudgedQuery) -> Row:
    """A row of queries or verdicts, without its text if that is in the words of such a source."""
    plain = plain_row(kind, row)
    wording = wording_of(judged.query, judged.translation)
    if wording.max_srl <= FREE_LEVEL:
        return plain
    return plain | _instead(row["text"], _gold(judged.query), wording.atom_id)


def judged_withheld(judged: JudgedQuery) -> JudgedQuery:
    """The same of the record, for pages that show examples."""
    query, translation = judged.query, judged.translation
    wording = wording_of(query, translation)
    original = _hidden(query.original, _gold(query))
    if wording.max_srl > FREE_LEVEL:
        hidden = placeholder(_gold(query), wording.atom_id)
        translation = dataclasses.replace(translation, text=hidden)
    return dataclasses.replace(
        judged, query=dataclasses.replace(query, original=original), translation=translation
    )


def placeholder(cui: str, aui: str) -> str:
    """What stands where the text stood: never blank, and no text of anybody."""
    return f"[{cui} {aui or DEFINITION}]"


def digest(text: str) -> str:
    """The SHA-256 of a text in UTF-8, as it is released: of a name, after any repair."""
    return hashlib.sha256(text.encode()).hexdigest()


def _instead(text: str, cui: str, aui: str) -> Row:
    return {"text": placeholder(cui, aui), "aui": aui, "text_sha256": digest(text)}


def _hidden(wording: Wording, cui: str) -> Wording:
    if wording.max_srl <= FREE_LEVEL:
        return wording
    return dataclasses.replace(wording, text=placeholder(cui, wording.atom_id))


def _gold(query: Query) -> str:
    """Whom a wording of the UMLS is about: in a set the gold, which stands first."""
    return query.concepts[0].cui
