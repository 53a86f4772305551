"""Why a subset of the contract is not in a release: the manifest says it for each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from pipeline.release.layout import Subset, subsets

# The stages that leave out a query in one language, in their order.
STAGES = ("translate", "judge", "select")

Fates = Mapping[Subset, Counter[tuple[str, str]]]  # how many were left out, by stage and reason


def explain_absent(
    root: Path, languages: Sequence[str], tiers: Sequence[str], present: Sequence[Subset]
) -> dict[str, str]:
    """Subset name → reason, for every subset that a release of these languages could have."""
    fates = _fates(root)
    return {
        subset.name: _reason(subset, tiers, fates)
        for subset in subsets(tuple(languages))
        if subset not in present
    }


def _reason(subset: Subset, tiers: Sequence[str], fates: Fates) -> str:
    if subset.tier and subset.tier not in tiers:
        return f"the plan has no tier {subset.tier}"
    counts = fates.get(subset)
    if not counts:
        return "no candidate was claimed for it; see quality/rejects.parquet"
    steps = (
        f"{stage}: " + ", ".join(f"{reason} {number}" for reason, number in of_stage)
        for stage in STAGES
        if (of_stage := [(why, n) for (at, why), n in counts.most_common() if at == stage])
    )
    return f"none of {counts.total()} candidates was released ({'; '.join(steps)})"


def _fates(root: Path) -> Fates:
    """What became of the queries that were left out in some language."""
    tiers = dict(_tiers(root))
    found: dict[Subset, Counter[tuple[str, str]]] = {}
    path = root / "quality" / "rejects.parquet"
    rows = pq.read_table(path).to_pylist() if path.exists() else []
    for row in rows:
        query_id, _, language = row["key"].partition("/")
        if row["stage"] in STAGES:
            subset = Subset(query_id.partition("-")[0], tiers.get(query_id, ""), language)
            found.setdefault(subset, Counter())[row["stage"], row["reason"]] += 1
    return found


def _tiers(root: Path) -> Iterator[tuple[str, str]]:
    """Query ids of confusion sets with their tiers, from the verdicts in all languages."""
    for path in sorted((root / "quality" / "verdicts").glob("*.parquet")):
        table = pq.read_table(path, columns=["query-id", "tier"])
        yield from zip(*(column.to_pylist() for column in table.columns), strict=True)
