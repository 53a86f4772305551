"""Words and letters: which script they belong to and which of them many languages share."""

import re
import unicodedata
from functools import cache, lru_cache

from pipeline.text import normalise

WORD = re.compile(r"[^\W_]+(?:-\d+)?")
CAMEL = re.compile(r"[a-zα-ω].*[A-Z]|[A-Z]{2,}[a-z]")
MAX_ACRONYM = 6
# Texts of which a filter remembers what it made: a source comes again in each language, and to
# several filters.
CACHED = 1 << 14
MIN_CLASSICAL = 5
MIN_DRUG = 6

# Unicode names a character by its script first.
SCRIPTS = {
    "LATIN": "Latn",
    "CYRILLIC": "Cyrl",
    "GREEK": "Grek",
    "CJK": "Hani",
    "IDEOGRAPHIC": "Hani",  # the iteration mark, the zero
    "HIRAGANA": "Kana",
    "KATAKANA": "Kana",
    "HANGUL": "Hang",
}

# Endings of Greek and Latin words, which the languages of Europe write alike.
CLASSICAL = ("us", "um", "is", "ae", "a", "ix", "ax", "ens", "oris", "bacter", "myces")
CLASSICAL_WORDS = frozenset(
    {"diabetes", "herpes", "ascites", "scabies", "rabies", "caries", "coli", "pylori"}
)
ENGLISH_ENDINGS = ("ous", "ness")
ENGLISH_WORDS = frozenset({"basis", "drama", "pizza", "extra", "plus", "thus", "this"})

# Stems of international nonproprietary names (WHO, "The use of stems in the selection of INN").
DRUG_STEMS = (
    *("mab", "nib", "olol", "pril", "sartan", "statin", "azole", "mycin", "micin", "cillin"),
    *("cycline", "floxacin", "vir", "parin", "formin", "gliptin", "gliflozin", "profen", "oxicam"),
    *("triptan", "setron", "dipine", "caine", "azepam", "azolam", "barbital", "thiazide", "semide"),
    *("lukast", "tide", "cept", "grel", "xaban", "platin", "taxel", "rubicin", "trexate", "olone"),
    *("asone", "terol", "tropium", "phylline", "oxetine", "ramine", "codone", "fentanil"),
    *("fentanyl", "sulin", "farin", "pirin", "oxin", "tamol", "dronate", "apine", "idone", "anol"),
)

# Endings that English shares with one other language, spelled the same.
SHARED_ENDINGS = {
    "de": ("ion", "or", "al", "ose", "itis", "om", "ment", "enz", "ie", "gen", "iene"),
    "es": ("al", "or", "able", "ible", "oma", "ema", "ar", "tivo", "ico"),
    "fr": (
        *("ion", "ure", "ent", "ant", "ance", "ence", "age", "al", "ose", "ine", "able", "ible"),
        *("ique", "isme", "ome", "ite", "ide", "ase", "ement", "graine", "ancer", "ace", "act"),
    ),
}


@cache
def script_of(character: str) -> str:
    """ISO 15924 code of a letter's script (kana is one, Kana); "" for what is no letter."""
    if not character.isalpha():
        return ""
    first = re.split(r"[ -]", unicodedata.name(character, "UNKNOWN"), maxsplit=1)[0]
    return SCRIPTS.get(first, "Zzzz")


@lru_cache(maxsize=CACHED)
def folded(text: str) -> str:
    """The key under which texts are compared, remembered."""
    return normalise(text)


def words_of(text: str) -> list[str]:
    """Runs of letters and digits in order, compatibility forms folded, case kept.

    A number after a hyphen belongs to the word before it: covid-19.
    """
    return WORD.findall(unicodedata.normalize("NFKC", text))


def is_symbol(word: str) -> bool:
    """Whether a word is an acronym, a gene or a name with inner capitals: HIV, HbA1c, McArdle."""
    if any(c.isdigit() for c in word):
        return True
    return bool(CAMEL.search(word)) or (1 < len(word) <= MAX_ACRONYM and word.isupper())


@lru_cache(maxsize=1 << 16)
def is_international(word: str, language: str) -> bool:
    """Whether a word may be spelled the same in English and in another language.

    Symbols, Greek and Latin words, drug names, and endings that the two languages share.
    """
    lower = word.lower()
    if is_symbol(word) or lower in CLASSICAL_WORDS:
        return True
    if lower in ENGLISH_WORDS or lower.endswith(ENGLISH_ENDINGS):
        return False
    if len(lower) >= MIN_DRUG and lower.endswith(DRUG_STEMS):
        return True
    singular = lower.removesuffix("s")
    endings = (*CLASSICAL, *SHARED_ENDINGS.get(language, ()))
    return len(lower) >= MIN_CLASSICAL and (lower.endswith(endings) or singular.endswith(endings))


def latin_apart(word: str) -> list[str]:
    """HIV感染 as HIV and 感染: without spaces a run of letters may hold both scripts."""
    if word.isascii():
        return [word]
    pieces: list[str] = []
    was_wide = None
    for character in word:
        wide = script_of(character) in ("Hani", "Kana")
        if wide == was_wide:
            pieces[-1] += character
        else:
            pieces.append(character)
        was_wide = wide
    return pieces
