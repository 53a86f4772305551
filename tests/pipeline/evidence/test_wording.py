import csv
from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.evidence import EvidenceError
from pipeline.evidence.wording import (
    collapse,
    cuis_of,
    is_english,
    sections,
    subscript,
    superscript,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \t b\r\n\n c ", "a b c"),
        ("a\x00b\x07c\x85d", "a b c d"),
        ("a\u2028b\u00a0c", "a b c"),
        ("m² HbA1c 6.5%", "m² HbA1c 6.5%"),
        (" \n", ""),
    ],
)
def test_collapse(text: str, expected: str) -> None:
    assert collapse(text) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("", "Only text.")], "Only text."),
        ([("RESULTS", "One.")], "RESULTS: One."),
        ([("AIM", "One."), ("", "Two."), ("END", "Three.")], "AIM: One. Two. END: Three."),
        ([("METHODS", ""), ("RESULTS", "Two.")], "METHODS: RESULTS: Two."),
        ([("UNLABELLED", "One.")], "One."),
        ([("AIM: ", "One.")], "AIM: One."),
        ([], ""),
    ],
)
def test_sections(parts: list[tuple[str, str]], expected: str) -> None:
    assert sections(parts)[0] == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("", "Only text.")], []),
        ([("AIM", "One."), ("", "Two.")], ["Two."]),
        ([("AIM", ""), ("METHODS", "One."), ("", " "), ("END", "Two.")], ["END: Two."]),
        ([("AIM", "One."), ("METHODS", ""), ("END", "Two.")], ["METHODS: END: Two."]),
        ([], []),
    ],
)
def test_sections_begin_with_their_labels(
    parts: list[tuple[str, str]], expected: list[str]
) -> None:
    text, starts = sections(parts)
    assert [text[start:end] for start, end in pairwise([*starts, len(text)])] == expected


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("-3", "10", "⁻³"),
        ("−3", "10", "⁻³"),
        ("2", "m", "²"),
        ("2+", "Ca", "²⁺"),
        ("2.5", "10", "^2.5"),
        ("x", "10", "^x"),
        ("99m", "with ", "99m"),
        ("14", "", "¹⁴"),
        (" ", "10", " "),
        ("th", "5", "th"),
        ("®", "Seprafilm", "®"),
        ("III", "NZW", "^III"),
    ],
)
def test_superscript(text: str, before: str, expected: str) -> None:
    assert superscript(text, before) == expected


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("10", "log", "₁₀"),
        ("3-", "PO", "₃₋"),
        ("max", "C", "max"),
        ("2.5", "PM", "2.5"),
        ("2.5", "1", "_2.5"),
        ("", "10", ""),
    ],
)
def test_subscript(text: str, before: str, expected: str) -> None:
    assert subscript(text, before) == expected


def test_cuis_are_sorted_and_checked() -> None:
    assert cuis_of(["C0000002 ", "", "C0000001", "C0000001"], "f") == ("C0000001", "C0000002")
    with pytest.raises(EvidenceError, match="f:3: 'C12' is no CUI"):
        cuis_of(["C12"], "f:3")


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("The murmur is caused by flow from the left to the right side of the heart.", True),
        ("Der Geräuschbefund entsteht durch den Fluss von der linken zur rechten Seite.", False),
        ("Le souffle est causé par le passage du sang de la gauche vers la droite.", False),
        ("El soplo se debe al paso de la sangre de la izquierda a la derecha.", False),
        ("心雑音は左から右への血流によって生じる。", False),
        ("Шум вызван током крови слева направо.", False),
        ("", False),
    ],
)
def test_is_english(prose: str, expected: bool) -> None:
    assert is_english(prose) is expected


def test_is_english_tells_whole_cases_in_four_languages(shared_data: Path) -> None:
    path = shared_data / "casimedicos" / "casimedicos_parallel.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    cases: dict[tuple[str, str], str] = {}
    for row in rows:
        for language in ("en", "es", "fr", "it"):
            key = (language, row["id"].rsplit("-", 1)[0])
            cases[key] = f"{cases.get(key, '')} {row[language] or ''}"
    wrong = [key for key, text in cases.items() if is_english(text) is not (key[0] == "en")]
    assert len(cases) > 2000
    assert len(wrong) <= 2, wrong  # Spanish cells that hold English
