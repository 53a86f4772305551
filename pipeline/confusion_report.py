"""What a release can say for its confusion sets: why each is as it is, and what gives it away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipeline.release.layout import SETS, TIERS
from pipeline.scorer.release import (
    Release,
    Subset,
    open_release,
    read_candidates,
    read_judgements,
    read_queries,
    read_tables,
)
from pipeline.settings import known
from umls_tools.confusion.shortcuts import TOLD, Face, Found, Sighted, shortcut_rates, times_shown

ENGLISH = "en"
CONCEPT = "concept-"  # what the ids of the concepts corpus begin with
WHYS = {
    "sibling": "children of {1} in {0}",
    "cousin": "{2} steps below {1} in {0}",
    "adjacent_code": "codes beside each other in {0}",
    "look_alike": "names that look alike",
    "sound_alike": "names that look and sound alike",
    "other_group": "semantic groups {0} and {1}",
    "distant": "semantic group {0}, no ancestor near",
}


class ExplainError(ValueError):
    """A set that the release does not have, or a release that explains none."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One distractor: its name, how near it is by which measure, and what ties it to the gold."""

    concept: str
    name: str
    similarity: float
    measure: str
    why: str


@dataclass(frozen=True, slots=True)
class SetReport:
    """A confusion set with the reasons for it; `queries` are its texts by language."""

    query_id: str
    tier: str
    gold: str
    name: str
    queries: tuple[tuple[str, str], ...]
    distractors: tuple[Explained, ...]
    excluded: tuple[tuple[str, int], ...]


def explain_set(root: Path, query_id: str) -> SetReport:
    """Everything that the release knows of one set; raises ExplainError where it has none such."""
    release = open_release(root)
    rows = [row for row in _explained(root) if row["query-id"] == query_id]
    if not rows:
        ids = sorted({row["query-id"] for row in _explained(root)})
        raise ExplainError(f"{root}: no confusion set {query_id!r}; {known(query_id, ids)}")
    names = _names(release)
    first = rows[0]
    distractors = (
        Explained(
            row["distractor"],
            names[row["distractor"]].name,
            row["similarity"],
            row["measure"],
            row["why"],
        )
        for row in sorted(rows, key=lambda row: (-row["similarity"], row["distractor"]))
    )
    return SetReport(
        query_id,
        first["tier"],
        first["gold"],
        names[first["gold"]].name,
        tuple(_texts(release, query_id, first["tier"])),
        tuple(distractors),
        tuple(_counted(first["excluded"])),
    )


def in_words(why: str) -> str:
    """What ties two concepts together, for people: ``sibling:MSH:C0000001`` as a phrase."""
    kind, *parts = why.split(":")
    spare = [*parts, "", "", ""]
    return WHYS[kind].format(*spare) if kind in WHYS else why


def find_shortcuts(root: Path) -> dict[str, list[Found]]:
    """By tier, how often each shortcut finds the gold of the English sets."""
    release = open_release(root)
    names = _names(release)
    sets = {
        one.tier: list(_sighted(release, one, names))
        for one in release.subsets
        if one.task == "concepts" and one.language == ENGLISH
    }
    shown = times_shown(one for tier in sets.values() for one in tier)
    return {tier: shortcut_rates(sets[tier], shown, TOLD) for tier in TIERS if tier in sets}


def _sighted(release: Release, subset: Subset, names: Mapping[str, Face]) -> Iterator[Sighted]:
    candidates = read_candidates(release, subset) or {}
    judged = read_judgements(release, subset)
    pairs = zip(judged.query_codes, judged.document_codes, strict=True)
    golds = {judged.queries[query]: judged.documents[document] for query, document in pairs}
    for query, documents in sorted(candidates.items()):
        faces = tuple(names[document.removeprefix(CONCEPT)] for document in documents)
        yield Sighted(faces, list(documents).index(golds[query]))


def _names(release: Release) -> dict[str, Face]:
    """The concepts shown, by CUI."""
    folder = release.root / "data" / "concepts" / "corpus"
    table = read_tables(folder, ("_id", "text", "source")).to_pydict()
    ids = (one.removeprefix(CONCEPT) for one in table["_id"])
    rows = zip(ids, table["text"], table["source"], strict=True)
    return {cui: Face(cui, text, source) for cui, text, source in rows}


def _texts(release: Release, query_id: str, tier: str) -> Iterator[tuple[str, str]]:
    for subset in release.subsets:
        if subset.task == "concepts" and subset.tier == tier:
            found = dict(read_queries(release, subset))
            if query_id in found:
                yield subset.language, found[query_id]


def _explained(root: Path) -> list[dict[str, Any]]:
    path = root / SETS
    if not path.is_file():
        raise ExplainError(f"{path}: missing; fetch the release again")
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def _counted(excluded: Sequence[str]) -> Iterator[tuple[str, int]]:
    for one in excluded:
        reason, _, number = one.rpartition(":")
        yield reason, int(number)
