"""Headings turned round for an alphabetical list, "Anemia, Aplastic", set upright again."""

import re
from collections.abc import Callable

from pipeline.records import Name
from pipeline.text import normalise
from umls_tools.naming.company import INVERTING, Company

# MeSH and its translations (MSHGER, MSHRUS, …). Elsewhere a comma is mostly the name's own.
INVERTING_SOURCES = "MSH"
# Japanese headings are turned at a hyphen: 貧血-再生不良性.
JAPANESE_INVERSION = re.compile(r"(?<=[々ぁ-ヿ㐀-鿿])[-‐－](?=[々ぁ-ヿ㐀-鿿])")
PARTS = 2

# What a word behind the comma must not begin with to be an attribute that may stand in front.
_ENGLISH_BARS = (
    "type types subtype stage grade class group phase level category form variant part degree "
    "number no due with without in of by as for from on at to not after before during the a an "
    "i ii iii iv v vi vii viii ix x xi xii"
)
ENGLISH_BARS = frozenset(_ENGLISH_BARS.split())
ENGLISH_JOINTS = re.compile(r"\b(?:and|or)\b|&", re.IGNORECASE)
# A preposition that lacks its noun, or a plural, which is no attribute: "Metabolism, Inborn Errors"
ENGLISH_DANGLING = re.compile(r"\b(?:of|in|by|with|to|for|from|on|at|as)$|[^sui']s$", re.I)
_GERMAN_BARS = "mit ohne bei durch nach vor in im am an auf aus zu von"
GERMAN_BARS = frozenset(_GERMAN_BARS.split())
GERMAN_ENDING = re.compile(r"(?:e|er|es)$")
# Nominative endings of adjectives and participles that hardly any noun has: not -ний (кальций,
# литий end alike), not -ние (лечение), not -ой (most often a genitive).
RUSSIAN_ADJECTIVE = re.compile(r"(?:ый|[кщшжч]ий|ая|яя|ое|[щшн]ее|ые|[кгхщшжч]ие)(?:ся)?$")


def upright(text: str, name: Name, company: Company) -> str:
    """The heading in the order of speech, or "" where that order is not sure."""
    if not name.source.startswith(INVERTING_SOURCES):
        return text
    japanese = name.language == "ja"
    parts = JAPANESE_INVERSION.split(text) if japanese else text.split(INVERTING)
    if len(parts) == 1:
        return text
    if len(parts) > PARTS:
        return ""
    head, attribute = parts
    gap = "" if japanese else " "
    before, behind = f"{attribute}{gap}{head}", f"{head}{gap}{attribute}"
    known = [order for order in (before, behind) if normalise(order) in company.uninverted]
    if known:
        return known[0]
    may_stand_before = BEFORE_NOUN.get(name.language)
    return before if may_stand_before and may_stand_before(attribute) else ""


def _is_english_attribute(text: str) -> bool:
    first = text.partition(" ")[0]
    is_word = len(first) > 1 and not first[0].isdigit() and first.lower() not in ENGLISH_BARS
    return is_word and not ENGLISH_JOINTS.search(text) and not ENGLISH_DANGLING.search(text)


def _is_german_attribute(text: str) -> bool:
    """Adjectives with an ending, all in small letters; nouns would be written with a capital."""
    words = text.split()
    if not words or not all(word[0].islower() for word in words):
        return False
    return words[0] not in GERMAN_BARS and bool(GERMAN_ENDING.search(words[-1]))


def _is_russian_attribute(text: str) -> bool:
    words = text.casefold().split()
    return bool(words) and all(RUSSIAN_ADJECTIVE.search(word) for word in words)


# Languages whose attributes stand before the noun. Spanish and French ones mostly stand behind,
# with articles and prepositions that a heading leaves out.
BEFORE_NOUN: dict[str, Callable[[str], bool]] = {
    "en": _is_english_attribute,
    "de": _is_german_attribute,
    "ru": _is_russian_attribute,
}
