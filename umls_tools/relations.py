"""Edges between concepts, reduced to the kinds that matter and written in both directions."""

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.licence import Gate
from umls_tools.masks import Sieve, is_current, is_from_allowed_source

REL_COLUMNS = ("CUI1", "REL", "CUI2", "RELA", "SAB", "SUPPRESS")
EDGE_COLUMNS = ("cui", "kind", "other", "source")

# MRREL: REL says what CUI2 is to CUI1. SY, RQ and RL are, or may be, synonymous.
KIND_OF_REL = {
    "PAR": "parent",
    "CHD": "child",
    "RB": "broader",
    "RN": "narrower",
    "SY": "synonym",
    "RQ": "synonym",
    "RL": "synonym",
}
INVERSE_KIND = {
    "parent": "child",
    "child": "parent",
    "broader": "narrower",
    "narrower": "broader",
    "synonym": "synonym",
    "family": "family",
}
# RELA of the drug sources: the same substance as product, ingredient, form or strength. Whatever
# REL such a row has (RO, RB, RN, SY by source), it ties members of one family.
FAMILY_RELATIONS = (
    "has_tradename",
    "tradename_of",
    "has_ingredient",
    "ingredient_of",
    "has_ingredients",
    "ingredients_of",
    "has_precise_ingredient",
    "precise_ingredient_of",
    "has_active_ingredient",
    "active_ingredient_of",
    "has_dose_form",
    "dose_form_of",
    "has_form",
    "form_of",
    "consists_of",
    "constitutes",
)


def normalise_relations(batch: pa.RecordBatch, gate: Gate) -> tuple[pa.RecordBatch, Counter[str]]:
    """Return the edges of some MRREL rows with EDGE_COLUMNS, and why the other rows were left.

    ``other`` is the ``kind`` of ``cui``: its parent, its child and so on. Every row gives its
    edge and the inverse, whether or not the file holds the inverse as well; equal edges of one
    batch are merged, in order of first appearance.
    """
    sieve = Sieve(batch)
    sieve.keep("relation_suppressed", is_current)
    sieve.keep("relation_to_itself", _joins_two)
    sieve.keep("relation_of_other_kind", lambda rows: pc.is_valid(_kinds(rows)))
    sieve.keep("relation_restricted", lambda rows: is_from_allowed_source(rows, gate))
    return _both_directions(sieve.rows), sieve.left_out


def _joins_two(rows: pa.RecordBatch) -> pa.Array:
    return pc.not_equal(rows.column("CUI1"), rows.column("CUI2"))


def _kinds(rows: pa.RecordBatch) -> pa.Array:
    """Return the kind of each row, null where the project has no use for it."""
    by_rel = _translate(rows.column("REL"), KIND_OF_REL)
    is_family = pc.is_in(rows.column("RELA"), value_set=pa.array(FAMILY_RELATIONS))
    return pc.if_else(is_family, pa.scalar("family"), by_rel)


def _translate(values: pa.Array, table: dict[str, str]) -> pa.Array:
    places = pc.index_in(values, value_set=pa.array(list(table)))
    return pa.array(list(table.values())).take(places)


def _both_directions(rows: pa.RecordBatch) -> pa.RecordBatch:
    one, other, source = (rows.column(name) for name in ("CUI1", "CUI2", "SAB"))
    kinds = _kinds(rows)
    inverses = _translate(kinds, INVERSE_KIND)
    halves = [(one, kinds, other, source), (other, inverses, one, source)]
    columns = [pa.concat_arrays(pair) for pair in zip(*halves, strict=True)]
    edges = pa.Table.from_arrays(columns, names=list(EDGE_COLUMNS))
    merged = edges.group_by(list(EDGE_COLUMNS), use_threads=False).aggregate([])
    arrays = [merged.column(name).combine_chunks() for name in EDGE_COLUMNS]
    return pa.RecordBatch.from_arrays(arrays, names=list(EDGE_COLUMNS))
