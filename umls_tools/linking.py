"""Links English text and headings to concepts by the longest name that matches.

The lexicon is too large for one machine's memory, so linking is a join over string keys: concepts
give ``lexicon_entries``, texts give ``mentions``, and ``longest_match`` decides among those that
met. Keys are ``cui:``, ``mesh:``, ``name:`` (normalised) and ``acronym:`` (case kept, so that
"all" in a sentence is not ALL, a leukaemia).
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from pipeline.records import Concept, Name
from pipeline.text import normalise

LONGEST_NAME = 8  # tokens
_SHORTEST_NAME = 3  # characters
_LONGEST_ACRONYM = 5  # letters
_SHORTEST_PLURAL = 4  # characters
_MESH_SOURCE = "MSH"
# Only a main heading's code is the heading's own: entry terms of narrower concepts repeat it.
_MESH_HEADING = "MH"
_DESCRIPTOR = re.compile(r"D[0-9]+")
# No name starts or ends with these but by accident; leaving them out halves the keys of a text.
_FUNCTION_WORDS = (
    "and are as at be by can do does for from has have how if in is it its of on or that the "
    "their there these this to was were what when which who why with"
)
_EDGE_WORDS = frozenset(_FUNCTION_WORDS.split())
# Latin and Greek singulars that end in s.
_SINGULAR_ENDINGS = ("ss", "us", "is")
_PLURAL_ENDINGS = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(\w(?:stas|lys|thes|gnos|hos|ros))es$"), r"\1is"),  # metastases, diagnoses
    (re.compile(r"(ss|x|[^a]ch|sh|[^a]us)es$"), r"\1"),  # not headaches, not causes
    (re.compile(r"s$"), ""),
)


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A stretch of a text, in tokens, and the key under which it may be known.

    ``exact`` is false where the last word was made singular to find the key.
    """

    key: str
    start: int
    end: int
    exact: bool = True


def lexicon_entries(concept: Concept) -> Iterator[tuple[str, str]]:
    """Yield (key, CUI) for everything by which a concept may be met, sorted, each once."""
    keys = {f"cui:{concept.cui}"}
    for name in concept.names:
        keys.update(_name_keys(name))
        if name.source == _MESH_SOURCE and name.term_type == _MESH_HEADING:
            keys.update([heading_key(name.code)] if _DESCRIPTOR.fullmatch(name.code) else [])
    for key in sorted(keys):
        yield key, concept.cui


def heading_key(heading: str) -> str:
    """Return the key of a MeSH heading given by its descriptor id or its name."""
    if _DESCRIPTOR.fullmatch(heading):
        return f"mesh:{heading}"
    return _acronym_key(heading) or f"name:{normalise(heading)}"


def mentions(text: str, longest: int = LONGEST_NAME) -> tuple[Mention, ...]:
    """Return every stretch of up to ``longest`` tokens that a name could be, in text order.

    Left out are stretches that start or end with a function word, that are shorter than three
    characters, or that are only digits.
    """
    tokens, acronyms = _tokens(text)
    spans = (
        (start, end)
        for start in range(len(tokens))
        for end in range(start + 1, min(start + longest, len(tokens)) + 1)
    )
    found = (mention for span in spans for mention in _mentions_of_span(tokens, *span))
    with_acronyms = [Mention(key, place, place + 1) for place, key in acronyms]
    return tuple(sorted([*found, *with_acronyms], key=lambda m: (m.start, m.end, m.key)))


def longest_match(
    met: Iterable[tuple[Mention, Collection[str]]], prefer: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the concepts of the longest mentions that do not overlap, sorted.

    Of equally long mentions the leftmost wins. A mention of several concepts gives the one that
    is in ``prefer``, if there is exactly one, else none; it still keeps shorter mentions out, as
    what it holds is part of a longer name. An exact key beats one made by dropping a plural.
    """
    taken: set[int] = set()
    linked: set[str] = set()
    candidates = _candidates(met)
    for start, end in sorted(candidates, key=lambda span: (span[0] - span[1], span[0])):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            linked.update(_unambiguous(candidates[start, end], prefer))
    return tuple(sorted(linked))


def _candidates(
    met: Iterable[tuple[Mention, Collection[str]]],
) -> dict[tuple[int, int], set[str]]:
    """Gather the concepts of each span under its exact keys, or else its other keys."""
    exact: dict[tuple[int, int], set[str]] = {}
    singular: dict[tuple[int, int], set[str]] = {}
    for mention, cuis in met:
        kind = exact if mention.exact else singular
        if cuis:
            kind.setdefault((mention.start, mention.end), set()).update(cuis)
    return singular | exact


def _unambiguous(cuis: set[str], prefer: Collection[str]) -> set[str]:
    if len(cuis) == 1:
        return cuis
    preferred = {cui for cui in cuis if cui in prefer}
    return preferred if len(preferred) == 1 else set()


def _name_keys(name: Name) -> Iterator[str]:
    """Yield the keys of an English name: itself, uninverted, and each in the singular."""
    if name.language != "en":
        return
    if acronym := _acronym_key(name.text):
        yield acronym
        return
    for text in (name.text, _uninvert(name.text)):
        tokens = normalise(text).split()
        for words in (tokens, _in_singular(tokens)):
            if _may_be_name(words):
                yield "name:" + " ".join(words)


def _acronym_key(text: str) -> str:
    """Return the key of a name that is one word of two to five capitals, else ""."""
    word = unicodedata.normalize("NFKC", text).strip()
    is_acronym = word.isalnum() and word.isupper() and 1 < len(word) <= _LONGEST_ACRONYM
    return f"acronym:{word}" if is_acronym else ""


def _uninvert(text: str) -> str:
    """Turn "diseases, heart" into "heart diseases"; the digits of "1,2-diol" are no inversion."""
    return " ".join(reversed(text.split(", ")))


def _in_singular(tokens: list[str]) -> list[str]:
    return [*tokens[:-1], _singular(tokens[-1])] if tokens else tokens


def _singular(word: str) -> str:
    """Drop a plural ending as English forms it; the same naive rule on both sides of the join."""
    if len(word) < _SHORTEST_PLURAL or word.endswith(_SINGULAR_ENDINGS):
        return word
    for ending, replacement in _PLURAL_ENDINGS:
        if ending.search(word):
            return ending.sub(replacement, word)
    return word


def _may_be_name(tokens: list[str]) -> bool:
    joined = "".join(tokens)
    return len(joined) >= _SHORTEST_NAME and not joined.isnumeric()


def _tokens(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the normalised tokens of a text and the (place, key) of those that are acronyms."""
    tokens: list[str] = []
    acronyms: list[tuple[int, str]] = []
    folded = unicodedata.normalize("NFKC", text)
    for word in "".join(c if c.isalnum() else " " for c in folded).split():
        if key := _acronym_key(word):
            acronyms.append((len(tokens), key))
        tokens.extend(normalise(word).split())
    return tokens, acronyms


def _mentions_of_span(tokens: list[str], start: int, end: int) -> Iterator[Mention]:
    words = tokens[start:end]
    if not (_EDGE_WORDS.isdisjoint((words[0], words[-1])) and _may_be_name(words)):
        return
    yield Mention("name:" + " ".join(words), start, end)
    singular = _in_singular(words)
    if singular != words:
        yield Mention("name:" + " ".join(singular), start, end, exact=False)
