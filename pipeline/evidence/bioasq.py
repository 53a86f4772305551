"""BioASQ task b: experts' questions, with the PubMed articles that answer them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.cutting import Span
from pipeline.evidence.files import Json, json_document, text_at, texts_at
from pipeline.evidence.units import choose, passage_id, source_id
from pipeline.evidence.wording import collapse
from pipeline.records import Question, Relevance

_DOCUMENT = re.compile(
    r"https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov)/([0-9]+)/?"
)
# Concepts of MeSH are links that name a unique id; those of other vocabularies are not used.
_HEADING = re.compile(r"[?&](?:term|ui)=([DC][0-9]{6,9})(?:&|$)")

_TITLE: Span = (0, 0)


@dataclass(frozen=True)
class BioAsq(Reader):
    """Questions only: the passages are ``pubmed-…``, read from PubMed files of the same PMIDs.

    Of abstracts that are cut into parts those are relevant that hold a snippet, by its offsets.
    Answers are not used. BioASQ may be used after registration and not passed on.
    """

    licence: str = "LicenseRef-BioASQ"

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """One unit for each JSON file."""
        return choose("bioasq", listing, ".json")

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Questions in order of id, once the whole file has been read."""
        records = json_document(unit, open_file, "questions")["questions"]
        if not isinstance(records, list) or not records:
            raise EvidenceError(f"{unit}: 'questions' is no list with entries; download it again")
        by_id = _by_id(records, unit)
        yield from [found for key in sorted(by_id) for found in self._record(by_id[key], key, unit)]

    def _record(self, record: Json, identifier: str, unit: str) -> Iterator[Evidence]:
        where, key = f"{unit}: question {identifier}", source_id("bioasq", unit, identifier)
        asked = collapse(text_at(record, "body", where))
        pmids: set[str] = set()
        for url in sorted(set(texts_at(record, "documents", where))):
            if pmid := _pmid(url):
                pmids.add(pmid)
            else:
                yield reject(key, "malformed_url", url)
        if not asked or not pmids:
            yield reject(key, "no_relevant_passage" if asked else "no_question")
            return
        links = " ".join(texts_at(record, "concepts", where)).split()
        headings = {match[1] for link in links if (match := _HEADING.search(link))}
        spans: dict[str, set[Span]] = {}
        for snippet in _snippets(record, where):
            pmid, span = _place(snippet)
            if span is None or pmid not in pmids:
                yield reject(
                    key, "malformed_snippet" if span is None else "snippet_elsewhere", pmid
                )
            elif span != _TITLE:
                spans.setdefault(pmid, set()).add(span)
        relevant = tuple(
            Relevance(passage_id("pubmed", pmid), 1, spans=tuple(sorted(spans.get(pmid, ()))))
            for pmid in sorted(pmids)
        )
        yield Question(
            key, asked, "en", (), tuple(sorted(headings)), relevant, "bioasq", self.licence
        )


def _pmid(url: str) -> str:
    match = _DOCUMENT.fullmatch(url.strip())
    return match[1] if match else ""


def _snippets(record: Json, where: str) -> list[Json]:
    found = record.get("snippets") or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise EvidenceError(f"{where}: 'snippets' holds no objects, expected a list of objects")
    return found


def _place(snippet: Json) -> tuple[str, Span | None]:
    """The PMID of a snippet's article and its place in the abstract; no place where it has none."""
    pmid = _pmid(str(snippet.get("document", "")))
    if snippet.get("beginSection") == snippet.get("endSection") == "title":
        return pmid, _TITLE
    offsets = snippet.get("offsetInBeginSection"), snippet.get("offsetInEndSection")
    start, end = (one if type(one) is int else -1 for one in offsets)
    told = pmid and snippet.get("beginSection") == snippet.get("endSection") == "abstract"
    return pmid, (start, end) if told and 0 <= start < end else None


def _by_id(records: list[object], unit: str) -> dict[str, Json]:
    by_id: dict[str, Json] = {}
    for position, record in enumerate(records, 1):
        where = f"{unit}: question {position} of {len(records)}"
        identifier = text_at(record, "id", where).strip() if isinstance(record, dict) else ""
        if not isinstance(record, dict) or not identifier or identifier in by_id:
            raise EvidenceError(
                f"{where}: the id {identifier!r} is empty or repeated; "
                "expected objects with an id of their own"
            )
        by_id[identifier] = record
    return by_id
