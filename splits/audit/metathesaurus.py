"""What only a Metathesaurus can show of two tasks: retired CUIs, edges, names that are not shown.

Batches of its tables come from whoever reads them, as strings under the tables' own column names.
What the relations mean is written down here once more: nothing is shared with the claim.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from splits.audit.certificate import Holdings, holdings
from splits.audit.reading import Place, tasks_in
from splits.audit.similarity import plain

HISTORY_COLUMNS = ("CUI1", "REL", "CUI2")
RELATION_COLUMNS = ("CUI1", "REL", "CUI2", "RELA", "SAB", "SUPPRESS")
NAME_COLUMNS = ("CUI", "LAT", "SAB", "SRL", "STR", "SUPPRESS")
SYNONYMOUS = frozenset({"SY", "RQ", "RL"})
HIERARCHICAL = frozenset({"PAR", "CHD"})
# The same substance as product, ingredient, form or strength, by whichever REL.
_FAMILY = (
    "has_tradename tradename_of has_ingredient ingredient_of has_ingredients ingredients_of "
    "has_precise_ingredient precise_ingredient_of has_active_ingredient active_ingredient_of "
    "has_dose_form dose_form_of has_form form_of consists_of constitutes"
)
FAMILY = frozenset(_FAMILY.split())
_CURRENT = pa.array(["N", ""])

Batches = Iterable[pa.RecordBatch]
Concepts = Mapping[str, Mapping[str, Place]]  # by task, the place of each CUI
_Pair = tuple[str, str]


@dataclass(slots=True)
class Findings:
    """What is a fault, and what is told without being one."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tables:
    """Batches of MRCUI, MRREL and MRCONSO, and which of their rows the release may rest on.

    `allows` says of a source and an atom's own level whether the profile lets it be used;
    `languages` are those of the release as the Metathesaurus writes them.
    """

    histories: Batches
    relations: Batches
    names: Batches
    allows: Callable[[str, str], bool]
    languages: Collection[str]


def compare_by_metathesaurus(root: Path, tables: Tables) -> Findings:
    """What tasks of the release at `root` share that its own files do not show."""
    held = {task: holdings(root, task) for task in tasks_in(root)}
    found = Findings()
    successors = _successors(tables.histories, held)
    found.faults += _retired_faults(held, successors)
    concepts = {task: _current(held[task], successors) for task in held}
    found.faults += _shared_faults(concepts, held)
    _add_edges(found, concepts, tables)
    _add_names(found, concepts, held, tables)
    return found


def _successors(histories: Batches, held: Mapping[str, Holdings]) -> dict[str, str]:
    """For each CUI held that was merged into just one other, that one, chains followed."""
    merged: defaultdict[str, set[str]] = defaultdict(set)
    for batch in histories:
        columns = (batch.column(name).to_pylist() for name in HISTORY_COLUMNS)
        for retired, relation, present in zip(*columns, strict=True):
            if relation == "SY" and present and present != retired:
                merged[retired].add(present)
    every = {cui for one in held.values() for cui in one.keys["concepts"]}
    return {cui: _last(cui, merged) for cui in sorted(every & merged.keys())}


def _last(cui: str, merged: Mapping[str, Collection[str]]) -> str:
    """The end of a chain of merges; where it parts or runs in a circle, it ends."""
    seen: set[str] = set()
    while cui not in seen and len(merged.get(cui, ())) == 1:
        seen.add(cui)
        cui = min(merged[cui])
    return cui


def _retired_faults(held: Mapping[str, Holdings], successors: Mapping[str, str]) -> Iterator[str]:
    for task in sorted(held):
        for cui, place in sorted(held[task].keys["concepts"].items()):
            if successors.get(cui, cui) != cui:
                yield f"{place}: {cui} is retired, its concept is {successors[cui]} now"


def _current(held: Holdings, successors: Mapping[str, str]) -> dict[str, Place]:
    current: dict[str, Place] = {}
    for cui, place in sorted(held.keys["concepts"].items()):
        current.setdefault(successors.get(cui, cui), place)
    return current


def _shared_faults(concepts: Concepts, held: Mapping[str, Holdings]) -> Iterator[str]:
    """Concepts that are one after retired CUIs were followed; the certificate names the others."""
    for one, other in combinations(sorted(concepts), 2):
        known = held[one].keys["concepts"].keys() & held[other].keys["concepts"].keys()
        for cui in sorted((concepts[one].keys() & concepts[other].keys()) - known):
            where = f"{concepts[one][cui]} and in {concepts[other][cui]}"
            yield f"overlap {one}/{other}: the concept {cui}, under a retired CUI, in {where}"


def _add_edges(found: Findings, concepts: Concepts, tables: Tables) -> None:
    """Close relations between two tasks are faults; parents and children are told, as counts."""
    owners = _owners(concepts)
    near: defaultdict[str, dict[_Pair, str]] = defaultdict(dict)
    above: defaultdict[str, dict[_Pair, str]] = defaultdict(dict)
    for left, relation, right, label, sab, _ in _edges(tables.relations, owners.keys()):
        if not tables.allows(sab, "0"):
            continue
        is_close = relation in SYNONYMOUS or label in FAMILY
        if is_close or relation in HIERARCHICAL:
            ends = min(left, right), max(left, right)
            for pair in _pairs_of_tasks(owners[left], owners[right]):
                kind = f"{label or relation} of {sab}"
                (near if is_close else above)[pair].setdefault(ends, kind)
    for pair, edges in sorted(near.items()):
        found.faults += [_told(pair, ends, edges[ends], concepts) for ends in sorted(edges)]
    for pair, edges in sorted(above.items()):
        first = _told(pair, min(edges), edges[min(edges)], concepts)
        found.notes.append(f"{len(edges)} parent or child edges, e.g. {first}")


def _owners(concepts: Concepts) -> dict[str, list[str]]:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for task in sorted(concepts):
        for cui in concepts[task]:
            owners[cui].append(task)
    return owners


def _edges(relations: Batches, held: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Rows of MRREL with both ends in the release, not suppressed."""
    wanted = pa.array(sorted(held), pa.string())
    for batch in relations:
        ends = (pc.is_in(batch.column(name), value_set=wanted) for name in ("CUI1", "CUI2"))
        current = pc.is_in(batch.column("SUPPRESS"), value_set=_CURRENT)
        kept = batch.filter(pc.and_(pc.and_(*ends), current))
        yield from zip(*(kept.column(name).to_pylist() for name in RELATION_COLUMNS), strict=True)


def _pairs_of_tasks(left: Iterable[str], right: Iterable[str]) -> list[str]:
    """Every two different tasks of which one holds the left end and the other the right one."""
    pairs = {tuple(sorted((one, other))) for one in left for other in right if one != other}
    return ["/".join(pair) for pair in sorted(pairs)]


def _told(pair: str, ends: _Pair, kind: str, concepts: Concepts) -> str:
    one, other = pair.split("/")
    left, right = ends if ends[0] in concepts[one] and ends[1] in concepts[other] else ends[::-1]
    where = f"{left} in {concepts[one][left]} and {right} in {concepts[other][right]}"
    return f"overlap {pair}: an edge ({kind}) joins {where}"


def _add_names(
    found: Findings, concepts: Concepts, held: Mapping[str, Holdings], tables: Tables
) -> None:
    """Names in common, and queries that are a name of another task's concept.

    A machine translation may come upon a name by itself, and often will where it is right: that
    is told, and no fault.
    """
    owners = _owners(concepts)
    named: defaultdict[str, dict[str, str]] = defaultdict(dict)  # by key: task → CUI
    for cui, text in _names(tables, owners.keys()):
        for task in owners[cui] if text else ():
            named[text].setdefault(task, cui)
    found.faults += _names_in_common(named, concepts)
    for task in sorted(held):
        for text, line in _asked_names(task, named, concepts, held[task]):
            (found.notes if text in held[task].made else found.faults).append(line)


def _names_in_common(named: Mapping[str, Mapping[str, str]], concepts: Concepts) -> Iterator[str]:
    for text in sorted(named):
        for one, other in combinations(sorted(named[text]), 2):
            left, right = named[text][one], named[text][other]
            if left != right:  # one concept in two tasks is told as such
                where = f"{left} in {concepts[one][left]} and {right} in {concepts[other][right]}"
                yield f"overlap {one}/{other}: a name in common of {where}"


def _asked_names(
    task: str, named: Mapping[str, Mapping[str, str]], concepts: Concepts, held: Holdings
) -> Iterator[tuple[str, str]]:
    for text, place in sorted(held.keys["texts"].items()):
        for other, cui in sorted(named.get(text, {}).items()):
            if other != task and cui not in concepts[task]:
                where = f"{place} is a name of {cui} in {concepts[other][cui]}"
                yield text, f"overlap {'/'.join(sorted((task, other)))}: the text of {where}"


def _names(tables: Tables, held: Collection[str]) -> Iterator[tuple[str, str]]:
    """CUI and normalised name of every row that the release may rest on."""
    wanted = pa.array(sorted(held), pa.string())
    languages = pa.array(sorted(tables.languages), pa.string())
    for batch in tables.names:
        kept = batch.filter(pc.is_in(batch.column("CUI"), value_set=wanted))
        kept = kept.filter(pc.is_in(kept.column("LAT"), value_set=languages))
        kept = kept.filter(pc.is_in(kept.column("SUPPRESS"), value_set=_CURRENT))
        for row in kept.to_pylist():
            if tables.allows(row["SAB"], row["SRL"]):
                yield row["CUI"], plain(row["STR"])
