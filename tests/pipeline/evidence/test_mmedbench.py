import json
import random
from collections.abc import Callable, Mapping

import pytest

from pipeline.evidence import Evidence, EvidenceError, Reader
from pipeline.evidence.mmedbench import MMedBench
from pipeline.records import Passage, Question, Reject

ReadAll = Callable[[Reader, Mapping[str, str]], list[Evidence]]

ROW = {
    "question": "A man has a rash.\nWhat is the cause?",
    "options": {"A": "Virus", "B": "Drug"},
    "answer_idx": "B",
    "rationale": "The rash is caused by the drug, which was taken for a week before it appeared.",
}
SPANISH = "La causa es el fármaco, que se tomó durante una semana antes de la erupción."


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_an_english_rationale_is_the_passage(read_all: ReadAll) -> None:
    passage, question = read_all(MMedBench(), {"m/Test/English.jsonl": lines(ROW)})
    assert isinstance(passage, Passage)
    assert isinstance(question, Question)
    assert passage.passage_id.startswith("mmedbench-Test-English-")
    assert (passage.text, passage.title) == (ROW["rationale"], "")
    assert question.text == "A man has a rash. What is the cause?"
    assert question.source_id.startswith("mmedbench:Test/English:")
    assert [link.passage_id for link in question.relevant] == [passage.passage_id]
    assert (question.language, question.licence) == ("en", "CC-BY-NC-4.0")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("English", "en"),
        ("Chinese", "zh"),
        ("zh", "zh"),
        ("Japanese", "ja"),
        ("ru", "ru"),
        ("German", "de"),
    ],
)
def test_the_file_names_the_language(read_all: ReadAll, name: str, language: str) -> None:
    _, question = read_all(MMedBench(), {f"m/Test/{name}.jsonl": lines(ROW)})
    assert isinstance(question, Question)
    assert question.language == language


def test_an_unknown_language_is_an_error_before_anything_is_read() -> None:
    with pytest.raises(EvidenceError, match="'Klingon' is no language we know"):
        MMedBench().units(["m/English.jsonl", "m/Klingon.jsonl"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rationale": SPANISH}, "no_english_evidence"),
        ({"rationale": " "}, "no_answer"),
        ({"rationale": None}, "no_answer"),
        ({"question": ""}, "no_question"),
        ({"human_checked": True, "human_check_passed": False}, "human_check_failed"),
    ],
)
def test_what_is_left_out_is_counted(
    read_all: ReadAll, change: dict[str, object], reason: str
) -> None:
    (lost,) = read_all(MMedBench(), {"m/Test/Spanish.jsonl": lines(ROW | change)})
    assert isinstance(lost, Reject)
    assert lost.reason == reason


@pytest.mark.parametrize(
    "checks",
    [{"human_checked": False, "human_check_passed": False}, {"human_checked": True}],
)
def test_rationales_without_a_failed_check_stay(
    read_all: ReadAll, checks: dict[str, object]
) -> None:
    assert len(read_all(MMedBench(), {"m/Test/en.jsonl": lines(ROW | checks)})) == 2


def test_order_decides_nothing_and_repeats_are_counted(read_all: ReadAll) -> None:
    rows = [ROW | {"question": f"What is cause {number}?"} for number in range(9)] + [ROW, ROW]
    found = read_all(MMedBench(), {"m/Test/en.jsonl": lines(*rows)})
    random.Random(3).shuffle(rows)
    assert read_all(MMedBench(), {"m/Test/en.jsonl": lines(*rows)}) == found
    lost = [one for one in found if isinstance(one, Reject)]
    assert (len(found), [one.reason for one in lost]) == (21, ["repeated_row"])


def test_the_same_row_in_two_files_has_two_ids(read_all: ReadAll) -> None:
    files = {"m/Train/English.jsonl": lines(ROW), "m/Test/English.jsonl": lines(ROW)}
    found = read_all(MMedBench(), files)
    assert len({one.passage_id for one in found if isinstance(one, Passage)}) == 2
    assert len({one.source_id for one in found if isinstance(one, Question)}) == 2


def test_other_rows_are_errors(read_all: ReadAll) -> None:
    files = {"m/en.jsonl": lines(ROW, {"question": "Why?"})}
    with pytest.raises(EvidenceError, match=r"m/en.jsonl:2: no 'rationale'"):
        read_all(MMedBench(), files)
