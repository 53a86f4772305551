"""The Arrow schemas of a release, and how records become its rows."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from pipeline.records import (
    Concept,
    JudgedQuery,
    Name,
    Passage,
    Query,
    Reject,
    Translation,
    Wording,
)
from pipeline.text import draw

Row = dict[str, Any]


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


_STRINGS = pa.list_(pa.field("item", pa.string(), nullable=False))

CORPUS = _schema(
    _id=pa.string(),
    title=pa.string(),
    text=pa.string(),
    cuis=_STRINGS,
    source=pa.string(),
    licence=pa.string(),
    url=pa.string(),
)
QUERIES = _schema(
    _id=pa.string(),
    text=pa.string(),
    language=pa.string(),
    cuis=_STRINGS,
    source_id=pa.string(),
    origin=pa.string(),
    engine=pa.string(),
    model=pa.string(),
    revision=pa.string(),
    back_translation=pa.string(),
    sabs=_STRINGS,
    max_srl=pa.int8(),
    parallel_core=pa.bool_(),
)
QRELS = _schema(**{"query-id": pa.string(), "corpus-id": pa.string(), "score": pa.int32()})
TOP_RANKED = _schema(**{"query-id": pa.string(), "corpus-ids": _STRINGS})
VERDICTS = _schema(
    **{
        "query-id": pa.string(),
        "task": pa.string(),
        "tier": pa.string(),
        "text": pa.string(),
        "origin": pa.string(),
        "back_translation": pa.string(),
        "filter": pa.string(),
        "score": pa.float64(),
        "accepted": pa.bool_(),
        "released": pa.bool_(),
    }
)
REJECTS = _schema(stage=pa.string(), key=pa.string(), reason=pa.string(), detail=pa.string())

SETS = _schema(
    **{
        "query-id": pa.string(),
        "tier": pa.string(),
        "gold": pa.string(),
        "wording": pa.string(),
        "distractor": pa.string(),
        "similarity": pa.float64(),
        "measure": pa.string(),
        "why": pa.string(),
        "excluded": _STRINGS,
    }
)

FIGURES = _schema(
    figure=pa.string(),
    task=pa.string(),
    language=pa.string(),
    filter=pa.string(),
    other=pa.string(),
    step=pa.string(),
    bin=pa.string(),
    decision=pa.string(),
    count=pa.int32(),
)

SCHEMAS: Mapping[str, pa.Schema] = {
    "corpus": CORPUS,
    "queries": QUERIES,
    "qrels": QRELS,
    "top_ranked": TOP_RANKED,
    "verdicts": VERDICTS,
    "rejects": REJECTS,
    "sets": SETS,
    "figures": FIGURES,
}

# The columns by which the rows of a table are sorted; no two rows agree in all of them.
SORT_KEYS: Mapping[str, tuple[str, ...]] = {
    "corpus": ("_id",),
    "queries": ("_id",),
    "qrels": ("query-id", "corpus-id"),
    "top_ranked": ("query-id",),
    "verdicts": ("query-id", "filter"),
    "rejects": ("stage", "key", "reason", "detail"),
    "sets": ("query-id", "distractor"),
    "figures": ("figure", "task", "language", "filter", "other", "step", "bin", "decision"),
}


def corpus_row(passage: Passage) -> Row:
    """A passage as a row of a task's corpus."""
    return {
        "_id": passage.passage_id,
        "title": passage.title,
        "text": passage.text,
        "cuis": list(passage.cuis),
        "source": passage.source,
        "licence": passage.licence,
        "url": passage.url,
    }


def concept_row(concept: Concept, shown: Name) -> Row:
    """A concept as it is shown in confusion sets: one name, and where the name is from."""
    return {
        "_id": concept_document_id(concept.cui),
        "title": "",
        "text": shown.text,
        "cuis": [concept.cui],
        "source": shown.source,
        "licence": f"UMLS SRL {shown.restriction}",
        "url": "",
    }


def concept_document_id(cui: str) -> str:
    """The id under which a concept stands in the concepts corpus."""
    return f"concept-{cui}"


def query_row(judged: JudgedQuery, parallel_core: bool) -> Row:
    """A query in one language; of a confusion set, ``cuis`` names the gold alone.

    ``sabs`` and ``max_srl`` are those of the wording and of all that the query rests on.
    """
    query, translation = judged.query, judged.translation
    wording = wording_of(query, translation)
    about = query.concepts[:1] if query.task == "concepts" else query.concepts
    return {
        "_id": query.query_id,
        "text": translation.text,
        "language": translation.language,
        "cuis": sorted(concept.cui for concept in about),
        "source_id": query.source_id,
        "origin": translation.origin,
        "engine": translation.engine,
        "model": translation.model,
        "revision": translation.revision,
        "back_translation": translation.back_translation,
        "sabs": sorted({*wording.sabs, *query.taint.sabs}),
        "max_srl": max(wording.max_srl, query.taint.max_srl),
        "parallel_core": parallel_core,
    }


def wording_of(query: Query, translation: Translation) -> Wording:
    """The wording that a text is, or that it was translated from: its sources and their level."""
    own = (wording for wording in query.natives if wording.language == translation.language)
    return query.original if translation.origin == "mt" else next(own, query.original)


def qrels_rows(query: Query) -> list[Row]:
    """What is relevant to a query."""
    return [
        {"query-id": query.query_id, "corpus-id": relevance.passage_id, "score": relevance.grade}
        for relevance in query.relevant
    ]


def top_ranked_row(query: Query, seed: int) -> Row:
    """The candidates of a confusion set, in an order that tells nothing.

    Each member of a circle has a place of its own in it, drawn, and stands there where it is the
    gold: in the sets of one circle no place is the gold's twice. The others are drawn anew.
    """
    gold, *others = (concept_document_id(concept.cui) for concept in query.concepts)
    members = sorted((gold, *others))
    places = sorted(members, key=lambda one: (draw(seed, "place", *members, one), one))
    ordered = sorted(others, key=lambda one: (draw(seed, "order", query.query_id, one), one))
    ordered.insert(places.index(gold), gold)
    return {"query-id": query.query_id, "corpus-ids": ordered}


def set_rows(query: Query) -> list[Row]:
    """A confusion set explained: a row for each distractor, with what was excluded on the way."""
    excluded = [f"{reason}:{number}" for reason, number in query.excluded]
    return [
        {
            "query-id": query.query_id,
            "tier": query.stratum,
            "gold": query.concepts[0].cui,
            "wording": query.original.kind,
            "distractor": one.cui,
            "similarity": one.similarity,
            "measure": one.measure,
            "why": one.why,
            "excluded": excluded,
        }
        for one in query.distractors
    ]


def verdict_rows(judged: JudgedQuery, released: bool) -> list[Row]:
    """Every verdict on a query in one language."""
    query, translation = judged.query, judged.translation
    return [
        {
            "query-id": query.query_id,
            "task": query.task,
            "tier": query.stratum,
            "text": translation.text,
            "origin": translation.origin,
            "back_translation": translation.back_translation,
            "filter": verdict.filter,
            "score": verdict.score,
            "accepted": verdict.accepted,
            "released": released,
        }
        for verdict in judged.verdicts
    ]


def reject_row(reject: Reject) -> Row:
    """A reject as it is kept in the release."""
    return {name: getattr(reject, name) for name in REJECTS.names}


def to_table(kind: str, rows: Iterable[Row], schema: pa.Schema | None = None) -> pa.Table:
    """Rows of one kind as a table of its schema, or of a wider one, sorted by the kind's keys."""
    keys = SORT_KEYS[kind]
    table = pa.Table.from_pylist(list(rows), schema=SCHEMAS[kind] if schema is None else schema)
    return table.sort_by([(key, "ascending") for key in keys])
