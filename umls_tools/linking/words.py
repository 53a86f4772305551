"""Words as names and texts are compared by them: normalised, in the singular, or as acronyms."""

import functools
import re
import unicodedata

from pipeline.text import normalise

_LONGEST_ACRONYM = 5  # letters
_SHORTEST_PLURAL = 4  # characters
# No name starts or ends with these but by accident; leaving them out halves the keys of a text.
_FUNCTION_WORDS = (
    "and are as at be by can do does for from has have how if in is it its of on or that the "
    "their there these this to was were what when which who why with"
)
EDGE_WORDS = frozenset(_FUNCTION_WORDS.split())
# Latin and Greek singulars that end in s.
_SINGULAR_ENDINGS = ("ss", "us", "is")
_PLURAL_ENDINGS = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(\w(?:stas|lys|thes|gnos|hos|ros))es$"), r"\1is"),  # metastases, diagnoses
    (re.compile(r"(ss|x|[^a]ch|sh|[^a]us)es$"), r"\1"),  # not headaches, not causes
    (re.compile(r"s$"), ""),
)
_WORD_SEPARATORS = re.sub(rb"[^0-9A-Za-z]", b" ", bytes(range(256)))


def words_of(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the normalised words of a text and the (place, key) of those that are acronyms."""
    words: list[str] = []
    acronyms: list[tuple[int, str]] = []
    for word in _as_written(text):
        if word.isupper() and (key := acronym_key(word)):
            acronyms.append((len(words), key))
        if word.isascii():
            words.append(word.lower())
        else:
            words.extend(normalise(word).split())
    return words, acronyms


def acronym_key(text: str) -> str:
    """Return the key of a name that is one word of two to five capitals, else ""."""
    word = unicodedata.normalize("NFKC", text).strip()
    is_acronym = word.isalnum() and word.isupper() and 1 < len(word) <= _LONGEST_ACRONYM
    return f"acronym:{word}" if is_acronym else ""


def singular(word: str) -> str:
    """Drop a plural ending as English forms it; the same naive rule for names and texts."""
    return _singular(word) if word.endswith("s") else word


@functools.lru_cache(maxsize=1 << 16)
def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or word.endswith(_SINGULAR_ENDINGS):
        return word
    for ending, replacement in _PLURAL_ENDINGS:
        if ending.search(word):
            return ending.sub(replacement, word)
    return word


def _as_written(text: str) -> list[str]:
    """The words of a text in its own case."""
    if text.isascii():
        return text.encode().translate(_WORD_SEPARATORS).decode().split()
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c if c.isalnum() else " " for c in folded).split()
