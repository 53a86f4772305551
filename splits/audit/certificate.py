"""The certificate of zero overlap: what each task holds, and what any two tasks share."""

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splits.audit.reading import Place, rows, tasks_in
from splits.audit.similarity import GRAM_LENGTH, THRESHOLD, near, plain

EXAMPLES = 5  # violations of each kind that the certificate shows
# What a violation is named by. Texts may be under a licence: their rows alone are named.
NAMED = frozenset({"concepts", "sources", "near"})
KINDS = {
    "concepts": "CUIs of queries, and of every concept that a confusion set shows",
    "sources": "source ids of queries, the two forms of a question taken together",
    "texts": "query texts in any language, back-translations and names shown, normalised",
    "passages": "ids and normalised texts of relevant documents",
}
METHODS = {
    **KINDS,
    "normalisation": "NFKC, case folded, only letters and digits, single spaces",
    "equal": "normalised query texts that are the same in one language",
    "near": f"character {GRAM_LENGTH}-gram Jaccard >= {THRESHOLD} in one language, all pairs",
    "sha256": "of the sorted keys, each followed by a line feed, in UTF-8",
}
# What ends the source id of a question's other form, which asks by a definition: one question.
OTHER_FORM = "::described"
NOT_RECOMPUTED = {
    "edges": "SY, RQ, RL and tradename relations between tasks are kept apart when concepts are "
    "claimed; a release holds no relations from which that could be seen: verify --umls META "
    "recomputes them, retired CUIs and names that are not shown"
}

TRANSLATED = "mt"  # the origin of what a machine translated

Keys = dict[str, Place]
Finding = tuple[str, Place, Place]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What one task holds: for each kind its keys, and its query texts by language.

    A key keeps the first place, in order of file and row, where it stands.
    """

    queries: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)  # texts that only a machine's translation says
    keys: dict[str, Keys] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    spoken: defaultdict[str, Keys] = field(default_factory=lambda: defaultdict(dict))


def audit(root: Path) -> dict[str, Any]:
    """The certificate of the release at `root`, made from its Parquet files alone.

    It fails when two tasks share anything, and when a task has nothing to compare: no overlap
    with nothing proves nothing. The same files give the same certificate.
    """
    held = {task: holdings(root, task) for task in tasks_in(root)}
    faults = [fault for task in held for fault in _empty(task, held[task])]
    pairs = {}
    for one, other in itertools.combinations(sorted(held), 2):
        pairs[f"{one}/{other}"], found = _compare(f"{one}/{other}", held[one], held[other])
        faults += found
    return {
        "passed": not faults,
        "faults": faults,
        "methods": METHODS,
        "not_recomputed": NOT_RECOMPUTED,
        "threshold": THRESHOLD,
        "tasks": {task: _summary(held[task]) for task in held},
        "pairs": pairs,
    }


def holdings(root: Path, task: str) -> Holdings:
    """All that a task of the release at `root` holds, from its Parquet files alone."""
    held = Holdings()
    said: set[str] = set()
    columns = ("_id", "text", "language", "cuis", "source_id", "back_translation", "origin")
    for place, row in rows(root, task, "queries", columns):
        held.queries.add(place.row)
        text = plain(row["text"])
        held.spoken[row["language"]].setdefault(text, place)
        back = plain(row["back_translation"])
        _note(held.keys["texts"], (text, back), place)
        held.made.update((text, back) if row["origin"] == TRANSLATED else (back,))
        said.update(() if row["origin"] == TRANSLATED else (text,))
        _note(held.keys["concepts"], row["cuis"], place)
        _note(held.keys["sources"], [row["source_id"].removesuffix(OTHER_FORM)], place)
    relevant: set[str] = set()
    for place, row in rows(root, task, "qrels", ("query-id", "corpus-id")):
        relevant.add(row["corpus-id"])
        _note(held.keys["passages"], [f"id {row['corpus-id']}"], place)
    for place, row in rows(root, task, "corpus", ("_id", "title", "text", "cuis")):
        if place.row in relevant:
            _note(held.keys["passages"], [f"text {plain(row['text'])}"], place)
        if task == "concepts":
            shown = plain(row["title"]), plain(row["text"])
            _note(held.keys["texts"], shown, place)
            _note(held.keys["concepts"], row["cuis"], place)
            said.update(shown)
    held.made.difference_update(said)
    return held


def _note(keys: Keys, found: Iterable[str], place: Place) -> None:
    for key in found:
        if key:
            keys.setdefault(key, place)


def _empty(task: str, held: Holdings) -> Iterator[str]:
    for kind in KINDS:
        if not held.keys[kind]:
            yield f"{task}: no {kind} at all; an empty task proves nothing"


def _summary(held: Holdings) -> dict[str, Any]:
    kinds = {
        kind: {"count": len(keys), "sha256": _digest(keys)} for kind, keys in held.keys.items()
    }
    languages = {language: len(held.spoken[language]) for language in sorted(held.spoken)}
    return {"queries": len(held.queries), "languages": languages, **kinds}


def _digest(keys: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for key in sorted(keys):
        digest.update(key.encode() + b"\n")
    return digest.hexdigest()


def _compare(pair: str, one: Holdings, other: Holdings) -> tuple[dict[str, Any], list[str]]:
    """What two tasks share, as the certificate's entry and as faults."""
    entry: dict[str, Any] = {"languages": {}}
    faults: list[str] = []

    def record(into: dict[str, Any], label: str, kind: str, found: list[Finding]) -> None:
        into[kind] = {
            "shared": len(found),
            "examples": [_example(kind, f) for f in found[:EXAMPLES]],
        }
        faults.extend(_faults(label, kind, found))

    for kind in KINDS:
        record(entry, pair, kind, _equal(one.keys[kind], other.keys[kind]))
    for language in sorted({*one.spoken, *other.spoken}):
        mine, theirs = one.spoken.get(language, {}), other.spoken.get(language, {})
        entry["languages"][language] = into = {"compared": [len(mine), len(theirs)]}
        record(into, f"{pair}/{language}", "equal", _equal(mine, theirs))
        record(into, f"{pair}/{language}", "near", _near(mine, theirs))
    return entry, faults


def _equal(one: Keys, other: Keys) -> list[Finding]:
    return [(key, one[key], other[key]) for key in sorted(one.keys() & other.keys())]


def _near(one: Keys, other: Keys) -> list[Finding]:
    """Near duplicates, equal texts among them, with their similarity to four digits."""
    return [(f"{score:.4f}", one[mine], other[theirs]) for mine, theirs, score in near(one, other)]


def _example(kind: str, finding: Finding) -> dict[str, Any]:
    key, left, right = finding
    named = {"key": key} if kind in NAMED else {}
    return {**named, "left": left.as_json(), "right": right.as_json()}


def _faults(label: str, kind: str, found: list[Finding]) -> Iterator[str]:
    if found:
        key, left, right = found[0]
        what = f" {key}" if kind in NAMED else ""
        yield f"overlap {label}: {len(found)} {kind} in common, e.g.{what} in {left} and in {right}"
