"""What became of the concepts that a release no longer has."""

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from pipeline.records import Reject
from umls_tools.files import OpenFile, TableFile, open_local
from umls_tools.rrf import read_batches

HISTORY_COLUMNS = ("CUI1", "REL", "CUI2")
MERGED = "SY"
DELETED = "DEL"
# The tables that tell of concepts which are gone: MRCUI of all releases, the others of the last.
HISTORIES = ("MRCUI", "CHANGE/MERGEDCUI", "CHANGE/DELETEDCUI")


def histories(
    tables: Mapping[str, TableFile], open_file: OpenFile = open_local
) -> Iterator[pa.RecordBatch]:
    """Yield what the tables that are there tell, in the columns of MRCUI (HISTORY_COLUMNS)."""
    if file := tables.get("MRCUI"):
        yield from read_batches(file, HISTORY_COLUMNS, open_file)
    if file := tables.get("CHANGE/MERGEDCUI"):
        for batch in read_batches(file, ("PCUI", "CUI"), open_file):
            yield _history(batch.column("PCUI"), MERGED, batch.column("CUI"))
    if file := tables.get("CHANGE/DELETEDCUI"):
        for batch in read_batches(file, ("PCUI",), open_file):
            blank = pa.array([""] * batch.num_rows)
            yield _history(batch.column("PCUI"), DELETED, blank)


def successors(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, str] | Reject]:
    """Yield (retired CUI, present CUI) for concepts that were merged, in order of CUI.

    A concept without exactly one successor yields a Reject instead: ``deleted``,
    ``only_related`` (RB, RN, RO) or ``several_successors``. A concept that is said to have
    become itself yields nothing.
    """
    rows = sorted({row for batch in batches for row in _rows(batch)})
    fates: dict[str, list[tuple[str, str]]] = {}
    for retired, relation, present in rows:
        fates.setdefault(retired, []).append((relation, present))
    for retired, steps in fates.items():
        yield from _fate(retired, steps)


def resolve(mapping: Mapping[str, str]) -> dict[str, str]:
    """Follow chains, so that each retired CUI points at one that is not retired.

    A CUI whose chain runs in a circle has no present concept and is left out.
    """
    ends = {cui: _end_of_chain(cui, mapping) for cui in sorted(mapping)}
    return {cui: end for cui, end in ends.items() if end}


def _history(retired: pa.Array, relation: str, present: pa.Array) -> pa.RecordBatch:
    relations = pa.array([relation] * len(retired))
    return pa.RecordBatch.from_arrays([retired, relations, present], names=list(HISTORY_COLUMNS))


def _rows(batch: pa.RecordBatch) -> Iterable[tuple[str, str, str]]:
    return zip(*(batch.column(name).to_pylist() for name in HISTORY_COLUMNS), strict=True)


def _fate(retired: str, steps: list[tuple[str, str]]) -> Iterator[tuple[str, str] | Reject]:
    merged = [present for relation, present in steps if relation == MERGED and present]
    targets = [present for present in merged if present != retired]
    if len(targets) == 1:
        yield retired, targets[0]
    elif targets:
        yield Reject("retired", retired, "several_successors", " ".join(targets))
    elif not merged:
        deleted = any(relation == DELETED for relation, _ in steps)
        yield Reject("retired", retired, "deleted" if deleted else "only_related")


def _end_of_chain(cui: str, mapping: Mapping[str, str]) -> str:
    seen = {cui}
    while (following := mapping.get(cui, cui)) != cui:
        if following in seen:
            return ""
        seen.add(following)
        cui = following
    return cui
