"""The faults in a release's tables that can be seen cheaply: ids and what they point at."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from splits.audit.reading import Place, rows
from splits.audit.similarity import plain

ID = re.compile(r"[A-Za-z0-9._-]+")
RANKED_TASKS = frozenset({"concepts"})
_TEXTS = ("_id", "text")

Known = dict[str, Place]


def contract_faults(root: Path, tasks: Iterable[str]) -> Iterator[str]:
    """Faults by task, each naming file and row; the tasks' tables must be of the contract."""
    asked: Known = {}
    shown: Known = {}
    for task in tasks:
        documents, faults = _documents(root, task)
        yield from faults
        queries, faults = _queries(root, task)
        yield from faults
        yield from _judgement_faults(root, task, documents, queries)
        yield from _ranking_faults(root, task, documents, queries)
        yield from _repetition_faults(root, task)
        yield from _naming_faults(root, task) if task in RANKED_TASKS else ()
        shown |= documents
        asked |= {query: place for (_, query), place in queries.items()}
    for both in sorted(asked.keys() & shown.keys()):
        yield f"{asked[both]}: the id of a document too, in {shown[both].file}"


def _documents(root: Path, task: str) -> tuple[Known, list[str]]:
    known: Known = {}
    faults: list[str] = []
    for place, row in rows(root, task, "corpus", ("_id", "text")):
        faults += _id_faults(place, "")
        if place.row in known:
            faults.append(f"{place}: stands in {known[place.row].file} already")
        if not row["text"].strip():
            faults.append(f"{place}: blank text")
        known[place.row] = place
    return known, faults


def _queries(root: Path, task: str) -> tuple[dict[tuple[str, str], Place], list[str]]:
    """Places of queries by subset and id."""
    known: dict[tuple[str, str], Place] = {}
    faults: list[str] = []
    for place, row in rows(root, task, "queries", ("_id", "text", "cuis")):
        faults += _id_faults(place, task)
        key = (place.subset, place.row)
        if key in known:
            faults.append(f"{place}: stands in {known[key].file} already")
        if not any(character.isalnum() for character in row["text"]):
            faults.append(f"{place}: text without a letter or digit")
        if not row["cuis"]:
            faults.append(f"{place}: grounded in no concept")
        known[key] = place
    return known, faults


def _judgement_faults(
    root: Path, task: str, documents: Known, queries: dict[tuple[str, str], Place]
) -> Iterator[str]:
    judged: set[tuple[str, str]] = set()
    seen: set[tuple[str, str, str]] = set()
    for place, row in rows(root, task, "qrels", ("query-id", "corpus-id", "score")):
        query, document = (place.subset, place.row), row["corpus-id"]
        yield from _dangling(place, query, [document], documents, queries)
        if row["score"] < 1:
            yield f"{place}: score {row['score']} for {document}, below 1"
        if (*query, document) in seen:
            yield f"{place}: {document} is judged twice"
        judged.add(query)
        seen.add((*query, document))
    for query in sorted(queries.keys() - judged):
        yield f"{queries[query]}: no relevant document"


def _ranking_faults(
    root: Path, task: str, documents: Known, queries: dict[tuple[str, str], Place]
) -> Iterator[str]:
    relevant: dict[tuple[str, str], set[str]] = {}
    for place, row in rows(root, task, "qrels", ("query-id", "corpus-id")):
        relevant.setdefault((place.subset, place.row), set()).add(row["corpus-id"])
    ranked: set[tuple[str, str]] = set()
    for place, row in rows(root, task, "top_ranked", ("query-id", "corpus-ids")):
        query, candidates = (place.subset, place.row), row["corpus-ids"]
        ranked.add(query)
        yield from _dangling(place, query, candidates, documents, queries)
        if len(set(candidates)) != len(candidates):
            yield f"{place}: a candidate stands twice"
        if not relevant.get(query, set()) & set(candidates):
            yield f"{place}: the gold is not among the candidates"
    for query in sorted(queries.keys() - ranked) if task in RANKED_TASKS or ranked else ():
        yield f"{queries[query]}: no candidates to rank"


def _naming_faults(root: Path, task: str) -> Iterator[str]:
    """Queries that are a name shown for them: of the gold it answers, of another it misleads."""
    names = {place.row: plain(row["text"]) for place, row in rows(root, task, "corpus", _TEXTS)}
    shown: dict[tuple[str, str], list[str]] = {}
    for place, row in rows(root, task, "top_ranked", ("query-id", "corpus-ids")):
        shown[place.subset, place.row] = row["corpus-ids"]
    for place, row in rows(root, task, "queries", _TEXTS):
        asked = plain(row["text"])
        for document in shown.get((place.subset, place.row), ()):
            if asked and asked == names.get(document):
                yield f"{place}: is the name under which {document} is shown for it"


def _repetition_faults(root: Path, task: str) -> Iterator[str]:
    """Queries of one subset with the same text: each would find the other's answer wrong."""
    first: dict[tuple[str, str], Place] = {}
    for place, row in rows(root, task, "queries", _TEXTS):
        before = first.setdefault((place.subset, plain(row["text"])), place)
        if before is not place:
            yield f"{place}: asks the same as {before.row} of its subset"


def _dangling(
    place: Place,
    query: tuple[str, str],
    candidates: Iterable[str],
    documents: Known,
    queries: dict[tuple[str, str], Place],
) -> Iterator[str]:
    if query not in queries:
        yield f"{place}: no such query in the subset"
    for document in candidates:
        if document not in documents:
            yield f"{place}: document {document} is not in the corpus"


def _id_faults(place: Place, prefix: str) -> Iterator[str]:
    if not ID.fullmatch(place.row):
        yield f"{place}: the id has characters beyond A-Z a-z 0-9 . _ -"
    if not place.row.startswith(prefix):
        yield f"{place}: the id does not begin with {prefix}"
