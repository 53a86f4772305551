"""Names of other languages, little words, and pairs of terms from a Metathesaurus."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from qa_filters.base import Candidate, ConceptNames, FilterError
from qa_filters.calibrate import read_pairs
from qa_filters.foreign_name import ForeignName
from qa_filters.function_words import MARKS, speaks_of_another
from qa_filters.metathesaurus import read_mrconso

Build = Callable[..., Candidate]
COUGH = {
    "de": "husten", "es": "toser", "fr": "tousser", "ja": "咳をする", "ru": "кашлять", "zh": "咳嗽",
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(COUGH))
@pytest.mark.parametrize("written", sorted(COUGH))
def test_a_name_of_another_language_is_foreign(
    candidate: Build, language: str, written: str
) -> None:
    elsewhere = tuple(name for other, name in COUGH.items() if other != language)
    names = ConceptNames(("cough",), (COUGH[language],), elsewhere)
    posed = replace(
        candidate(language, "cough", COUGH[written].upper(), kind="term"), concepts=(names,)
    )
    score = ForeignName().score(posed)
    assert ForeignName().accepts(score, posed) is (language == written)
    assert math.isnan(ForeignName().score(replace(posed, kind="question")))
    assert math.isnan(ForeignName().score(replace(posed, origin="umls")))
    unknown = replace(names, target=())
    assert math.isnan(ForeignName().score(replace(posed, concepts=(unknown,))))


def test_what_the_source_calls_it_is_left_to_the_copy_filter(candidate: Build) -> None:
    names = ConceptNames(("influenza",), ("Grippe",), ("influenza",))
    posed = replace(candidate("de", "flu", "Influenza", kind="term"), concepts=(names,))
    assert ForeignName().score(posed) == 0


@pytest.mark.parametrize(
    ("language", "text", "foreign"),
    [
        ("es", "Quel est le diagnostic ?", True),
        ("es", "Biopsie du foie", False),  # du is German too
        ("es", "Biopsie dans le foie", True),
        ("es", "síndrome del cri du chat", False),
        ("es", "Afasia global", False),
        ("fr", "Señale la respuesta correcta", False),  # la is French too
        ("fr", "Biopsia por aspiración", True),
        ("fr", "maladie de Creutzfeldt", False),
        ("de", "fever and chills", True),
        ("de", "Fieber und Schüttelfrost", False),
        ("de", "Bad Homburg und the", False),
        ("en", "fièvre et frissons sont", True),
        ("en", "fever", False),
    ],
)
def test_little_words_tell_a_language(language: str, text: str, foreign: bool) -> None:
    assert speaks_of_another(text.split(), language) is foreign


def test_no_two_languages_share_a_mark() -> None:
    marks = [mark for language in sorted(MARKS) for mark in sorted(MARKS[language])]
    assert len(marks) == len(set(marks))


ROW = "{cui}|{lat}|{ts}|L1|{stt}|S1|{pref}|A1||||T|PT|X|{text}|0|{sup}||\n"


def write_names(path: Path, *names: tuple[str, str, str, str]) -> Path:
    """Rows of (CUI, LAT, text, status); the status is P, S or O for obsolete."""
    rows = [
        ROW.format(
            cui=cui, lat=lat, text=text, ts="P" if status == "P" else "S",
            stt="PF", pref="Y", sup="O" if status == "O" else "N",
        )
        for cui, lat, text, status in names
    ]  # fmt: skip
    path.write_text("".join(rows), "utf-8")
    return path


def test_pairs_of_terms_are_the_likest_names_of_a_concept(tmp_path: Path) -> None:
    path = write_names(
        tmp_path / "MRCONSO.RRF",
        ("C1", "ENG", "heart attack", "P"),
        ("C1", "ENG", "myocardial infarction", "S"),
        ("C1", "SPA", "IAM", "P"),
        ("C1", "SPA", "infarto miocardial", "S"),
        ("C1", "RUS", "инфаркт", "P"),
        ("C1", "FRE", "crise", "P"),
        ("C1", "GER", "veraltet", "O"),
        ("C1", "ITA", "infarto", "P"),
        ("C2", "CHI", "膿瘡", "P"),
        ("C2", "ENG", "abscess", "P"),
        ("C3", "GER", "Fieber", "P"),
    )
    pairs, left_out = read_pairs([str(tmp_path)])
    assert [(pair.source_text, pair.text, pair.language, pair.kind) for pair in pairs] == [
        ("myocardial infarction", "infarto miocardial", "es", "term"),
        ("heart attack", "инфаркт", "ru", "term"),
    ]
    spanish = pairs[0]
    (names,) = spanish.concepts
    assert names.source == ("heart attack", "myocardial infarction")
    assert names.target == ("IAM",)  # the name itself is yet to be found
    assert names.elsewhere == ("crise", "инфаркт")
    assert left_out == {"names unlike": 1, "Traditional characters": 1}
    assert [pair.pair_id for pair in read_mrconso(str(path))] == ["C1", "C1", "C1", "C2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("C1|ENG|P\n", r"MRCONSO\.RRF:1: 3 fields, expected 18"),
        (
            ROW.format(cui="C2", lat="ENG", ts="P", stt="PF", pref="Y", text="a", sup="N")
            + ROW.format(cui="C1", lat="ENG", ts="P", stt="PF", pref="Y", text="b", sup="N"),
            r"MRCONSO\.RRF: C1 after C2; sort the file",
        ),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "MRCONSO.RRF"
    path.write_text(content, "utf-8")
    with pytest.raises(FilterError, match=message):
        list(read_mrconso(str(path)))
