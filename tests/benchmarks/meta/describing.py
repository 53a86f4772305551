"""MRSTY and MRDEF: the types and the definitions of concepts."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tests.benchmarks.meta.concepts import Concepts, auis, cuis, second_types_of, types_of
from tests.benchmarks.meta.draws import Numbers, draw, slot, spread
from tests.benchmarks.meta.lines import chosen, identifiers, lines, scattered
from tests.benchmarks.meta.shares import (
    DEFINED_BY,
    DEFINITION_WORDS,
    DEFINITIONS,
    SOURCES,
    SUPPRESS,
    TYPES,
)
from tests.benchmarks.meta.syllables import SCRIPTS
from tests.benchmarks.meta.words import NO_TAG, WORDINGS, Texts, definitions

_ATUI_FACTOR = 57_721_567


def type_lines(concepts: Concepts) -> Iterator[pa.Array]:
    """One row or two a concept, in order of CUI and type."""
    for block in concepts.blocks():
        one, two = types_of(block, concepts.seed), second_types_of(block, concepts.seed)
        pairs = np.stack([np.minimum(one, two), np.maximum(one, two)], axis=1)
        is_there = np.stack([np.full(len(block), fill_value=True), one != two], axis=1)
        numbers = np.stack([block * 2, block * 2 + 1], axis=1)[is_there]
        yield lines(
            cuis(numbers // 2),
            chosen(("|".join(names) for names in TYPES), pairs[is_there]),
            identifiers("AT", scattered(numbers, _ATUI_FACTOR)),
            "256",
        )


def definition_lines(concepts: Concepts) -> Iterator[pa.Array]:
    """For one concept in nine a row or a few."""
    for block in concepts.blocks():
        bits = draw(block, "definitions", concepts.seed)
        counts = np.array(list(DEFINITIONS))[spread(DEFINITIONS.values())[slot(bits, 0)]]
        owners = np.repeat(block, counts)
        turns = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        if len(owners):
            yield _definitions(concepts, owners, owners * len(DEFINITIONS) + turns)


def _definitions(concepts: Concepts, owners: Numbers, numbers: Numbers) -> pa.Array:
    bits = draw(numbers, "defined", concepts.seed)
    sources = spread(DEFINED_BY.values())[slot(bits, 0)]
    return lines(
        *(cuis(owners), auis(concepts.starts[owners])),
        *(identifiers("AT", scattered(numbers, _ATUI_FACTOR)), "", chosen(DEFINED_BY, sources)),
        definitions(_texts(owners, numbers, sources, slot(bits, 1)), concepts.seed),
        chosen(SUPPRESS, spread(SUPPRESS.values())[slot(bits, 2)]),
        "",
    )


def _texts(owners: Numbers, numbers: Numbers, sources: Numbers, slots: Numbers) -> Texts:
    lengths = np.array(list(DEFINITION_WORDS))[spread(DEFINITION_WORDS.values())]
    language_of = {source.name: source.language for source in SOURCES}
    wordings = [
        WORDINGS.index("latin" if language_of[name] == "ENG" else SCRIPTS.get(name, "accented"))
        for name in DEFINED_BY
    ]
    no_tags = np.full(len(numbers), NO_TAG)
    return Texts(numbers, owners, np.array(wordings)[sources], lengths[slots], no_tags)
