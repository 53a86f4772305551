"""Whether verdicts and rejects are those of the released queries and of the manifest's counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from splits.audit.manifest import MANIFEST, REMEDY, Manifest
from splits.audit.reading import rows

VERDICTS = "quality/verdicts"
REJECTS = "quality/rejects.parquet"
# A concept without a usable name is counted and not kept: most of a Metathesaurus is such.
NOT_KEPT = frozenset({"read concepts"})

_SAME = ("text", "origin", "back_translation")
_Asked = tuple[str, str]  # tier, query
_Words = tuple[str, ...]


def quality_faults(root: Path, manifest: Manifest, tasks: tuple[str, ...]) -> Iterator[str]:
    """Queries without the verdicts that released them, and the other way round."""
    if not manifest.plan.get("filters"):
        return
    for language in manifest.languages:
        name = f"{VERDICTS}/{language}.parquet"
        asked = dict(_asked(root, language, tasks))
        if (root / name).is_file():
            yield from _verdict_faults(root, name, asked, tasks)
        elif asked:
            yield f"{name}: missing; {REMEDY}"


def _verdict_faults(
    root: Path, name: str, asked: Mapping[_Asked, _Words], tasks: tuple[str, ...]
) -> Iterator[str]:
    judged: dict[_Asked, _Words] = {}
    for row in _verdicts(root / name):
        if row["released"] and row["task"] in tasks:
            judged[row["tier"], row["query-id"]] = _words(row)
            if not row["accepted"]:
                yield f"{name} {row['query-id']}: released, though {row['filter']} refuses it"
    for tier, query in sorted(asked.keys() | judged.keys()):
        if asked.get((tier, query)) != judged.get((tier, query)):
            where = f" of tier {tier}" if tier else ""
            yield f"{name} {query}{where}: not released as it was judged; {REMEDY}"


def reject_faults(root: Path, manifest: Manifest) -> Iterator[str]:
    """Rejects that the manifest counts and the file does not hold, and the other way round."""
    counts = manifest.mapping("counts")
    counted = Counter(
        {
            (stage, reason): number
            for stage, entry in counts.items()
            for reason, number in entry["rejected"].items()
            if stage not in NOT_KEPT
        }
    )
    kept = Counter(_rejects(root))
    for stage, reason in sorted(counted.keys() | kept.keys()):
        if kept[stage, reason] != counted[stage, reason]:
            said = f"{MANIFEST} counts {counted[stage, reason]}"
            yield f"{REJECTS}: {kept[stage, reason]} of {stage}: {reason}, {said}; {REMEDY}"
    written = sum(entry["rows"] for entry in manifest.files)
    if "write" in counts and counts["write"]["out"] != written:
        said = f"{MANIFEST} lists {written} rows and counts {counts['write']['out']}"
        yield f"{MANIFEST}: counts.write.out: {said}; {REMEDY}"


def _asked(root: Path, language: str, tasks: tuple[str, ...]) -> Iterator[tuple[_Asked, _Words]]:
    for task in tasks:
        for place, row in rows(root, task, "queries", ("_id", "language", *_SAME)):
            if row["language"] == language:
                tier = place.subset.rpartition("/")[0]
                yield (tier, place.row), _words(row)


def _words(row: Mapping[str, Any]) -> _Words:
    return tuple(row[column] for column in _SAME)


def _verdicts(path: Path) -> Iterator[Mapping[str, Any]]:
    columns = ["query-id", "task", "tier", "filter", "accepted", "released", *_SAME]
    for batch in pq.ParquetFile(path).iter_batches(columns=columns):
        yield from batch.to_pylist()


def _rejects(root: Path) -> Iterator[tuple[str, str]]:
    path = root / REJECTS
    if path.is_file():
        table = pq.read_table(path, columns=["stage", "reason"])
        yield from zip(*(column.to_pylist() for column in table.columns), strict=True)
