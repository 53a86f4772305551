"""PubMed and MEDLINE citations in XML, of a search or of the yearly and daily files."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.checksums import check_sum, with_sums
from pipeline.evidence.markup import Element, children, text_of
from pipeline.evidence.merge import in_corpora_of
from pipeline.evidence.units import choose, numbered, passage_id, paths, place, stem
from pipeline.evidence.wording import sections
from pipeline.records import Passage, Reject

_ROOTS = ("PubmedArticleSet", "MedlineCitationSet")
_CITATIONS = ("PubmedArticle", "MedlineCitation")
_BOOKS = ("PubmedBookArticle",)
_DELETIONS = ("DeleteCitation", "DeleteDocument")
# https://www.nlm.nih.gov/mesh/pubtypes.html: publication types of what is not to be relied on,
# the notices included; MeSH 2024 and before said "Retraction of Publication".
_WITHDRAWN_TYPES = frozenset(
    {
        "Retracted Publication",
        "Retraction of Publication",
        "Retraction Notice",
        "Expression of Concern",
    }
)
# The same in an article's links to its notices, which may come before its type is changed.
_WITHDRAWN_LINKS = frozenset(
    {"RetractionIn", "PartialRetractionIn", "ExpressionOfConcernIn", "RetractedandRepublishedIn"}
)
_TRANSLATED = re.compile(r"\s*\(author's transl\)", re.IGNORECASE)
_NO_TITLE = "not available"
_SUPERSEDED = "superseded"


@dataclass(frozen=True)
class PubMed(Reader):
    """Each English abstract is a passage; what is retracted or in doubt is rejected.

    Headings are the unique ids of MeSH descriptors, with those that the article is mainly about
    marked as such. A file is checked against the .md5 beside it. Abstracts may be under
    publishers' copyright. A deletion is a ``Reject`` under the passage's id, as is all else that
    is left out, so that ``settle`` can decide on citations that stand in several files.
    """

    revised: ClassVar[bool] = True

    licence: str = "LicenseRef-PubMed"

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """One unit for each file, with its .md5 if that lies beside it, in NLM's order.

        That is the order of names, wherever the files lie: daily files are numbered on from the
        yearly ones.
        """
        chosen = sorted(choose("pubmed", listing, ".xml"), key=lambda path: (numbered(path), path))
        return with_sums(chosen, listing)

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Citations by PMID, the latest version of each, once the whole file has been read.

        A file is in memory as records, not as XML: about 60 MB for 30,000 citations.
        """
        path, *sums = paths(unit)
        for beside in sums:
            check_sum(path, beside, open_file)
        held = _Held()
        for element in children(path, open_file, _ROOTS, _CITATIONS + _BOOKS + _DELETIONS):
            if element.tag in _DELETIONS:
                held.deleted.extend(_pmid(node, path)[0] for node in element.iter("PMID"))
            else:
                pmid, version = _pmid(next(element.iter("PMID"), element), path)
                held.add(pmid, version, self._judge(element, pmid, path))
        yield from held.settled()

    def _judge(self, element: Element, pmid: str, unit: str) -> Passage | Reject:
        key = passage_id("pubmed", pmid)
        if element.tag in _BOOKS:
            return reject(key, "book")
        citation = element if element.tag == "MedlineCitation" else element.find("MedlineCitation")
        article = citation.find("Article")
        if article is None:
            raise EvidenceError(f"{unit}:{citation.sourceline}: PMID {pmid} holds no Article")
        languages = [language.text for language in article.findall("Language")]
        if _withdrawn(citation):
            return reject(key, "retracted")
        if "eng" not in languages:
            return reject(key, "not_english", " ".join(filter(None, languages)))
        text, starts = _abstract(article, unit)
        if not text:
            return reject(key, "no_abstract")
        url = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
        title, (headings, major) = _title(article, unit), _headings(citation)
        about = ((), headings, "pubmed", self.licence, url)
        return Passage(key, title, text, *about, major=major, sections=starts)


class _Held:
    """The citations of one file until its end is reached."""

    def __init__(self) -> None:
        self.latest: dict[str, tuple[int, Passage | Reject]] = {}
        self.superseded: list[Reject] = []
        self.deleted: list[str] = []

    def add(self, pmid: str, version: int, found: Passage | Reject) -> None:
        """Keep the higher version; of equal ones the later, since NLM appends revisions."""
        other, kept = self.latest.get(pmid, (version, None))
        if kept is not None:
            older = min(version, other)
            self.superseded.append(reject(f"pubmed-{pmid}.{older}", _SUPERSEDED))
        if version >= other:
            self.latest[pmid] = (version, found)

    def settled(self) -> Iterator[Evidence]:
        """Everything by PMID; deletions come after all citations, whatever their place."""
        for pmid in self.deleted:
            self.latest[pmid] = (0, reject(passage_id("pubmed", pmid), "deleted"))
        for pmid in sorted(self.latest, key=int):
            yield self.latest[pmid][1]
        yield from sorted(self.superseded, key=lambda lost: lost.key)


def latest(found: Iterable[tuple[str, Passage | Reject]]) -> Passage | Reject:
    """What the last file says of one citation, given (unit, record) of all that hold its id.

    Files are ordered by name: NLM numbers the daily files on from the yearly ones. A deletion
    in a later file thus wins over a passage, and a revision over a deletion.
    """
    return max(found, key=lambda pair: numbered(_file(pair[0])))[1]


def settle(found: Iterable[tuple[str, Passage | Reject]]) -> Iterator[Passage | Reject]:
    """What is left of one id, given (unit, record) of all that hold it: what the last file says.

    It serves the tasks of all; everything older is rejected as superseded, under the name of its
    file. What a single file holds is settled already; read for two tasks, it is there once.
    """
    ordered = sorted(found, key=lambda pair: (place(_file(pair[0])), repr(pair[1])))
    last = latest(ordered)
    last_unit = next(unit for unit, record in ordered if record is last)
    passages = [record for _, record in ordered if isinstance(record, Passage)]
    kept: set[str] = set()
    for unit, record in ordered:
        if unit != last_unit:
            key = record.passage_id if isinstance(record, Passage) else record.key
            yield reject(key, _SUPERSEDED, stem(_file(unit)))
        elif isinstance(record, Reject):
            yield record
        elif record.passage_id in kept:
            yield reject(record.passage_id, "repeated_id", stem(_file(unit)))
        else:
            kept.add(record.passage_id)
            yield in_corpora_of(record, passages)


def _file(unit: str) -> str:
    return paths(unit)[0]


def _pmid(node: Element, unit: str) -> tuple[str, int]:
    """A PMID and its version, which is 1 unless the citation says otherwise."""
    text, version = (node.text or "").strip(), node.get("Version", "1")
    if not (text.isascii() and text.isdigit() and version.isascii() and version.isdigit()):
        raise EvidenceError(
            f"{unit}:{node.sourceline}: PMID {text!r}, version {version!r}: expected digits; "
            "download the file again"
        )
    return text, int(version)


def _withdrawn(citation: Element) -> bool:
    types = {(kind.text or "").strip() for kind in citation.iter("PublicationType")}
    links = {link.get("RefType", "") for link in citation.iter("CommentsCorrections")}
    return bool(types & _WITHDRAWN_TYPES or links & _WITHDRAWN_LINKS)


def _abstract(article: Element, unit: str) -> tuple[str, tuple[int, ...]]:
    """The article's own abstract; OtherAbstract, which stands outside Article, is none."""
    parts = article.findall("Abstract/AbstractText")
    return sections([(part.get("Label", ""), text_of(part, unit)) for part in parts])


def _title(article: Element, unit: str) -> str:
    """The title; a title translated by NLM loses the brackets that mark it as such."""
    title = text_of(article.find("ArticleTitle"), unit)
    inner = title.rstrip(".").removeprefix("[").removesuffix("]")
    if inner.rstrip(".").casefold() == _NO_TITLE:
        return ""
    if article.find("VernacularTitle") is None or not _bracketed(title.rstrip(".")):
        return title
    return _TRANSLATED.sub("", inner) + title[len(title.rstrip(".")) :]


def _bracketed(title: str) -> bool:
    """Whether one pair of brackets holds the whole title: not so in "[A] and [B]"."""
    depth = 0
    for position, character in enumerate(title):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return position == len(title) - 1 and title.startswith("[")
    return False


def _headings(citation: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The unique ids of all descriptors, and of the major ones among them.

    A descriptor is major by its own mark or by that of one of its qualifiers.
    """
    found: dict[str, bool] = {}
    for heading in citation.iterfind("MeshHeadingList/MeshHeading"):
        if unique_id := heading.find("DescriptorName").get("UI"):
            major = any(part.get("MajorTopicYN") == "Y" for part in heading)
            found[unique_id] = major or found.get(unique_id, False)
    return tuple(sorted(found)), tuple(sorted(one for one in found if found[one]))
