"""MedQuAD: questions and answers from NIH websites, one XML file for each document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.markup import Element, document, text_of
from pipeline.evidence.units import choose, folder, passage_id, source_id, stem
from pipeline.evidence.wording import cuis_of
from pipeline.records import Passage, Question, Relevance

# Document, of nearly all files; DiseaseFile, of one CDC file; doc, of four NINDS files.
_ROOTS = ("Document", "DiseaseFile", "doc")


@dataclass(frozen=True)
class MedQuad(Reader):
    """Each answer is a passage titled with its document's focus; its question asks for it.

    Concepts are the focus's CUIs, which the authors found automatically. Ids are made of
    collection, file and pair, since document and question ids repeat. Pairs whose answer was
    removed for copyright are rejected.
    """

    licence: str = "CC-BY-4.0"

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """One unit for each XML file."""
        return choose("medquad", listing, ".xml")

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Passages and questions in the document's order, once all of it has been read."""
        yield from list(self._document(unit, open_file))

    def _document(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        root = document(unit, open_file)
        if root.tag not in _ROOTS:
            raise EvidenceError(
                f"{unit}:{root.sourceline}: the root is {root.tag}, "
                f"expected {', '.join(_ROOTS)}; is this a file of MedQuAD?"
            )
        pairs = list(root.iter("QAPair", "pair"))
        if not pairs:
            yield reject(source_id("medquad", unit, ""), "no_question")
        focus = _Focus.of(root, unit)
        for pair in _distinct(pairs, unit):
            yield from self._pair(pair, focus, unit)

    def _pair(self, pair: Element, focus: "_Focus", unit: str) -> Iterator[Evidence]:
        pid = pair.get("pid").strip()
        key = source_id("medquad", unit, pid)
        asked = _text(pair, unit, "Question", "question")
        answer = _text(pair, unit, "Answer", "answer")
        if not asked or not answer:
            yield reject(key, "no_answer" if asked else "no_question")
            return
        found = passage_id("medquad", folder(unit), stem(unit), pid)
        yield Passage(found, focus.name, answer, focus.cuis, (), "medquad", self.licence, focus.url)
        relevant = (Relevance(found, 1),)
        yield Question(key, asked, "en", focus.cuis, (), relevant, "medquad", self.licence)


@dataclass(frozen=True)
class _Focus:
    """What a whole document is about."""

    name: str
    cuis: tuple[str, ...]
    url: str

    @classmethod
    def of(cls, root: Element, unit: str) -> "_Focus":
        """Read from any of the three schemas."""
        name = _text(root, unit, "Focus", "doctitle-focus")
        cuis = cuis_of((text_of(cui, unit) for cui in root.iter("CUI", "cui")), unit)
        return cls(name, cuis, (root.get("url") or "").strip())


def _text(parent: Element, unit: str, *names: str) -> str:
    """The text of the first child that has one of the names."""
    return text_of(next((child for child in parent if child.tag in names), None), unit)


def _distinct(pairs: list[Element], unit: str) -> Iterator[Element]:
    """The pairs, each with a pid that no other has."""
    seen: set[str] = set()
    for pair in pairs:
        pid = (pair.get("pid") or "").strip()
        if not pid or pid in seen:
            raise EvidenceError(
                f"{unit}:{pair.sourceline}: the pid {pid!r} is empty or repeated; "
                "give each pair of a document one of its own"
            )
        seen.add(pid)
        yield pair
