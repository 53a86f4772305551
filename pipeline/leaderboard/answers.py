"""What each system put first for each query: columns of codes, every text and document once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.leaderboard.figures import TaskBoard
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import (
    ENGLISH,
    Release,
    Subset,
    open_release,
    read_corpus,
    read_judgements,
    read_queries,
)
from pipeline.scorer.runs import Run, read_run
from pipeline.scorer.score import Results, SubsetScores

NONE = -1  # no document, or no value
TEXT = 240  # characters of a document, at most
STEPS = 1000  # values are whole numbers of these

Codes = NDArray[np.int64]


@dataclass(slots=True)
class Documents:
    """Documents of a task that a query or a system names; the code is the place in `ids`."""

    codes: dict[str, int] = field(default_factory=dict)

    def code(self, document: str) -> int:
        """The document's code, a new one for a new document."""
        return self.codes.setdefault(document, len(self.codes))


@dataclass(slots=True)
class Family:
    """Queries that are the same in several languages: a task, of concepts a tier of it.

    ``gold`` has the relevant documents of each query, from all languages; ``firsts`` and ``values``
    have a list a run by language, NONE where there is no answer.
    """

    task: str
    tier: str
    measure: str
    ids: list[str]
    texts: dict[str, list[str | None]] = field(default_factory=dict)
    gold: list[list[int]] = field(default_factory=list)
    firsts: dict[str, list[list[int]]] = field(default_factory=dict)
    values: dict[str, list[list[int]]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """For example ``qa`` or ``concepts-hard``."""
        return "-".join(part for part in (self.task, self.tier) if part)


@dataclass(slots=True)
class Answers:
    """Everything that the page lets one look through."""

    runs: list[str]
    families: list[Family]
    documents: dict[str, dict[str, list[str]]]  # by task: ids, titles, texts

    def as_json(self) -> dict[str, Any]:
        """For the page's script."""
        return {
            "runs": self.runs,
            "steps": STEPS,
            "families": [
                {
                    "name": one.name,
                    "task": one.task,
                    "measure": one.measure,
                    "ids": one.ids,
                    "texts": one.texts,
                    "gold": one.gold,
                    "firsts": one.firsts,
                    "values": one.values,
                }
                for one in self.families
            ],
            "documents": self.documents,
        }


def collect_answers(
    root: Path, runs: Sequence[Path], results: Results, tasks: Sequence[TaskBoard]
) -> Answers:
    """Read queries, judgements and each run's first documents; `runs` as the results name them."""
    release = open_release(root)
    measures = {task.task: task.measure for task in tasks}
    documents = {task: Documents() for task in measures}
    families = []
    for (task, tier), subsets in _families(release, measures):
        family = _family(release, task, tier, measures[task], subsets, documents[task])
        families.append(family)
    _add_answers(families, runs, results, documents)
    texts = {task: _texts(release, task, own) for task, own in documents.items()}
    return Answers([run.name for run in results.runs], families, texts)


def first_documents(ranking: Ranking) -> dict[str, str]:
    """Query → the document with the highest score; of equal ones the last by id, as trec_eval."""
    best = np.full(len(ranking.queries), -np.inf)
    np.maximum.at(best, ranking.query_codes, ranking.scores)
    rows = ranking.scores == best[ranking.query_codes]
    first = np.full(len(ranking.queries), NONE)
    np.maximum.at(first, ranking.query_codes[rows], ranking.document_codes[rows])
    return {
        query: ranking.documents[code]
        for query, code in zip(ranking.queries, first.tolist(), strict=True)
        if code != NONE
    }


def _families(
    release: Release, tasks: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], list[Subset]]]:
    groups: dict[tuple[str, str], list[Subset]] = {}
    for subset in release.subsets:
        if subset.task in tasks:
            groups.setdefault((subset.task, subset.tier), []).append(subset)
    for key, subsets in groups.items():
        yield key, sorted(subsets, key=lambda one: (one.language != ENGLISH, one.language))


def _family(  # noqa: PLR0913, PLR0917 - what makes one family
    release: Release,
    task: str,
    tier: str,
    measure: str,
    subsets: Sequence[Subset],
    documents: Documents,
) -> Family:
    texts = {subset.language: dict(read_queries(release, subset)) for subset in subsets}
    gold: dict[str, set[str]] = {}
    for subset in subsets:
        judged = read_judgements(release, subset)
        rows = zip(judged.query_codes, judged.document_codes, judged.grades, strict=True)
        for query, document, grade in rows:
            if grade > 0:
                gold.setdefault(judged.queries[query], set()).add(judged.documents[document])
    ids = sorted({query for own in texts.values() for query in own})
    family = Family(task, tier, measure, ids)
    family.texts = {language: [own.get(one) for one in ids] for language, own in texts.items()}
    family.gold = [[documents.code(one) for one in sorted(gold.get(query, ()))] for query in ids]
    return family


def _add_answers(
    families: Sequence[Family],
    runs: Sequence[Path],
    results: Results,
    documents: Mapping[str, Documents],
) -> None:
    for scored, path in zip(results.runs, runs, strict=True):
        parts = {part.subset.name: part for part in scored.subsets}
        firsts = {
            name: first_documents(ranking)
            for name, ranking in read_run(Run(scored.name, path))
            if name in parts
        }
        for family in families:
            _add_run(family, firsts, parts, documents[family.task])


def _add_run(
    family: Family,
    firsts: Mapping[str, Mapping[str, str]],
    parts: Mapping[str, SubsetScores],
    documents: Documents,
) -> None:
    for language in family.texts:
        name = f"{family.name}-{language}"
        own, worth = firsts.get(name, {}), _worth(parts.get(name), family.measure)
        family.firsts.setdefault(language, []).append(
            [documents.code(own[query]) if query in own else NONE for query in family.ids]
        )
        family.values.setdefault(language, []).append(
            [round(worth[query] * STEPS) if query in worth else NONE for query in family.ids]
        )


def _worth(part: SubsetScores | None, measure: str) -> dict[str, float]:
    """Query → value; nothing of a subset that was not answered."""
    if part is None:
        return {}
    return dict(zip(part.judgements.queries, part.values[measure].tolist(), strict=True))


def _texts(release: Release, task: str, documents: Documents) -> dict[str, list[str]]:
    """The documents by their codes; what a run names that the corpus has not is its id alone."""
    wanted = documents.codes
    found = {one.document_id: one for one in read_corpus(release, task)
             if one.document_id in wanted}  # fmt: skip
    titles = [found[one].title if one in found else "" for one in wanted]
    texts = [_cut(found[one].text) if one in found else "" for one in wanted]
    return {"ids": list(wanted), "titles": titles, "texts": texts}


def _cut(text: str) -> str:
    return text if len(text) <= TEXT else text[: TEXT - 1].rstrip() + "…"
