"""BEIR's folders: corpus.jsonl, queries.jsonl and qrels/*.tsv, or any corpus in JSONL alone."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.files import Json, text_at
from pipeline.evidence.jsonl import distinct_rows, metadata_of
from pipeline.evidence.qrels import read_qrels
from pipeline.evidence.units import (
    bundle,
    choose,
    folder,
    named,
    passage_id,
    paths,
    refuse_namesakes,
    stem,
)
from pipeline.evidence.wording import collapse
from pipeline.records import LANGUAGES, Passage, Question, Reject, Relevance

_CORPUS = "corpus"
_QUERIES = "queries"


@dataclass(frozen=True)
class Beir(Reader):
    """Passages of any BEIR dataset or JSONL corpus; questions where there are queries.

    A dataset is called after its folder, a lone JSONL file after itself. ``metadata`` may hold
    ``cuis``, ``mesh``, ``source``, ``url`` and ``licence``; the first two may also stand beside
    the text. ``splits`` names the qrels to use (all without it), ``language`` is that of the
    queries. Documents without text and judgements below 1 are rejected.
    """

    licence: str = "LicenseRef-unknown"
    language: str = "en"
    splits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise when the language is none of ours."""
        if self.language not in LANGUAGES:
            raise EvidenceError(f"language {self.language!r}, expected one of {[*LANGUAGES]}")

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """Corpora in order of path, then queries, each bundled with its qrels."""
        corpora = tuple(path for path in named(listing, ".jsonl") if stem(path) == _CORPUS)
        if not corpora:
            return self._lone_corpora(listing)
        refuse_namesakes("beir", corpora)
        queries = tuple(path for path in named(listing, ".jsonl") if stem(path) == _QUERIES)
        refuse_namesakes("beir", queries)
        return corpora + tuple(self._with_qrels(path, listing, corpora) for path in queries)

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Passages in the file's order with repeated ids last; questions in order of id.

        A corpus is read twice, so that damage and repeated ids are known before the first
        passage; memory holds its ids, and the passages whose id is repeated.
        """
        path, *qrels = paths(unit)
        if qrels:
            return self._questions(path, qrels, open_file)
        return self._passages(path, open_file)

    def _lone_corpora(self, listing: Sequence[str]) -> tuple[str, ...]:
        chosen = choose("beir", listing, ".jsonl")
        seen: dict[str, str] = {}
        for path in chosen:
            if stem(path) == _QUERIES:
                raise EvidenceError(f"{path}: queries without a corpus.jsonl beside them; add it")
            if (other := seen.setdefault(stem(path), path)) != path:
                raise EvidenceError(f"beir: {other} and {path} would give the same ids; rename one")
        return chosen

    def _with_qrels(self, path: str, listing: Sequence[str], corpora: Iterable[str]) -> str:
        home = posixpath.dirname(path)
        if home not in {posixpath.dirname(corpus) for corpus in corpora}:
            raise EvidenceError(f"{path}: queries without a corpus.jsonl beside them; add it")
        beside = posixpath.join(home, "qrels", "")
        found = [tsv for tsv in named(listing, ".tsv") if tsv.startswith(beside)]
        known = sorted({stem(tsv) for tsv in found})
        missing = sorted(set(self.splits) - set(known))
        if not found or missing:
            raise EvidenceError(
                f"{path}: no {beside}{missing[0] if missing else '*'}.tsv; "
                f"add it or name splits among {known}"
            )
        return bundle(
            [path, *(tsv for tsv in found if not self.splits or stem(tsv) in self.splits)]
        )

    def _passages(self, path: str, open_file: OpenFile) -> Iterator[Evidence]:
        for identifier, record, where in distinct_rows(path, open_file):
            found = passage_id("beir", _dataset(path), identifier)
            if record is None:
                yield reject(found, "repeated_id")
                continue
            text = collapse(text_at(record, "text", where))
            if not text:
                yield reject(found, "no_text")
                continue
            about = metadata_of(record, where)
            yield Passage(
                passage_id=found,
                title=collapse(text_at(record, "title", where)),
                text=text,
                cuis=about.cuis,
                headings=about.headings,
                source=about.source or f"beir/{_dataset(path)}",
                licence=about.licence or self.licence,
                url=about.url,
            )

    def _questions(
        self, path: str, qrels: Sequence[str], open_file: OpenFile
    ) -> Iterator[Evidence]:
        judged = read_qrels(qrels, open_file)
        rows = sorted(distinct_rows(path, open_file), key=lambda row: (row[0], row[1] is None))
        found = [self._question(path, row, judged.get(row[0], {})) for row in rows]
        known = {identifier for identifier, _, _ in rows}
        yield from (record for records in found for record in records)
        for identifier in sorted(judged.keys() - known):
            yield from _dangling(path, identifier, judged[identifier])

    def _question(
        self, path: str, row: tuple[str, Json | None, str], grades: dict[str, int]
    ) -> list[Evidence]:
        identifier, record, where = row
        key = _source_id(path, identifier)
        if record is None:
            return [reject(key, "repeated_id")]
        ids = {name: passage_id("beir", _dataset(path), name) for name in sorted(grades)}
        refused: list[Evidence] = [
            reject(key, "not_relevant", ids[name]) for name in ids if grades[name] < 1
        ]
        asked = collapse(text_at(record, "text", where))
        relevant = [Relevance(ids[name], grades[name]) for name in ids if grades[name] >= 1]
        if not asked or not relevant:
            return [*refused, reject(key, "no_relevant_passage" if asked else "no_question")]
        about = metadata_of(record, where)
        source, licence = about.source or f"beir/{_dataset(path)}", about.licence or self.licence
        posed = (key, asked, self.language, about.cuis, about.headings, tuple(relevant))
        return [*refused, Question(*posed, source, licence)]


def _dangling(path: str, identifier: str, grades: dict[str, int]) -> Iterator[Reject]:
    for name in sorted(grades):
        key, found = _source_id(path, identifier), passage_id("beir", _dataset(path), name)
        yield reject(key, "dangling_qrels", found)


def _dataset(path: str) -> str:
    return folder(path) if stem(path) in {_CORPUS, _QUERIES} else stem(path)


def _source_id(path: str, identifier: str) -> str:
    return f"beir:{_dataset(path)}:{identifier}"
