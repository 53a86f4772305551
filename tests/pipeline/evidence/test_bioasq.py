import io
import json
import random

import pytest

from pipeline.evidence import EvidenceError
from pipeline.evidence.bioasq import BioAsq
from pipeline.records import Question, Reject, Relevance

ASKED = {
    "id": "5e1a",
    "type": "factoid",
    "body": "Which gene\n is it?",
    "documents": [
        "http://www.ncbi.nlm.nih.gov/pubmed/22",
        "https://pubmed.ncbi.nlm.nih.gov/11/",
        "http://www.ncbi.nlm.nih.gov/pubmed/22",
    ],
    "concepts": [
        "http://www.nlm.nih.gov/cgi/mesh/2015/MB_cgi?field=uid&exact=Find+Exact+Term&term=D003920",
        "https://meshb.nlm.nih.gov/record/ui?ui=D000818",
        "http://www.disease-ontology.org/api/metadata/DOID:9351",
    ],
}
ABSTRACT = {"beginSection": "abstract", "endSection": "abstract"}
SNIPPET = {
    "document": "http://www.ncbi.nlm.nih.gov/pubmed/22",
    "offsetInBeginSection": 10,
    "offsetInEndSection": 30,
    "text": "some twenty letters.",
} | ABSTRACT


def read(*questions: object) -> list[object]:
    content = json.dumps({"questions": questions}).encode()
    return list(BioAsq().read("b/13b.json", lambda path: io.BytesIO(content)))


def question(identifier: str) -> Question:
    return Question(
        f"bioasq:b/13b:{identifier}",
        "Which gene is it?",
        "en",
        (),
        ("D000818", "D003920"),
        (Relevance("pubmed-11", 1), Relevance("pubmed-22", 1)),
        "bioasq",
        "LicenseRef-BioASQ",
    )


def test_documents_become_passages_of_pubmed() -> None:
    assert read(ASKED) == [question("5e1a")]


@pytest.mark.parametrize(
    ("snippets", "spans"),
    [
        ([SNIPPET], ((10, 30),)),
        ([SNIPPET, SNIPPET | {"offsetInBeginSection": 0}, SNIPPET], ((0, 30), (10, 30))),
        ([SNIPPET | {"beginSection": "title", "endSection": "title"}], ()),
        (None, ()),
    ],
)
def test_snippets_say_where_the_answer_stands(
    snippets: list[dict[str, object]] | None, spans: tuple[tuple[int, int], ...]
) -> None:
    (found,) = read(ASKED | {"snippets": snippets})
    assert isinstance(found, Question)
    assert [one.spans for one in found.relevant] == [(), spans]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"document": "http://www.ncbi.nlm.nih.gov/pubmed/33"}, "snippet_elsewhere"),
        ({"document": "x"}, "malformed_snippet"),
        ({"beginSection": "title"}, "malformed_snippet"),
        ({"offsetInEndSection": 10}, "malformed_snippet"),
        ({"offsetInEndSection": "30"}, "malformed_snippet"),
        ({"offsetInBeginSection": None}, "malformed_snippet"),
        ({"offsetInBeginSection": True}, "malformed_snippet"),
    ],
)
def test_snippets_that_lead_nowhere_are_counted(change: dict[str, object], reason: str) -> None:
    lost, found = read(ASKED | {"snippets": [SNIPPET | change]})
    assert isinstance(lost, Reject)
    assert (lost.key, lost.reason) == ("bioasq:b/13b:5e1a", reason)
    assert found == question("5e1a")


def test_order_of_the_file_does_not_matter() -> None:
    entries = [ASKED | {"id": identifier} for identifier in "dbca"]
    random.Random(1).shuffle(entries)
    assert read(*entries) == [question(identifier) for identifier in "abcd"]


@pytest.mark.parametrize(
    "url",
    [
        "http://www.ncbi.nlm.nih.gov/pmc/articles/PMC11",
        "http://www.ncbi.nlm.nih.gov/pubmed/",
        "http://www.ncbi.nlm.nih.gov/pubmed/12x",
        "22",
        "",
    ],
)
def test_malformed_urls_are_counted(url: str) -> None:
    documents = [*ASKED["documents"], url]
    lost = Reject("evidence", "bioasq:b/13b:5e1a", "malformed_url", url)
    assert read(ASKED | {"documents": documents}) == [lost, question("5e1a")]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"documents": []}, "no_relevant_passage"),
        ({"documents": None}, "no_relevant_passage"),
        ({"body": "  "}, "no_question"),
    ],
)
def test_what_is_left_out_is_counted(change: dict[str, object], reason: str) -> None:
    assert read(ASKED | change) == [Reject("evidence", "bioasq:b/13b:5e1a", reason)]


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ((), "no list with entries"),
        ((ASKED, ASKED), "question 2 of 2: the id '5e1a' is .*repeated"),
        ((ASKED | {"id": ""},), "question 1 of 1"),
        (("text",), "question 1 of 1"),
        ((ASKED | {"documents": "http://x"},), "'documents' holds no strings"),
        ((ASKED | {"snippets": ["text"]},), "'snippets' holds no objects"),
    ],
)
def test_other_files_are_errors(questions: tuple[object, ...], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        read(*questions)


def test_a_file_without_questions_is_an_error() -> None:
    with pytest.raises(EvidenceError, match=r"b.json: no 'questions'"):
        list(BioAsq().read("b.json", lambda path: io.BytesIO(b"{}")))
