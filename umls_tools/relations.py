"""Edges between concepts, reduced to the kinds that matter."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from umls_tools.licence import Gate
from umls_tools.rows import WORD, Rows, Words, codes, word_of, words_of
from umls_tools.selection import TEXTS, Selected, Sieve, is_current, is_from_allowed_source

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
# In the order in which a concept's relations stand.
KINDS = tuple(sorted(INVERSE_KIND))
# What is kept of an edge: the place of its kind in KINDS, the word of the other CUI, and the SAB.
REL_SCHEMA = pa.schema({"kind": pa.int8(), "other": pa.uint64(), "source": TEXTS})
_NO_KIND = -1
_INVERSES = np.array([KINDS.index(INVERSE_KIND[kind]) for kind in KINDS], np.int8)
# RELA of the drug sources: the same substance as product, ingredient, form or strength. Whatever
# REL such a row has (RO, RB, RN, SY by source), it ties members of one family.
FAMILY_RELATIONS = frozenset(
    {
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
    }
)


def select_relations(rows: Rows, gate: Gate) -> tuple[Selected, Counter[str]]:
    """Return the rows of MRREL that are edges of a use, with REL_SCHEMA, and why others are not.

    ``other`` is the ``kind`` of the row's first concept: its parent, its child and so on.
    """
    kinds = _kinds(rows)
    sieve = Sieve(rows)
    sieve.keep("relation_suppressed", is_current)
    ends = rows.words("CUI1"), rows.words("CUI2")
    sieve.keep("relation_to_itself", lambda _, places: (ends[0] != ends[1])[places])
    sieve.keep("relation_of_other_kind", lambda _, places: kinds[places] != _NO_KIND)
    sieve.keep("relation_restricted", is_from_allowed_source(gate))
    places = sieve.places
    kept = {
        "kind": pa.array(kinds[places]),
        "other": pa.array(ends[1][places]),
        "source": rows.encoded("SAB", places),
    }
    return sieve.selected("CUI1", kept), sieve.left_out


def inverse(edges: Selected) -> Selected:
    """The same edges as the concepts at their other ends see them."""
    kinds, others = (edges.kept.column(name).to_numpy() for name in ("kind", "other"))
    columns = [pa.array(_INVERSES[kinds]), pa.array(edges.keys), edges.kept.column("source")]
    kept = pa.RecordBatch.from_arrays(columns, schema=REL_SCHEMA)
    return Selected(others, kept, others[:0])


def balance(edges: Selected) -> int:
    """A sum that is a multiple of 2^64 if each edge has its inverse among them as often as itself.

    Every edge counts for its ends in one order, whichever end it was seen from, with a sign by
    the direction: what a release stores both ways cancels, and the chance that anything else
    does is one in 2^64.
    """
    kinds, others = (edges.kept.column(name).to_numpy() for name in ("kind", "other"))
    forward = np.where(kinds == _INVERSES[kinds], edges.keys < others, kinds < _INVERSES[kinds])
    low, high = np.where(forward, edges.keys, others), np.where(forward, others, edges.keys)
    marks = np.minimum(kinds, _INVERSES[kinds]).astype(np.uint64)
    for part in (low, high, *_source_words(edges.kept.column("source"))):
        marks = _mix(marks ^ part)
    towards, back = (int(marks[way].sum(dtype=np.uint64)) for way in (forward, ~forward))
    return towards - back


def _kinds(rows: Rows) -> npt.NDArray[np.int8]:
    """The place of each row's kind in KINDS, or _NO_KIND where the project has no use for it."""
    found = np.full(len(rows), _NO_KIND, np.int8)
    relations = rows.words("REL")
    for relation, kind in KIND_OF_REL.items():
        found[relations == word_of(relation)] = KINDS.index(kind)
    labels, texts = codes(rows.encoded("RELA"))
    is_family = np.array([text in FAMILY_RELATIONS for text in texts], np.bool_)
    found[is_family[labels]] = KINDS.index("family")
    return found


def _source_words(sources: pa.DictionaryArray) -> tuple[Words, ...]:
    places = sources.indices
    names = sources.dictionary
    return tuple(words_of(names, skipped)[places.to_numpy()] for skipped in (0, WORD))


def _mix(words: Words) -> Words:
    """Scatter 64 bits (the finaliser of splitmix64, Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
