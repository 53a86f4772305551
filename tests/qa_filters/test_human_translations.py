"""Professional translations pass, and the same with a planted error do not.

Over TICO-19, judged without back-translations. What no filter can see without one is a fluent
text of fitting length and without numbers about something else: a quarter of swapped texts pass.
"""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from pipeline.text import draw
from qa_filters.base import Candidate

Build = Callable[..., Candidate]
Refusals = Callable[[Candidate], list[str]]
Pair = tuple[str, str, str]  # id, English, translation
Draw = Callable[[str, int], list[Pair]]

LANGUAGES = ("es", "fr", "ru", "zh")
SIZE = 240
PLANTED = 60
SPOILABLE = 1000
ROMANISED = dict(zip("абвгдезийклмнопрстуфхцы", "abvgdeziiklmnoprstufhcy", strict=True))
CYRILLIC = {latin: letter for letter, latin in ROMANISED.items()}
KATAKANA_START, KATAKANA_LETTERS = 0x30A1, 80


def repeat_source(row: Pair, language: str) -> str:
    return row[1]


def change_digit(row: Pair, language: str) -> str:
    places = [match.start() for match in re.finditer(r"\d", row[2])]
    if not places:
        return ""
    place = places[draw(0, "place", row[0]) % len(places)]
    return row[2][:place] + str((int(row[2][place]) + 1) % 10) + row[2][place + 1 :]


def keep_half(row: Pair, language: str) -> str:
    return row[2][: len(row[2]) // 2]


def loop_on(row: Pair, language: str) -> str:
    return row[2] + row[2][: max(4, len(row[2]) // 3)] * 3


def loop_at_full_length(row: Pair, language: str) -> str:
    return row[2][: max(4, len(row[2]) // 3)] * 3


def drop_first_sentence(row: Pair, language: str) -> str:
    end = re.search(r"。|[.?!]\s+(?=[^\W\da-zа-я_])", row[2])
    return row[2][end.end() :] if end else ""


def write_in_other_script(row: Pair, language: str) -> str:
    if language == "zh":
        return "".join(
            chr(KATAKANA_START + ord(c) % KATAKANA_LETTERS) if c > "\u4e00" else c for c in row[2]
        )
    letters = ROMANISED if language == "ru" else CYRILLIC
    return "".join(letters.get(c, c) for c in row[2].lower())


# Measured over 300 pairs a language, the lowest of the four: 1.00, 0.99, 0.88, 1.00, 1.00, 0.89 (of
# sixty with several sentences), 1.00. Half a text passes where the whole was a wordy one.
FLOORS = {
    repeat_source: 0.98,
    change_digit: 0.94,
    keep_half: 0.82,
    loop_on: 0.95,
    loop_at_full_length: 0.95,
    drop_first_sentence: 0.8,
    write_in_other_script: 0.98,
}


def share_refused(judged: list[list[str]]) -> float:
    return sum(map(bool, judged)) / len(judged)


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_most_one_in_twenty_human_translations_is_refused(
    human_translations: Draw, candidate: Build, refusals: Refusals, language: str
) -> None:
    rows = human_translations(language, SIZE)
    assert len(rows) == SIZE
    judged = [refusals(candidate(language, source, text)) for _, source, text in rows]
    assert share_refused(judged) <= 0.05


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plant", FLOORS, ids=lambda plant: plant.__name__)
def test_planted_errors_are_found(
    human_translations: Draw,
    candidate: Build,
    refusals: Refusals,
    language: str,
    plant: Callable[[Pair, str], str],
) -> None:
    rows = human_translations(language, SPOILABLE)
    spoilt = [(row[1], text) for row in rows if (text := plant(row, language))][:PLANTED]
    assert len(spoilt) >= 20
    judged = [refusals(candidate(language, source, text)) for source, text in spoilt]
    assert share_refused(judged) >= FLOORS[plant]


@pytest.mark.parametrize(
    ("language", "written"), [("es", "fr"), ("fr", "es"), ("ru", "zh"), ("zh", "ru")]
)
def test_translations_into_another_language_are_found(
    human_translations: Draw, candidate: Build, refusals: Refusals, language: str, written: str
) -> None:
    rows = human_translations(written, PLANTED)
    judged = [refusals(candidate(language, source, text)) for _, source, text in rows]
    assert share_refused(judged) >= 0.9


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_of_something_else_are_found_by_their_back_translation(
    human_translations: Draw, candidate: Build, refusals: Refusals, language: str
) -> None:
    rows = human_translations(language, PLANTED + 1)
    swapped = [(one[1], other[2], other[1]) for one, other in pairwise(rows)]
    judged = [refusals(candidate(language, *texts)) for texts in swapped]
    assert share_refused(judged) >= 0.98


def test_a_real_shift_between_columns_is_found(
    shifted_translations: list[Pair], candidate: Build, refusals: Refusals
) -> None:
    rows = shifted_translations[::3]
    judged = [refusals(candidate("fr", source, text)) for _, source, text in rows]
    assert share_refused(judged) >= 0.4
