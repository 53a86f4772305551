"""Names in capitals: acronyms, which are so by right, and headings, which are not."""

import re

from pipeline.records import Name
from umls_tools.naming.company import WORD, Company
from umls_tools.naming.scripts import EAST_ASIAN_LETTER

LONGEST_ACRONYM = 8  # characters of a name that is one word
LONGEST_ACRONYM_WORD = 4  # letters of a word among others: "HIV RNA" against "HEART RATE"
# McArdle, DiGeorge: a capital inside, but no acronym
SURNAME = re.compile(r"[A-Z][a-z]{1,3}[A-Z][a-z]{2,}")

SHOUTING_SOURCES = frozenset({"MSHRUS"})  # where short words in capitals are words too
CYRILLIC_CAPITAL = re.compile(r"[Ѐ-Я]")
_ACRONYMS = (
    "АД АДГ АКТГ АМФ АТФ БЦЖ ВИЧ ВПЧ ГМФ ГТФ ДВС ДНК ДЦП ИБС ИФА КТ МНО МРТ НПВП НПВС ОРВИ ОРЗ "
    "ПЦР ПЭТ РНК РСВ СДВГ СОЭ СПИД СРБ ТТГ УЗИ ФСГ ХБП ХОБЛ ХГЧ ЦМВ ЦНС ЭКГ ЭКО ЭМГ ЭЭГ"
)
RUSSIAN_ACRONYMS = frozenset(_ACRONYMS.split())
# Beside these stands a surname as often as not, and nothing tells Крона from почек.
_HEADS = (
    "анемия бацилла болезнь вирус грыжа закон контрактура лимфома лихорадка метод операция опухоль "
    "палочка паралич проба пурпура реакция саркома симптом синдром тест тетрада тиреоидит триада "
    "феномен хорея шкала энцефалопатия"
)
EPONYMOUS_HEADS = frozenset(_HEADS.split())
RUSSIAN_ADJECTIVAL = re.compile(
    r"(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ых|их|ым|им|ую|юю|ей)(?:ся)?$"
)


def is_acronym(text: str) -> bool:
    """Whether a name is a single short word of capitals and digits, such as COPD or HbA1c."""
    if " " in text or len(text) > LONGEST_ACRONYM or EAST_ASIAN_LETTER.search(text):
        return False
    return sum(letter.isupper() for letter in text) > 1 and not SURNAME.fullmatch(text)


def in_usual_case(text: str, name: Name, company: Company) -> str:
    """A heading in capitals as it would be written in a sentence, or "" where that is not sure.

    Only Russian headings and single English words are lowered: in German a noun must keep its
    capital, in Spanish and French capitals often lack their accents, and a longer English name
    may hold a surname or an acronym.
    """
    if not text.isupper() or EAST_ASIAN_LETTER.search(text) or not _is_heading(text, name.source):
        return text
    if name.language == "ru":
        return _lowered_russian(text, company)
    is_one_word = text.isalpha() and name.language == "en"
    return text.lower() if is_one_word else ""


def _is_heading(text: str, source: str) -> bool:
    if source in SHOUTING_SOURCES:
        return bool(CYRILLIC_CAPITAL.search(text))
    if len(text) <= LONGEST_ACRONYM:  # COVID 19
        return False
    if " " not in text:
        return text.isalpha()
    return any(word.isalpha() and len(word) > LONGEST_ACRONYM_WORD for word in WORD.findall(text))


def _lowered_russian(text: str, company: Company) -> str:
    """Small letters but for acronyms, symbols and words whose case other names show."""
    if _may_hold_surname(text, company):
        return ""
    return WORD.sub(lambda found: _lowered_word(found.group(), company), text)


def _lowered_word(word: str, company: Company) -> str:
    if word in RUSSIAN_ACRONYMS or not (word.isalpha() and CYRILLIC_CAPITAL.search(word)):
        return word
    return company.spelling.get(word.lower(), word.lower())


def _may_hold_surname(text: str, company: Company) -> bool:
    words = WORD.findall(text.lower())
    beside = {
        other
        for place, word in enumerate(words)
        if word in EPONYMOUS_HEADS
        for other in (*words[max(place - 1, 0) : place], *words[place + 1 : place + 2])
    }
    return any(_is_unsure(word, company) for word in beside)


def _is_unsure(word: str, company: Company) -> bool:
    is_known = word in company.spelling or word.upper() in RUSSIAN_ACRONYMS
    is_plain = not word.isalpha() or RUSSIAN_ADJECTIVAL.search(word)
    return not (is_known or is_plain)
