"""Rejects text in letters that its language is not written in."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.words import is_international, is_symbol, latin_apart, script_of, words_of

OWN_SCRIPTS = {
    "en": ("Latn",),
    "de": ("Latn",),
    "es": ("Latn",),
    "fr": ("Latn",),
    "ja": ("Hani", "Kana"),
    "ru": ("Cyrl",),
    "zh": ("Hani",),
}
# A letter of Chinese says as much as about three of English, one of kana as two.
WEIGHTS = {"Hani": 3.0, "Kana": 2.0}
ALIEN_WEIGHT = 10.0
TOLERATED = ("Grek", "Zzzz")  # β-blocker, and letters of no script of ours such as ª
RUSSIAN = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюя")

# National character sets tell the writing systems apart: GB 2312 holds the Simplified characters,
# Big5 the Traditional ones, JIS X 0208 those of Japan. A rare character in none of them is no
# sign of anything.
OWN_SET = {"zh": "gb2312", "ja": "shift_jis"}
OTHER_SETS = {"zh": ("big5", "shift_jis"), "ja": ("gb2312",)}


@dataclass(frozen=True)
class Script(Filter):
    """The share of letters that the language is written in, Latin names and symbols set aside.

    Latin letters inside another script are weighed as they are; letters that never belong
    (kana in Chinese, Traditional characters, Ukrainian letters in Russian) weigh tenfold.
    ``max_kanji`` is the longest Japanese text that may do without kana.
    """

    min_share: float = 0.675
    max_kanji: int = 16

    name: ClassVar[str] = "script"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_share",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN where no letter is left to judge."""
        kinds: Counter[str] = Counter()
        for character, times in Counter("".join(_judged_words(candidate))).items():
            kinds[_kind(character, candidate.language)] += times
        own = sum(WEIGHTS.get(kind, 1.0) * kinds[kind] for kind in OWN_SCRIPTS[candidate.language])
        total = own + kinds["Latn other"] + ALIEN_WEIGHT * kinds["alien"]
        if total == 0:
            return NOT_APPLICABLE
        if candidate.language == "ja" and not kinds["Kana"] and kinds["Hani"] > self.max_kanji:
            return 0.0
        return own / total

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_share``."""
        return score >= self.min_share


def _judged_words(candidate: Candidate) -> Iterable[str]:
    """The words that must be in the language's own script."""
    words = words_of(candidate.text)
    own = OWN_SCRIPTS[candidate.language]
    if "Latn" in own:
        return words
    given = {
        word.casefold()
        for text in (candidate.source_text, *candidate.source_names)
        for word in words_of(text)
    }
    mixed = any(script_of(c) in own for word in words for c in word)
    return [
        word
        for piece in words
        for word in latin_apart(piece)
        if not _excused(word, given, mixed, len(words))
    ]


def _excused(word: str, given: set[str], mixed: bool, number: int) -> bool:
    """A Latin word that other scripts leave as it is; without any text around it, only if given.

    A species keeps its two names; one word alone (melanoma) is a term that every language has.
    """
    if not all(script_of(c) in ("Latn", "") for c in word):
        return False
    known = word.casefold() in given
    has_company = mixed or number > 1
    is_name = known and has_company and is_international(word, "")
    return is_name or (is_symbol(word) and (mixed or known))


@cache
def _kind(character: str, language: str) -> str:
    """Own script, "Latn other", "alien", or "" for what counts neither way."""
    script = script_of(character)
    if not script or script in TOLERATED:
        return ""
    if script in OWN_SCRIPTS[language]:
        return "alien" if is_foreign(character, language) else script
    return "Latn other" if script == "Latn" else "alien"


@cache
def is_foreign(character: str, language: str) -> bool:
    """Whether a letter of the right script belongs to another language's use of it."""
    if language == "ru":
        base = unicodedata.normalize("NFD", character.lower())[0]
        return character.lower() not in RUSSIAN and base not in RUSSIAN
    if language not in OWN_SET or script_of(character) != "Hani":
        return False
    return not _encodes(character, OWN_SET[language]) and any(
        _encodes(character, other) for other in OTHER_SETS[language]
    )


def _encodes(character: str, codec: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True
