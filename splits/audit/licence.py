"""Whether a release's own columns keep to the restriction level that its profile allows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from splits.audit.manifest import MANIFEST, REMEDY, Manifest
from splits.audit.reading import Place, rows
from splits.audit.withheld import PROFILE, withheld_faults

_LEVEL = re.compile(r"UMLS SRL (\d)")


def allowed_level(manifest: Manifest) -> int:
    """The highest restriction level of text: 0, or of a local release what its plan says."""
    umls = manifest.plan.get("umls")
    stated = umls.get("max_srl", 0) if isinstance(umls, dict) else 0
    is_local = manifest.fields.get("profile") == "local"
    return stated if is_local and type(stated) is int else 0


def used_level(manifest: Manifest) -> int:
    """The highest level of what the release rests on: of `ids` above that of its texts."""
    umls = manifest.plan.get("umls")
    stated = umls.get("max_srl", 0) if isinstance(umls, dict) else 0
    is_open = manifest.fields.get("profile") == "open"
    return stated if type(stated) is int and not is_open else 0


def licence_faults(root: Path, manifest: Manifest, tasks: tuple[str, ...]) -> Iterator[str]:
    """Rows and sources above the level, and sources that the manifest does not name."""
    is_withheld = manifest.fields.get("profile") == PROFILE
    level = "full_srl" if is_withheld else "max_srl"
    stated = _Stated(manifest.mapping("sources"), used_level(manifest), level)
    yield from stated.source_faults()
    if is_withheld:
        yield from withheld_faults(root, tasks)
    for task in tasks:
        yield from _query_faults(root, task, stated)
    if "concepts" in tasks:
        yield from _name_faults(root, stated)
        yield from _taint_faults(root, stated.column)


@dataclass(frozen=True, slots=True)
class _Stated:
    """What the manifest says of sources, and what the profile allows."""

    sources: Mapping[str, int]
    allowed: int
    column: str  # of queries: the level of all that they rest on

    @property
    def above(self) -> str:
        """What is allowed, and what to do."""
        return f"the profile and plan allow {self.allowed}: do not pass it on, {REMEDY}"

    def source_faults(self) -> Iterator[str]:
        """Faults of what the manifest itself says."""
        for sab, level in sorted(self.sources.items()):
            if level > self.allowed:
                yield f"{MANIFEST}: sources names {sab} of level {level}; {self.above}"

    def faults(self, place: Place, sabs: list[str], level: int) -> Iterator[str]:
        """Faults of one row that names these sources and this level."""
        if level > self.allowed:
            yield f"{place}: restriction level {level}; {self.above}"
        for sab in sabs:
            if sab not in self.sources:
                yield f"{place}: source {sab} is not among the sources of {MANIFEST}; {REMEDY}"
            elif level < self.sources[sab]:
                known = f"{MANIFEST} gives {sab} level {self.sources[sab]}"
                yield f"{place}: restriction level {level}, but {known}; {REMEDY}"


def _query_faults(root: Path, task: str, stated: _Stated) -> Iterator[str]:
    for place, row in rows(root, task, "queries", ("_id", "origin", "sabs", stated.column)):
        yield from stated.faults(place, row["sabs"], row[stated.column])
        if not row["sabs"] and (row["origin"] == "umls" or task == "concepts"):
            yield f"{place}: a text of the UMLS without a source; {REMEDY}"


def _name_faults(root: Path, stated: _Stated) -> Iterator[str]:
    for place, row in rows(root, "concepts", "corpus", ("_id", "source", "licence")):
        level = _level(row["licence"])
        if level is None:
            yield f"{place}: licence {row['licence']!r} is no restriction level; {REMEDY}"
        else:
            yield from stated.faults(place, [row["source"]], level)


def _level(licence: str) -> int | None:
    match = _LEVEL.fullmatch(licence)
    return int(match[1]) if match else None


def _taint_faults(root: Path, column: str) -> Iterator[str]:
    """A query is as restricted as the names shown for it."""
    names = rows(root, "concepts", "corpus", ("_id", "licence"))
    shown = {place.row: _level(row["licence"]) or 0 for place, row in names}
    highest: dict[tuple[str, str], int] = {}
    for place, row in rows(root, "concepts", "top_ranked", ("query-id", "corpus-ids")):
        levels = [shown.get(document, 0) for document in row["corpus-ids"]]
        highest[place.subset, place.row] = max(levels, default=0)
    for place, row in rows(root, "concepts", "queries", ("_id", column)):
        level = highest.get((place.subset, place.row), 0)
        if row[column] < level:
            found = f"restriction level {row[column]}, but a name shown has {level}"
            yield f"{place}: {found}; {REMEDY}"
