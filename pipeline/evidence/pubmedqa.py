"""PubMedQA: research questions that an abstract answers, one JSON object keyed by PMID."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.files import Json, json_document, text_at, texts_at
from pipeline.evidence.units import choose, passage_id, source_id
from pipeline.evidence.wording import collapse, sections
from pipeline.records import Passage, Question, Relevance


@dataclass(frozen=True)
class PubMedQa(Reader):
    """Each abstract, without its conclusion, is a passage; its question asks for it.

    The passage has no title, since the article's title is the question. Headings are names of
    MeSH descriptors. Yes, no and maybe are not used.
    """

    licence: str = "MIT AND LicenseRef-PubMed"

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """One unit for each JSON file."""
        return choose("pubmedqa", listing, ".json")

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Passages and questions in order of PMID, once the whole file has been read."""
        records = json_document(unit, open_file)
        if not records:
            raise EvidenceError(f"{unit}: the file holds no question; download it again")
        yield from [
            found for pmid in sorted(records) for found in self._record(records, pmid, unit)
        ]

    def _record(self, records: Json, pmid: str, unit: str) -> Iterator[Evidence]:
        where, record = f"{unit}: PMID {pmid}", records[pmid]
        if not (pmid.isascii() and pmid.isdigit()) or not isinstance(record, dict):
            raise EvidenceError(f"{where}: expected PMIDs that hold objects; is this PubMedQA?")
        key = source_id("pubmedqa", unit, pmid)
        asked = collapse(text_at(record, "QUESTION", where))
        text, starts = _abstract(record, where)
        if not asked or not text:
            yield reject(key, "no_answer" if asked else "no_question")
            return
        headings = tuple(sorted(set(texts_at(record, "MESHES", where)) - {""}))
        found, url = passage_id("pubmedqa", pmid), f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
        about = ((), headings, "pubmedqa", self.licence, url)
        yield Passage(found, "", text, *about, sections=starts)
        relevant = (Relevance(found, 1),)
        yield Question(key, asked, "en", (), headings, relevant, "pubmedqa", self.licence)


def _abstract(record: Json, where: str) -> tuple[str, tuple[int, ...]]:
    """Sections with their labels; without labels the sections alone."""
    texts = texts_at(record, "CONTEXTS", where)
    labels = texts_at(record, "LABELS", where) or [""] * len(texts)
    if len(labels) != len(texts):
        raise EvidenceError(f"{where}: {len(texts)} CONTEXTS, {len(labels)} LABELS")
    return sections(zip(labels, texts, strict=True)) if any(map(str.strip, texts)) else ("", ())
