"""Why a subset of the contract is not in a release: the manifest says it for each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from pipeline.release.layout import Subset, subsets


def explain_absent(
    root: Path, languages: Sequence[str], tiers: Sequence[str], present: Sequence[Subset]
) -> dict[str, str]:
    """Subset name → reason, for every subset that a release of these languages could have."""
    verdicts = {language: _read_verdicts(root, language) for language in languages}
    return {
        subset.name: _reason(subset, tiers, verdicts[subset.language])
        for subset in subsets(tuple(languages))
        if subset not in present
    }


def _reason(
    subset: Subset, tiers: Sequence[str], verdicts: Mapping[tuple[str, str], Counter[str]]
) -> str:
    if subset.tier and subset.tier not in tiers:
        return f"the plan has no tier {subset.tier}"
    counts = verdicts.get((subset.task, subset.tier), Counter())
    judged = counts.pop("", 0)
    if not judged:
        return "no candidate has a text in this language; see quality/rejects.parquet"
    refusals = ", ".join(f"{name} {number}" for name, number in counts.most_common())
    return f"none of {judged} candidates was released; refused by filter: {refusals or 'none'}"


def _read_verdicts(root: Path, language: str) -> dict[tuple[str, str], Counter[str]]:
    """For each task and tier: under "" how many were judged, else how many a filter refused."""
    path = root / "quality" / "verdicts" / f"{language}.parquet"
    found: dict[tuple[str, str], Counter[str]] = {}
    if not path.exists():
        return found
    columns = ["query-id", "task", "tier", "filter", "accepted"]
    seen: set[str] = set()
    for row in pq.read_table(path, columns=columns).to_pylist():
        counts = found.setdefault((row["task"], row["tier"]), Counter())
        counts[""] += row["query-id"] not in seen
        seen.add(row["query-id"])
        if not row["accepted"]:
            counts[row["filter"]] += 1
    return found
