"""MRCONSO: the atoms of each concept, in order of CUI and language."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.benchmarks.meta.concepts import Concepts, auis, cuis, types_of
from tests.benchmarks.meta.draws import SLOTS, Bits, Numbers, draw, slot, spread
from tests.benchmarks.meta.kinds import (
    ENGLISH,
    KINDS,
    LANGUAGES,
    kinds_of_slots,
    languages_of_slots,
)
from tests.benchmarks.meta.lines import chosen, identifiers, lines, scattered
from tests.benchmarks.meta.shares import LABORATORY, NAME_WORDS, SUPPRESS, TYPES, WITHOUT_ENGLISH
from tests.benchmarks.meta.words import Texts, names

# TS, STT, ISPREF. The first is had by one atom of each language of a concept, and by no other.
_STATUSES = (
    *(("P", "PF", "Y"), ("P", "PF", "N"), ("P", "VO", "Y"), ("S", "PF", "Y")),
    *(("S", "PF", "N"), ("S", "VO", "Y"), ("S", "VO", "N")),
)
_LUI_FACTOR, _SUI_FACTOR = 31_415_927, 27_182_819


def conso_lines(concepts: Concepts) -> Iterator[pa.Array]:
    """The rows, some concepts at a time."""
    for block in concepts.blocks():
        owners, atoms = _atoms(concepts, block)
        owners, languages = _in_order(owners, _languages(concepts, owners, atoms))
        bits = draw(atoms, "kinds", concepts.seed)
        kinds = kinds_of_slots()[languages, slot(bits, 0)]
        yield _rows(owners, atoms, kinds, bits, concepts.seed)


def _atoms(concepts: Concepts, block: Numbers) -> tuple[Numbers, Numbers]:
    """The concept and the number of each atom of some concepts."""
    starts = concepts.starts[block[0] : block[-1] + 2]
    return np.repeat(block, np.diff(starts)), np.arange(starts[0], starts[-1])


def _languages(concepts: Concepts, owners: Numbers, atoms: Numbers) -> Numbers:
    """One is English but for a few concepts; Chinese is had by laboratory concepts alone."""
    bits = draw(atoms, "languages", concepts.seed)
    laboratory = [tui for tui, _, _ in TYPES].index(LABORATORY)
    is_laboratory = types_of(owners, concepts.seed) == laboratory
    further = languages_of_slots()[is_laboratory.astype(np.int64), slot(bits, 0)]
    is_first = atoms == concepts.starts[owners]
    is_english = is_first & (slot(bits, 1) >= WITHOUT_ENGLISH * SLOTS)
    return np.where(is_english, ENGLISH, further)


def _in_order(owners: Numbers, languages: Numbers) -> tuple[Numbers, Numbers]:
    keys = owners * len(LANGUAGES) + languages
    keys.sort()
    return keys // len(LANGUAGES), keys % len(LANGUAGES)


def _rows(owners: Numbers, atoms: Numbers, kinds: Numbers, bits: Bits, seed: int) -> pa.Array:
    codes = identifiers("", owners * 3)
    languages = [kind.source.language for kind in KINDS]
    first, form, preferred = _statuses(owners, kinds, bits)
    return lines(
        *(
            cuis(owners),
            chosen(languages, kinds),
            first,
            identifiers("L", scattered(atoms, _LUI_FACTOR)),
            form,
        ),
        *(identifiers("S", scattered(atoms, _SUI_FACTOR)), preferred, auis(atoms), ""),
        _if_had(identifiers("M", owners * 3), [kind.has_scui for kind in KINDS], kinds),
        _if_had(identifiers("D", owners * 3), [kind.has_sdui for kind in KINDS], kinds),
        *(chosen((f"{kind.source.name}|{kind.term_type}" for kind in KINDS), kinds), codes),
        names(_texts(owners, atoms, kinds, seed), seed),
        _level_and_suppress(kinds, slot(bits, 1)),
        chosen(("", "256"), slot(bits, 3) % 2),
    )


def _if_had(values: pa.Array, having: list[bool], kinds: Numbers) -> pa.Array:
    return pc.if_else(pa.array(np.array(having)[kinds]), values, "")


def _statuses(owners: Numbers, kinds: Numbers, bits: Bits) -> tuple[pa.Array, ...]:
    places = np.array([LANGUAGES.index(kind.source.language) for kind in KINDS])
    keys = owners * len(LANGUAGES) + places[kinds]
    is_first = np.diff(keys, prepend=-1) != 0
    status = np.where(is_first, 0, 1 + slot(bits, 2) % (len(_STATUSES) - 1))
    return tuple(chosen(column, status) for column in zip(*_STATUSES, strict=True))


def _texts(owners: Numbers, atoms: Numbers, kinds: Numbers, seed: int) -> Texts:
    """Names of a concept that are written in one script start with the same word."""
    lengths = np.array(list(NAME_WORDS))[spread(NAME_WORDS.values())]
    return Texts(
        numbers=atoms,
        firsts=owners,
        wordings=np.array([kind.wording for kind in KINDS])[kinds],
        words=lengths[slot(draw(atoms, "lengths", seed), 0)],
        tags=np.array([kind.tag for kind in KINDS])[kinds],
    )


def _level_and_suppress(kinds: Numbers, slots: Numbers) -> pa.Array:
    choices = [f"{kind.source.level}|{suppress}" for kind in KINDS for suppress in SUPPRESS]
    return chosen(choices, kinds * len(SUPPRESS) + spread(SUPPRESS.values())[slots])
