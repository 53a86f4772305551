import io
from collections import Counter
from collections.abc import Callable, Mapping
from typing import BinaryIO

import pytest

from pipeline.evidence import READERS, EvidenceError
from pipeline.evidence.describing import Seen, look
from pipeline.evidence.guessing import guess_reader


def citation(pmid: int, text: str = "Some text.", language: str = "eng", mesh: str = "") -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>T."
        f"</ArticleTitle><Abstract><AbstractText>{text}</AbstractText></Abstract>"
        f"<Language>{language}</Language></Article>{mesh}</MedlineCitation></PubmedArticle>"
    )


def whole(*content: str) -> str:
    return f"<PubmedArticleSet>{''.join(content)}</PubmedArticleSet>"


MESH = (
    '<MeshHeadingList><MeshHeading><DescriptorName UI="D1" MajorTopicYN="Y">d</DescriptorName>'
    "</MeshHeading></MeshHeadingList>"
)
DELETED = "<DeleteCitation><PMID>2</PMID></DeleteCitation>"
FILES = {
    "p/pubmed25n0001.xml": whole(
        citation(1), citation(2), citation(3, mesh=MESH), citation(4, language="ger")
    ),
    "p/pubmed25n0002.xml": whole(citation(1, "New text."), citation(5, ""), DELETED),
    "b/13b.json": (
        '{"questions": [{"id": "q", "body": "Why?", "snippets": [{'
        '"document": "http://www.ncbi.nlm.nih.gov/pubmed/1", "beginSection": "abstract", '
        '"endSection": "abstract", "offsetInBeginSection": 0, "offsetInEndSection": 4}], '
        '"documents": ["http://www.ncbi.nlm.nih.gov/pubmed/1", "https://pubmed.ncbi.nlm.nih.gov/2"]'
        "}]}"
    ),
    "j/a.jsonl": '{"_id": "1", "text": "A."}\n{"_id": "1", "text": "B."}\n',
    "q/1/x.json": '{"7": {"QUESTION": "Why?", "CONTEXTS": ["A."], "LABELS": ["L"]}}',
    "q/2/x.json": '{"7": {"QUESTION": "How?", "CONTEXTS": ["A."], "LABELS": ["L"]}}',
}


def opener(files: Mapping[str, str]) -> Callable[[str], BinaryIO]:
    def open_file(path: str) -> BinaryIO:
        return io.BytesIO(files[path].encode())

    return open_file


def seen(*readers: str) -> Seen:
    folder = {"pubmed": "p/", "bioasq": "b/", "beir": "j/", "pubmedqa": "q/"}
    sources = []
    for name in readers:
        reader = READERS[name]()
        listing = sorted(path for path in FILES if path.startswith(folder[name]))
        sources.append((reader, reader.units(listing)))
    return look(sources, opener(FILES))


def test_what_later_files_revise_is_counted_once() -> None:
    found = seen("pubmed")
    assert (found.units, found.records) == (2, 7)
    assert found.kept == {
        "passages": 2,
        "passages with a title": 2,
        "passages with headings": 1,
        "passages with a major heading": 1,
    }
    assert found.left_out == {"superseded": 2, "deleted": 1, "no_abstract": 1, "not_english": 1}
    assert found.details == {
        "superseded": Counter({"pubmed25n0002": 2}),
        "not_english": Counter({"ger": 1}),
    }
    assert found.records == found.kept["passages"] + found.left_out.total()


def test_judgements_are_looked_up_in_all_that_is_named() -> None:
    judged = {"judgements of grade 1": 2, "questions": 1, "questions in en": 1}
    alone, together = seen("bioasq").kept, seen("bioasq", "pubmed").kept
    assert alone == judged | {
        "questions with places in a passage": 1,
        "judgements of passages that are missing": 2,
    }
    assert together["judgements of passages that are there"] == 1
    assert together["judgements of passages that are missing"] == 1


def test_repeated_ids_are_counted_in_one_file_and_in_several() -> None:
    assert seen("beir").left_out == {"repeated_id": 1}
    found = seen("pubmedqa")
    assert (found.kept["passages"], found.kept["questions"]) == (1, 2)
    assert (found.left_out, found.details) == ({"repeated_id": 1}, {"repeated_id": {"x": 1}})


MEDQUAD = '<?xml version="1.0"?>\n<Document id="1" source="S" url="u"><Focus>X</Focus></Document>'
BEIR = '{"id": 7, "text": "A."}'
MMEDBENCH = '{"question": "?", "options": {"A": "x"}, "rationale": "A."}'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"p/a.xml": f"<!DOCTYPE PubmedArticleSet>\n{whole()}"}, "pubmed"),
        ({"m/1.xml": MEDQUAD, "m/2.xml": "never looked at", "m/readme.txt": ""}, "medquad"),
        ({"m/1.xml": MEDQUAD.replace("Document", "DiseaseFile").replace(" id", " fid")}, "medquad"),
        ({"m/1.xml": '<doc corpus="S" docid="1">'}, "medquad"),
        ({"b.json": FILES["b/13b.json"]}, "bioasq"),
        ({"q.json": FILES["q/1/x.json"]}, "pubmedqa"),
        ({"j/corpus.jsonl": BEIR, "j/queries.jsonl": "", "j/qrels/test.tsv": ""}, "beir"),
        ({"e/German.jsonl": MMEDBENCH}, "mmedbench"),
    ],
)
def test_the_reader_is_told_from_the_content(files: dict[str, str], expected: str) -> None:
    assert guess_reader(sorted(files), opener(files)) == expected


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no file that a reader would know; name one of beir, bioasq"),
        ({"a/x.xml": "<html/>", "a/.b.json": FILES["b/13b.json"]}, "no file that a reader"),
        (
            {"a/x.json": FILES["b/13b.json"], "b/1.jsonl": BEIR},
            "b/1.jsonl is for beir and a/x.json is for bioasq; name one reader",
        ),
        ({"a/x.json.gz": "{}"}, "a/x.json.gz: not gzip data"),
    ],
)
def test_content_that_tells_no_reader_or_two(files: dict[str, str], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        guess_reader(sorted(files), opener(files))
