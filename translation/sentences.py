"""Cuts medical text into sentences, because NLLB drops all but one of several.

A full stop ends a sentence only before something that can begin one, and never after a title, a
known abbreviation, an initial ("S. Typhi") or a list number; where in doubt the text stays whole.
No character is lost but the white space between sentences.
"""

import re
from itertools import pairwise

# Words before a full stop that something always follows; lower case, without their last stop.
_ABBREVIATIONS = {
    "en": "dr mr mrs ms prof st e.g i.e eg ie cf vs viz fig figs no nos vol pp sec ref refs eq "
    "approx u.s u.k sp spp subsp var inc jan feb mar apr jun jul aug sep sept oct nov dec",
    "de": "dr prof hr fr st z.b d.h u.a v.a i.d.r o.ä s.o s.u ca vgl bzw evtl ggf inkl sog abb "
    "tab nr bd s.a max min mind spez syn lat engl",
    "es": "dr dra sr sra srta prof p.ej ej fig núm no pág págs vol ud uds aprox cf ee.uu ee rr ff",
    "fr": "dr pr m mm mme mlle me st ste p.ex ex fig no vol env cf c.-à-d chap",
    "ru": "т.е т.к т.н т.ч т.о др проф акад доц д-р им ул рис табл см ср напр г гг стр "
    "пр мин макс лат англ",
    "ja": "",
    "zh": "",
}
_NEVER_LAST = {code: frozenset(words.split()) for code, words in _ABBREVIATIONS.items()}

# Words after which a single capital is a name's last word, not an initial: "hepatitis B. It ...".
_BEFORE_LETTERS = (
    "vitamin vitamins vitamine vitamina vitamines витамин витамина hepatitis hépatite гепатит "
    "type typ tipo тип group gruppe grupo groupe группа factor faktor facteur фактор grade grad "
    "grado stage stadium estadio stade class klasse clase classe класс influenza grippe "
    "haemophilia hemophilia hämophilie hemofilia hémophilie and und y et or oder o ou и или"
)
_CLASSIFIERS = frozenset(_BEFORE_LETTERS.split())
_COUNTED = (
    "januar februar märz april mai juni juli august september oktober november dezember "
    "jahrhundert grad monat woche tag lebensjahr lebensmonat lebenswoche schwangerschaftswoche "
    "quartal trimenon hirnnerv hirnnervs finger zehe rippe"
)
_GERMAN_ORDINAL_NOUNS = frozenset(_COUNTED.split())

_STOP = re.compile(
    r"(?P<stop>[.!?…]+)(?P<closers>[\"'”’»)\]]*)\s+(?=[\"'“„‘«(\[¿¡]*[^\W_a-zа-яёß-ÿ])"
)
_WIDE_STOP = re.compile(r"(?P<stop>[。！？｡]+)(?P<closers>[」』”’）)】]*)\s*(?=\S)")
_LAST_WORD = re.compile(r"[^\s(\[\"'“„«]+$")


def split_sentences(text: str, language: str) -> tuple[str, ...]:
    """Cut a text into its sentences, stripped, in order; line breaks separate too."""
    lines = (line.strip() for line in text.split("\n"))
    return tuple(piece for line in lines if line for piece in _split_line(line, language))


def _split_line(line: str, language: str) -> list[str]:
    ends = {found.end() for found in _STOP.finditer(line) if _ends(line, found, language)}
    ends |= {found.end() for found in _WIDE_STOP.finditer(line) if not found["closers"]}
    edges = [0, *sorted(ends), len(line)]
    pieces = (line[start:end].strip() for start, end in pairwise(edges))
    return [piece for piece in pieces if piece]


def _ends(line: str, found: re.Match[str], language: str) -> bool:
    """Whether a stop before a possible beginning ends its sentence."""
    if found["stop"] != "." or found["closers"]:
        return True
    before = line[: found.start()]
    last = _LAST_WORD.search(before)
    if last is None:
        return True
    word, preceding = last[0], before[: last.start()].split()
    if word.isdigit():
        return bool(preceding) and not _is_ordinal(line[found.end() :], language)
    if len(word) == 1 and word.isalpha():
        return bool(preceding) and preceding[-1].casefold() in _CLASSIFIERS
    return word.casefold() not in _NEVER_LAST.get(language, frozenset())


def _is_ordinal(following: str, language: str) -> bool:
    """Whether a German number with its point counts the noun that follows: "am 3. Oktober"."""
    first = re.match(r"\w+", following)
    return language == "de" and first is not None and first[0].casefold() in _GERMAN_ORDINAL_NOUNS
