import io
import json
from pathlib import Path

import pytest

from pipeline.evidence import EvidenceError, open_local
from pipeline.evidence.pubmedqa import PubMedQa
from pipeline.records import Passage, Question, Reject, Relevance

RECORD = {
    "QUESTION": "Does A cause B?",
    "CONTEXTS": ["We asked.", "We saw."],
    "LABELS": ["AIM", "RESULTS"],
    "MESHES": ["Humans", "Aged, 80 and over"],
    "LONG_ANSWER": "A causes B.",
    "final_decision": "yes",
}


def read(records: object) -> list[object]:
    content = json.dumps(records).encode()
    return list(PubMedQa().read("d/ori.json", lambda path: io.BytesIO(content)))


def test_question_and_abstract() -> None:
    headings, licence = ("Aged, 80 and over", "Humans"), "MIT AND LicenseRef-PubMed"
    url = "https://pubmed.ncbi.nlm.nih.gov/7/"
    text = "AIM: We asked. RESULTS: We saw."
    assert read({"7": RECORD}) == [
        Passage("pubmedqa-7", "", text, (), headings, "pubmedqa", licence, url, sections=(15,)),
        Question(
            "pubmedqa:d/ori:7",
            "Does A cause B?",
            "en",
            (),
            headings,
            (Relevance("pubmedqa-7", 1),),
            "pubmedqa",
            licence,
        ),
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"CONTEXTS": [], "LABELS": []}, "no_answer"),
        ({"CONTEXTS": [" ", ""]}, "no_answer"),
        ({"QUESTION": " "}, "no_question"),
    ],
)
def test_what_is_left_out_is_counted(change: dict[str, object], reason: str) -> None:
    assert read({"7": RECORD | change}) == [Reject("evidence", "pubmedqa:d/ori:7", reason)]


def test_sections_without_labels() -> None:
    (found, _) = read({"7": RECORD | {"LABELS": []}})
    assert isinstance(found, Passage)
    assert found.text == "We asked. We saw."


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({}, "holds no question"),
        ({"x": RECORD}, "PMID x"),
        ({"7": []}, "PMID 7"),
        ({"7": RECORD | {"LABELS": ["AIM"]}}, "PMID 7: 2 CONTEXTS, 1 LABELS"),
        ({"7": RECORD | {"MESHES": "Humans"}}, "'MESHES' holds no strings"),
        ({"7": RECORD | {"QUESTION": 3}}, "'QUESTION' is a int, expected a string"),
        ({"7": RECORD, "8": RECORD | {"QUESTION": 3}}, "PMID 8"),
    ],
)
def test_other_files_are_errors_before_the_first_record(records: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        read(records)


def test_the_labelled_part(shared_data: Path) -> None:
    path = str(shared_data / "pubmedqa" / "ori_pqal.json")
    found = list(PubMedQa().read(path, open_local))
    passages = {one.passage_id for one in found if isinstance(one, Passage)}
    asked = {one.source_id for one in found if isinstance(one, Question)}
    assert (len(found), len(passages), len(asked)) == (2000, 1000, 1000)
