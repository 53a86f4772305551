"""Rejects text that is plainly in another of the plan's languages."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter, FilterError
from qa_filters.function_words import speaks_of_another
from qa_filters.identifiers import IDENTIFIERS, LATIN_LANGUAGES
from qa_filters.words import is_international, script_of, words_of

SCRIPT_LANGUAGES = {"Cyrl": ("ru",), "Kana": ("ja",), "Hang": ("ko",), "Hani": ("ja", "zh")}
KANA_SHARE = 0.05  # of the letters; a Chinese text may quote a Japanese name
WIDE_SHARE = 1 / 3  # of the letters; the rest may be Latin names

# Letters with marks that a language writes; a word in small letters with others is not its own.
MARKED = {"de": "äöüß", "es": "áéíóúüñ", "fr": "àâæçéèêëîïôœùûüÿ"}


@dataclass(frozen=True)
class LanguageIdentity(Filter):
    """The probability that the text is in its language: by script, then by letters.

    Kana means Japanese, Cyrillic Russian, Han alone either Chinese or Japanese. Among languages in
    Latin letters a word with a letter that is not the language's own decides (ñ in French), and so
    do little words that only another writes, if the text has none of its own; else the
    ``identifier``, lingua or langdetect, limited to those of a plan, is asked about the words that
    are not international nor the source's, if they have ``min_letters`` letters together.
    """

    min_probability: float = 0.096
    min_letters: int = 12
    identifier: str = "lingua"

    name: ClassVar[str] = "language"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_probability",)

    def __post_init__(self) -> None:
        """Know the identifier before anything runs."""
        if self.identifier not in IDENTIFIERS:
            raise FilterError(
                f"unknown identifier {self.identifier!r}; known are {', '.join(IDENTIFIERS)}"
            )

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording and for short text in Latin letters."""
        if not candidate.is_machine_made:
            return NOT_APPLICABLE
        scripts = [script for script in map(script_of, candidate.text) if script]
        wide = [script for script in scripts if script in SCRIPT_LANGUAGES]
        if wide and len(wide) >= WIDE_SHARE * len(scripts):
            return float(candidate.language in SCRIPT_LANGUAGES[_deciding_script(wide)])
        if candidate.language not in LATIN_LANGUAGES:
            return NOT_APPLICABLE
        return self._ask(candidate)

    def _ask(self, candidate: Candidate) -> float:
        telling = _telling_words(candidate)
        if any(_is_foreign(word, candidate.language) for word in telling):
            return 0.0
        if speaks_of_another(_own_words(candidate), candidate.language):
            return 0.0
        if sum(map(len, telling)) < self.min_letters:
            return NOT_APPLICABLE
        return IDENTIFIERS[self.identifier](" ".join(telling), candidate.language)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_probability``."""
        return score >= self.min_probability


def _deciding_script(scripts: list[str]) -> str:
    if scripts.count("Kana") > KANA_SHARE * len(scripts) and "Hang" not in scripts:
        return "Kana"
    return max(sorted(set(scripts) - {"Kana"}), key=scripts.count)


def _telling_words(candidate: Candidate) -> list[str]:
    """The words by which a language is known: not those that it shares with others.

    A text that is the source itself is left whole: all of its words are the source's.
    """
    words = [word for word in words_of(candidate.text) if word.isalpha()]
    own = _own_words(candidate)
    if 2 * len(own) < len(words):
        own = words
    return [word for word in own if not is_international(word, candidate.language)]


def _own_words(candidate: Candidate) -> list[str]:
    """The words that the source has not."""
    given = {word.casefold() for word in words_of(candidate.source_text)}
    words = words_of(candidate.text)
    return [word for word in words if word.isalpha() and word.casefold() not in given]


def _is_foreign(word: str, language: str) -> bool:
    """Whether a word in small letters has a letter that the language does not write."""
    marked = MARKED.get(language)
    return (
        marked is not None
        and word[0].islower()
        and any(
            not c.isascii() and c not in marked and script_of(c) == "Latn" for c in word.lower()
        )
    )
