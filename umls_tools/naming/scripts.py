"""Letters that a name must have, and letters that show it to be a reading or a makeshift copy."""

import re

from pipeline.records import LANGUAGES, Name
from umls_tools.naming.brackets import bare, without_tag
from umls_tools.naming.company import WORD, Company, compatible

HALF_WIDTH_KATAKANA = re.compile(r"[\uff66-\uff9f]")
OTHER_LETTER = re.compile(r"[^\W\d_\uff66-\uff9f]")
READING = "JKN"  # TTY of readings: JKN, PTJKN, …

OWN_LETTER = {
    "Latn": re.compile(r"[A-Za-zÀ-ɏ]"),
    "Cyrl": re.compile(r"[Ѐ-ӿ]"),
    "Jpan": re.compile(r"[々ぁ-ヿ㐀-鿿]"),
    "Hans": re.compile(r"[々㐀-鿿]"),
}
EAST_ASIAN_LETTER = re.compile(r"[々ぁ-ヿ㐀-鿿가-힣]")
LONGEST_SYMBOL = 5  # letters, where there is no digit

# TTY of copies that the Metathesaurus made, often by writing ASCII.
COPY = "MTH_"
ACCENTED = frozenset({"de", "es", "fr"})


def is_reading(text: str, term_type: str) -> bool:
    """Whether a text is a reading in half-width katakana, a help for sorting."""
    if term_type.endswith(READING):
        return True
    return bool(HALF_WIDTH_KATAKANA.search(text)) and not OTHER_LETTER.search(text)


def is_in_own_script(text: str, language: str, company: Company) -> bool:
    """Whether a name has a letter of its language, or is a symbol that needs none, as BRCA1."""
    if OWN_LETTER[LANGUAGES[language].script].search(text):
        return True
    is_latin = LANGUAGES[language].script == "Latn"
    return not is_latin and _is_symbol(text) and compatible(text) in company.english


def is_ascii_copy(name: Name, company: Company) -> bool:
    """Whether a made copy lacks accents, or may lack them for all that can be known."""
    if not name.term_type.startswith(COPY):
        return False
    if name.language in ACCENTED and name.text.isascii():
        return True
    own = _words(name.text)
    others = (_words(other.text) for other in company.own if not other.term_type.startswith(COPY))
    return any(other != own and _bare(other) == _bare(own) for other in others)


def _words(text: str) -> list[str]:
    return sorted(WORD.findall(without_tag(text).casefold()), key=bare)


def _bare(words: list[str]) -> list[str]:
    return [bare(word) for word in words]


def _is_symbol(text: str) -> bool:
    """Whether each word is of capitals and digits for the most part: HIV-1, HbA1c 6.5%."""
    return all(map(_is_symbolic_word, compatible(text).split()))


def _is_symbolic_word(word: str) -> bool:
    has_digit = any(sign.isdigit() for sign in word)
    weight = sum(sign.isupper() or sign.isdigit() for sign in word)
    return weight > 1 and (has_digit or len(word) <= LONGEST_SYMBOL)
