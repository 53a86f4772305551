"""Rejects a translation with a part left in the language of its source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, ConceptNames, Filter
from qa_filters.number_words import UNITS
from qa_filters.words import folded, is_international, latin_apart, words_of

MAX_SYMBOL = 4  # letters of a unit's symbol: mmol
# What other languages write as it is, in small letters too.
LATIN_PHRASES = frozenset(
    [
        *("in", "vitro", "vivo", "situ", "silico", "utero", "de", "novo", "et", "al", "per", "se"),
        *("vs", "ad", "hoc", "a", "priori", "os", "e", "g", "i", "alias", "p", "n", "c", "min"),
        *(unit for unit in UNITS if unit.isascii() and len(unit) <= MAX_SYMBOL),
    ]
)
ADDRESS = re.compile(r"https?://\S+|\b[\w.-]+\.(?:com|org|net|gov|edu)\b\S*")
NAME = 2.0  # what a concept's name left as it was counts


@dataclass(frozen=True)
class Untranslated(Filter):
    """How many words in a row, in small letters in the source, the text has just so.

    Words that both languages may write alike count nothing, nor do names with a capital: titles
    and companies stay what they are. A concept's name left as it was counts two, however short it
    is, unless its language knows it under that name.
    """

    max_words: int = 1

    name: ClassVar[str] = "untranslated"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 10.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_words",)

    def score(self, candidate: Candidate) -> float:
        """A count of words; NaN for a native wording and for one in the source's language."""
        same_language = candidate.language == candidate.source_language
        if not candidate.is_machine_made or same_language:
            return NOT_APPLICABLE
        source = words_of(ADDRESS.sub(" ", candidate.source_text))
        words = words_of(ADDRESS.sub(" ", candidate.text))
        text = [part for word in words for part in latin_apart(word)]
        runs = (_weigh(run, candidate.language) for run in copied_runs(source, text))
        kept = any(_keeps_name(concept, candidate) for concept in candidate.concepts)
        return max(NAME if kept else 0.0, float(max(runs, default=0)))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_words``."""
        return score <= self.max_words


def copied_runs(source: Sequence[str], text: Sequence[str]) -> Iterator[list[str]]:
    """The longest runs of the source's words that begin at each word of the text."""
    starts: dict[str, list[int]] = {}
    for place, word in enumerate(source):
        starts.setdefault(word, []).append(place)
    for begin, word in enumerate(text):
        for place in starts.get(word, ()):
            if begin and place and text[begin - 1] == source[place - 1]:
                continue  # part of a run that began earlier
            length = 1
            while (
                place + length < len(source)
                and begin + length < len(text)
                and source[place + length] == text[begin + length]
            ):
                length += 1
            yield list(source[place : place + length])


def _weigh(run: Sequence[str], language: str) -> int:
    """Its ordinary words; or any in small letters, less one: two may be alike by chance."""
    small = [word for word in run if word.islower() and word not in LATIN_PHRASES]
    return max(sum(_is_telling(word, language) for word in run), len(small) - 1)


def _is_telling(word: str, language: str) -> bool:
    """Whether a word is an ordinary one of the source's language."""
    return word.islower() and word not in LATIN_PHRASES and not is_international(word, language)


def _keeps_name(concept: ConceptNames, candidate: Candidate) -> bool:
    """Whether the text has a name that the source has and its own language has not."""
    text = f" {folded(' '.join(latin_apart(candidate.text)))} "
    own = {folded(name) for name in concept.target}
    written = set(words_of(candidate.source_text))
    return any(
        f" {folded(name)} " in text
        and folded(name) not in own
        and _is_ordinary(name, written, candidate.language, own)
        for name in concept.source
    )


def _is_ordinary(name: str, written: set[str], language: str, own: set[str]) -> bool:
    """Whether the source writes the name in small letters; what looks international may yet be.

    Where the language's own names are known, looks need not decide.
    """
    small = [word.lower() for word in words_of(name) if word.lower() in written]
    return any((own and word.isalpha()) or _is_telling(word, language) for word in small)
