"""MRREL: what the edges say, and their rows in order of CUI1."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tests.benchmarks.meta.concepts import Concepts, auis, cuis
from tests.benchmarks.meta.draws import Numbers, draw, slot, spread
from tests.benchmarks.meta.edges import Ends
from tests.benchmarks.meta.families import Family, families
from tests.benchmarks.meta.lines import chosen, identifiers, lines
from tests.benchmarks.meta.shares import SUPPRESS

_FEWEST_CONCEPTS = 100
# STYPE1 and STYPE2: what of a source's own the relation joins.
_KINDS_OF_END = {"SNOMEDCT_US": "SCUI", "NCI": "SCUI", "MSH": "SDUI", "ICD10": "CODE"}


def relation_lines(concepts: Concepts, rows: int) -> Iterator[pa.Array]:
    """That many rows, an even number: two of each edge, the second with the inverse."""
    if rows % 2:
        raise ValueError(f"{rows} rows of relations: an edge has two, ask for an even number")
    if concepts.count < _FEWEST_CONCEPTS:
        raise ValueError(f"relations need {_FEWEST_CONCEPTS} concepts, not {concepts.count}")
    found = families(concepts, rows // 2)
    told = _Told(found)
    for block in concepts.blocks():
        yield _rows(told, _met(found, block), concepts.seed)


def _met(found: list[Family], block: Numbers) -> tuple[Numbers, Ends]:
    """The edges of some concepts, in order of concept, and which family and direction each has."""
    seen: list[Ends] = []
    for family in found:
        for ends in (family.shape.starting(block), family.shape.ending(block)):
            seen.append(ends._replace(edges=ends.edges + family.first))
    tellers = np.repeat(np.arange(len(seen)), [len(ends.here) for ends in seen])
    together = Ends(*map(np.concatenate, zip(*seen, strict=True)))
    # Sorting 16 bits is what numpy does by counting.
    order = np.argsort((together.here - block[0]).astype(np.uint16), kind="stable")
    return tellers[order], Ends(*(column[order] for column in together))


class _Told:
    """The fields that depend on family and direction alone, for each the start and the end."""

    def __init__(self, found: list[Family]) -> None:
        told = [side for family in found for side in family.relation.sides()]
        kinds_of_end = [_KINDS_OF_END.get(side.source, "AUI") for side in told]
        self.rels = [f"{kind}|{side.rel}" for kind, side in zip(kinds_of_end, told, strict=True)]
        self.relas = [f"{kind}|{side.rela}" for kind, side in zip(kinds_of_end, told, strict=True)]
        self.tails = [
            f"{side.source}|{side.source}||{side.direction}|{suppress}|"
            for side in told
            for suppress in SUPPRESS
        ]


def _rows(told: _Told, met: tuple[Numbers, Ends], seed: int) -> pa.Array:
    tellers, ends = met
    suppress = spread(SUPPRESS.values())[slot(draw(ends.edges, "relations", seed), 0)]
    return lines(
        *(cuis(ends.here), auis(ends.atom_here), chosen(told.rels, tellers)),
        *(cuis(ends.there), auis(ends.atom_there), chosen(told.relas, tellers)),
        *(identifiers("R", ends.edges * 2 + tellers % 2, 9), ""),
        chosen(told.tails, tellers * len(SUPPRESS) + suppress),
    )
