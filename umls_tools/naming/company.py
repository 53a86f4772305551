"""What the other names of a concept tell about one of them."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pipeline.records import Name
from pipeline.text import normalise
from umls_tools.naming.brackets import without_tag

WORD = re.compile(r"[^\W_]+")
INVERTING = ", "


@dataclass(frozen=True)
class Company:
    """The names among which one is judged; what a rule does not ask for is not worked out."""

    names: tuple[Name, ...]  # of the concept, in every language
    language: str

    @cached_property
    def own(self) -> tuple[Name, ...]:
        """Names in the language itself, in order of preference."""
        return tuple(name for name in self.names if name.language == self.language)

    @cached_property
    def uninverted(self) -> frozenset[str]:
        """Normalised names in the language that hold no comma, so stand in their own order."""
        return frozenset(normalise(name.text) for name in self.own if INVERTING not in name.text)

    @cached_property
    def english(self) -> frozenset[str]:
        """English names letter for letter, case kept, with and without a source's tag."""
        texts = [name.text for name in self.names if name.language == "en"]
        return frozenset(compatible(text) for text in (*texts, *map(without_tag, texts)))

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Words as the names that are not in capitals throughout write them, by lower case."""
        words: dict[str, str] = {}
        for name in self.own:
            if not name.text.isupper():
                for word in _telling_words(name.text):
                    words.setdefault(word.lower(), word)
        return words


def compatible(text: str) -> str:
    """A text with full-width letters and digits as plain ones; case and accents stay."""
    return unicodedata.normalize("NFKC", text)


def _telling_words(text: str) -> Iterator[str]:
    """Words whose case is their own: not a first word with a capital, as any name may begin."""
    for place, found in enumerate(WORD.finditer(text)):
        word = found.group()
        if place or word.islower() or (word.isupper() and len(word) > 1):
            yield word
