"""What the licence gate leaves and takes of a Metathesaurus, by language and by source.

One pass over MRCONSO, whose columns are turned into small numbers batch by batch: it costs little
more than the reading, and its memory does not grow with the file.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.licence import KNOWN_LEVELS, Gate
from umls_tools.selection import CURRENT_FLAGS

GATE_COLUMNS = ("CUI", "LAT", "SAB", "SRL", "SUPPRESS")
UNKNOWN = "unknown"  # the source is not in MRSAB, or a level is none that the UMLS knows

Numbers = npt.NDArray[np.int64]
_UNKNOWN_LEVEL = -1
_LEVELS = tuple(range(_UNKNOWN_LEVEL, max(KNOWN_LEVELS) + 1))
_FLAGS = (False, True)


@dataclass(frozen=True, slots=True)
class Toll:
    """What became of some atoms: each suppressed, else restricted, else kept."""

    atoms: int
    suppressed: int
    restricted: Mapping[str, int]  # by level, or UNKNOWN
    kept: int

    def as_json(self) -> dict[str, int | dict[str, int]]:
        """For a machine."""
        counts = {"atoms": self.atoms, "suppressed": self.suppressed, "kept": self.kept}
        return {**counts, "restricted": dict(self.restricted)}


@dataclass(frozen=True, slots=True)
class GateTable:
    """The toll of every language (LAT) and source (SAB) that has atoms, sorted by name.

    ``concepts`` are those that keep a name in a language: runs of a CUI are counted, as the rows
    of a release stand. Where they stand otherwise (not ``is_ordered``) a concept may be counted
    more than once, and the number is the most that there can be.
    """

    max_srl: int
    languages: Mapping[str, Toll]
    concepts: Mapping[str, int]
    sources: Mapping[str, Toll]
    levels: Mapping[str, int]  # of the sources, from MRSAB; a source may be missing
    is_ordered: bool


def gate_table(batches: Iterable[pa.RecordBatch], gate: Gate) -> GateTable:
    """Count rows of MRCONSO (GATE_COLUMNS) by what the gate does with them."""
    counting = _Counting(gate)
    for batch in batches:
        counting.add(batch)
    return GateTable(
        max_srl=gate.max_srl,
        languages=_tolls(counting.atoms, lambda key: key[0], gate.max_srl),
        concepts=dict(sorted(counting.concepts.items())),
        sources=_tolls(counting.atoms, lambda key: key[1], gate.max_srl),
        levels=gate.levels,
        is_ordered=counting.is_ordered,
    )


_Key = tuple[str, str, int, bool]  # LAT, SAB, level, whether it is current


@dataclass(slots=True)
class _Counting:
    """Counts so far, and the concept in which the last batch ended."""

    gate: Gate
    atoms: Counter[_Key] = field(default_factory=Counter)
    concepts: Counter[str] = field(default_factory=Counter)
    is_ordered: bool = True
    last_cui: str = ""
    last_lats: set[str] = field(default_factory=set)  # in which that concept has kept a name

    def add(self, batch: pa.RecordBatch) -> None:
        """Count one batch, which follows the one before in the file."""
        if not batch.num_rows:
            return
        lats, lat_of = _numbered(batch.column("LAT"))
        sabs, sab_of = _numbered(batch.column("SAB"))
        levels = _levels(batch, self.gate)
        flags = pa.array(CURRENT_FLAGS)
        current = np.asarray(pc.is_in(batch.column("SUPPRESS"), value_set=flags)).astype(np.int64)
        axes = (lats, sabs, _LEVELS, _FLAGS)
        places = (lat_of, sab_of, levels - _UNKNOWN_LEVEL, current)
        self.atoms.update(_cross_count(axes, places))
        kept = (current == 1) & (levels != _UNKNOWN_LEVEL) & (levels <= self.gate.max_srl)
        self._count_concepts(batch.column("CUI"), lats, lat_of, kept)

    def _count_concepts(
        self, cuis: pa.StringArray, lats: list[str], lat_of: Numbers, kept: npt.NDArray[np.bool_]
    ) -> None:
        """Count each pair of a run of one CUI and a language once, also across two batches."""
        before, after = cuis.slice(0, len(cuis) - 1), cuis.slice(1)
        in_order = pc.all(pc.less_equal(before, after)).as_py() is not False
        first, last = str(cuis[0]), str(cuis[-1])
        self.is_ordered = self.is_ordered and in_order and self.last_cui <= first
        runs = np.concatenate(([0], np.cumsum(np.asarray(pc.not_equal(before, after)))))
        pairs = np.unique(runs[kept] * len(lats) + lat_of[kept])
        of_runs, of_lats = np.divmod(pairs, len(lats))
        for lat, number in enumerate(np.bincount(of_lats, minlength=len(lats)).tolist()):
            self.concepts[lats[lat]] += number
        carried = self.last_lats if self.last_cui == first else set()
        opening = {lats[lat] for lat in of_lats[of_runs == 0]}
        self.concepts.subtract(carried & opening)
        closing = {lats[lat] for lat in of_lats[of_runs == runs[-1]]}
        self.last_lats = closing | (carried if not runs[-1] else set())
        self.last_cui = last


def _cross_count(axes: tuple[Sequence[Any], ...], places: tuple[Numbers, ...]) -> dict[_Key, int]:
    """How many rows have each combination; `places` says where each row stands on each axis."""
    shape = tuple(len(axis) for axis in axes)
    counts = np.bincount(np.ravel_multi_index(places, shape))
    found = np.flatnonzero(counts)
    keys = zip(*np.unravel_index(found, shape), strict=True)
    named = (tuple(axis[at] for axis, at in zip(axes, key, strict=True)) for key in keys)
    return dict(zip(named, counts[found].tolist(), strict=True))


def _numbered(column: pa.StringArray) -> tuple[list[str], Numbers]:
    """The distinct values of a column, and for each row which of them it has."""
    encoded = column.dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)


def _levels(batch: pa.RecordBatch, gate: Gate) -> Numbers:
    """The level of each row, -1 where it is not known; asked once per distinct pair."""
    sabs, sab_of = _numbered(batch.column("SAB"))
    srls, srl_of = _numbered(batch.column("SRL"))
    pairs = ((gate.level(sab, srl)) for sab in sabs for srl in srls)
    table = np.array([_UNKNOWN_LEVEL if one is None else one for one in pairs], np.int64)
    of_rows: Numbers = table[sab_of * len(srls) + srl_of]
    return of_rows


def _tolls(
    atoms: Mapping[_Key, int], name_of: Callable[[_Key], str], max_srl: int
) -> dict[str, Toll]:
    by_name: dict[str, Counter[str]] = {}
    for key, number in atoms.items():
        by_name.setdefault(name_of(key), Counter())[_fate(key, max_srl)] += number
    return {name: _toll(by_name[name]) for name in sorted(by_name)}


def _fate(key: _Key, max_srl: int) -> str:
    """What becomes of an atom, by the first reason that takes it, as where concepts are read."""
    _, _, level, is_usable = key
    if not is_usable:
        return "suppressed"
    if level == _UNKNOWN_LEVEL:
        return UNKNOWN
    return str(level) if level > max_srl else "kept"


def _toll(fates: Counter[str]) -> Toll:
    restricted = {fate: fates[fate] for fate in _restrictions() if fates[fate]}
    return Toll(fates.total(), fates["suppressed"], restricted, fates["kept"])


def _restrictions() -> Iterator[str]:
    yield from (str(level) for level in sorted(KNOWN_LEVELS))
    yield UNKNOWN
