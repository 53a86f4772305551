"""Reads the numbers of a text in any of the seven languages, with their units."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from qa_filters.number_words import (
    HAN_DIGITS,
    HAN_MYRIADS,
    HAN_TENS,
    NUMBER_WORDS,
    POWERS,
    UNITS,
    WHOLE_WORD,
)
from qa_filters.words import CACHED

POINT_LANGUAGES = ("en", "ja", "zh")  # 1,234.5 and nothing else
SUPERSCRIPT = re.compile(r"(?<=m)[²³]|([⁰¹²³⁴-⁹]+)")
AREA = re.compile(r"(?<=[cdkmμn ]m)[23]\b|(?<=\dm)[23]\b")
NUMERAL = re.compile(
    r"(?<![\d.,])\d{1,3}(?:([,.' ])\d{3}(?:\1\d{3})*)(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
)
TIGHT_NUMERAL = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?")
GROUP = 3
ROMAN = re.compile(r"(?<![^\W_])(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3})(?![^\W_])")
ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}
AMBIGUOUS_ROMAN = ("I", "V", "X", "IV")  # a pronoun, letters, intravenous
HAN = re.compile(f"(?<![0-9])[{''.join(HAN_DIGITS | HAN_TENS | HAN_MYRIADS)}]+")
WORDS = re.compile(r"[^\W\d_]+")
NEXT_WORD = re.compile(r"[\s-]*([^\W\d_]+|[%$€]|°\s?[CFcf])")
RANGE = re.compile(r"\s*(?:[-–—~至到から]+|to|and|or|a|y|o|à|et|ou|bis|und|oder|до|и|или)\s*")
DECADE = re.compile(r"(?<!\d)(\d\d)\d0s\b")
NAME_BEFORE = re.compile(r"(?![\u3040-\u9fff])[^\W\d_][-–]?$")  # no name in Han or kana
CURRENCIES = "$€"


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a text has it: all that it may mean, its unit ("" if none is known).

    ``certain`` numbers must be met again; words and a lone I may. An ``embedded`` one, the 19 of
    COVID-19, may go with its name, but where both texts have such names they must agree.
    """

    readings: tuple[Decimal, ...]
    unit: str
    certain: bool
    start: int
    end: int
    embedded: bool = False

    def agrees(self, other: "Number") -> bool:
        """Whether both may mean the same quantity."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return not set(self.readings).isdisjoint(other.readings)


@lru_cache(maxsize=CACHED)
def read_numbers(text: str, language: str) -> tuple[Number, ...]:
    """All numbers of a text, in order of kind, then place."""
    folded = fold(text)
    numerals = _with_ranges(folded, list(_numerals(folded, language)), language)
    return (*numerals, *_roman(folded), *_words(folded, language), *_han(folded, language))


def fold(text: str) -> str:
    """Compatibility forms folded (full width, Ⅱ), exponents kept apart: 10⁻³ is not 10-3."""
    if not text.isascii():
        text = SUPERSCRIPT.sub(lambda match: f" ^{match[1]}" if match[1] else "", text)
    return AREA.sub("", unicodedata.normalize("NFKC", text))


def _numerals(text: str, language: str) -> Iterator[Number]:
    pattern = TIGHT_NUMERAL if language in POINT_LANGUAGES else NUMERAL
    for match in pattern.finditer(text):
        power, end = _power(text, match.end(), language)
        readings = tuple(value * power for value in _values(match[0], language))
        if DECADE.match(text, match.start()):  # also the 30 of les années 30
            readings = (*readings, Decimal(match[0][2:]))
        before = text[max(0, match.start() - 1) : match.start()]
        unit = before if before and before in CURRENCIES else _unit(text, end)
        embedded = _is_embedded(text, match.start())
        yield Number(readings, unit, not embedded, match.start(), end, embedded)


def _values(numeral: str, language: str) -> tuple[Decimal, ...]:
    """What 1.234 may mean: in English one number, elsewhere two."""
    plain = numeral.replace(" ", "").replace("'", "")
    separators = [c for c in plain if not c.isdigit()]
    if not separators:
        return (Decimal(plain),)
    grouped = Decimal("".join(c for c in plain if c.isdigit()))
    whole, _, fraction = plain.rpartition(separators[-1])
    decimal = Decimal(f"{''.join(c for c in whole if c.isdigit())}.{fraction}")
    if len(separators) > 1:
        return (grouped,) if separators[0] == separators[-1] else (decimal,)
    if language in POINT_LANGUAGES:
        is_group = separators[0] == "," and len(fraction) == GROUP
        return (grouped,) if is_group else (decimal,)
    return (grouped, decimal) if len(fraction) == GROUP else (decimal,)


def _power(text: str, position: int, language: str) -> tuple[int, int]:
    """The powers of ten that follow a numeral, multiplied, and where they end."""
    power = 1
    while match := NEXT_WORD.match(text, position):
        word, found = match[1].lower(), 0
        if language in POINT_LANGUAGES[1:]:
            found = POWERS[language].get(word[0], 0)
            end = match.start(1) + 1
        else:
            found, end = POWERS[language].get(word, 0), match.end(1)
        if not found or "-" in text[position : match.start(1)]:
            break
        power, position = power * found, end
    return power, position


def _unit(text: str, position: int) -> str:
    match = NEXT_WORD.match(text, position)
    return _unit_of(match[1].lower().replace(" ", "")) if match else ""


@lru_cache(maxsize=CACHED)
def _unit_of(word: str) -> str:
    """The unit that a word is or, where words are not parted, begins with."""
    if word in UNITS:
        return UNITS[word]
    fitting = [unit for unit in UNITS if not unit.isascii() and word.startswith(unit)]
    is_wide = fitting and unicodedata.east_asian_width(fitting[0][0]) == "W"
    return UNITS[max(fitting, key=len)] if is_wide else ""


def _is_embedded(text: str, start: int) -> bool:
    """Whether a numeral is the tail of a name: COVID-19, CD4, B12."""
    return bool(NAME_BEFORE.search(text[max(0, start - 2) : start]))


def _with_ranges(text: str, numbers: list[Number], language: str) -> list[Number]:
    """In "2-3 million" the first number may be meant in millions too."""
    following = [*numbers[1:], *([None] if numbers else [])]
    return [
        _in_range(text, number, later, language) if later else number
        for number, later in zip(numbers, following, strict=True)
    ]


def _in_range(text: str, number: Number, later: Number, language: str) -> Number:
    digits = NUMERAL.match(text, later.start)
    if not digits or not RANGE.fullmatch(text, number.end, later.start):
        return number
    power, _ = _power(text, digits.end(), language)
    scaled = tuple(value * power for value in number.readings)
    return replace(number, readings=number.readings + scaled)


def _roman(text: str) -> Iterator[Number]:
    for match in ROMAN.finditer(text):
        if match[0]:
            value = Decimal(_roman_value(match[0]))
            certain = match[0] not in AMBIGUOUS_ROMAN
            yield Number((value,), "", certain, match.start(), match.end())


def _roman_value(numeral: str) -> int:
    values = [ROMAN_DIGITS[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-now if now < later else now for now, later in zip(values, following, strict=True))


def _words(text: str, language: str) -> Iterator[Number]:
    for match in DECADE.finditer(text):  # the 1930s are the thirties of century 20
        yield Number((Decimal(int(match[1]) + 1),), "", False, match.start(), match.end())
    for match in WORDS.finditer(text):
        value = _word_value(match[0].lower(), language)
        if value is not None:
            power, end = _power(text, match.end(), language)
            yield Number((value * power, value), "", False, match.start(), end)


@lru_cache(maxsize=CACHED)
def _word_value(word: str, language: str) -> Decimal | None:
    """The number that a word is, or begins with if that beginning is long; None for no number."""
    known = NUMBER_WORDS[language]
    beginnings = (word[:size] for size in range(len(word), 0, -1) if word[:size] in known)
    fitting = (known[b] for b in beginnings if len(b) > WHOLE_WORD or b == word)
    return next(map(Decimal, fitting), None)


def _han(text: str, language: str) -> Iterator[Number]:
    if language not in POINT_LANGUAGES[1:]:
        return
    for match in HAN.finditer(text):
        yield Number((Decimal(_han_value(match[0])),), "", False, match.start(), match.end())


def _han_value(numeral: str) -> int:
    """三千五百 and 二〇二〇 alike."""
    total = section = digit = 0
    for character in numeral:
        if character in HAN_DIGITS:
            digit = digit * 10 + HAN_DIGITS[character]
        elif character in HAN_TENS:
            section, digit = section + (digit or 1) * HAN_TENS[character], 0
        else:
            total, section, digit = total + (section + digit or 1) * HAN_MYRIADS[character], 0, 0
    return total + section + digit
