"""Sentences that no model may touch: numbers, codes, acronyms and drugs' names, alone.

NLLB makes "The number of persons" of 102, loses a digit of 1 2 3 … 10, and answers a lone word
with a sentence of its own. What holds no word is the same in every language and is carried over.
A drug's international name is the same in Latin letters; for other scripts no rule gives it, and
it is refused rather than guessed. Raise ``PROCESSING_VERSION`` with every change here.
"""

import re

from translation.languages import language

_UNIT_NAMES = (
    "% ‰ mg g kg µg μg mcg ng pg l L dl dL ml mL µl μl mm cm m km h min s ms bpm Hz kHz MHz IU U "
    "mmHg kPa Pa mol mmol µmol μmol nmol mEq kcal cal kJ J Gy mGy Sv mSv mV V mA °C °F °"
)
_LONG_ACRONYMS = (
    "ADHD AIDS ARDS CABG COPD COVID CPAP DEXA ELISA GERD HELLP MELAS MERS MRSA NASH NAFLD NSAID "
    "NSAIDs PCOS PTSD SARS SIDS STEMI"
)
# Short words in capitals, as headings have them, of the languages in Latin letters.
_SHORT_WORDS = (
    "ARM ASH BAD BED BOY CUT DAY DIE DRY EAR EAT EGG END EYE FAT FEW FLU FOR GAS GUM GUT HIP HOT "
    "HOW ICE ILL JAW LEG LIP LOW MAN MEN NEW OLD ONE PUS RED RIB SEX SHE SUN TEA THE TOE TWO WAR "
    "WAY WHO WHY WET AM AN AS AT BE BY DO GO HE IF IN IS IT ME MY NO OF ON OR SO TO UP US WE AUS "
    "BEI BIN DAS DER DES EIN ER ES IHR ICH IM MIT OB TOD UND VOR WAS WER WIE ZU DE EL LA LOS QUE "
    "POR SIN CON MAL PIE OJO DU LE LES UN UNE OU ET QUI SUR PAS NEZ OS"
)
# Ends of international non-proprietary names (WHO, the use of stems), those that no word shares.
_STEMS = (
    "mab nib ciclib pril prilat sartan olol vastatin cillin mycin micin floxacin prazole conazole "
    "dipine formin gliptin gliflozin glitazone profen setron triptan barbital zepam zolam navir "
    "clovir ciclovir parin xaban gatran grel terol lukast oxetine semide thiazide cycline "
    "tadine sulfamide dronate tinib platin rubicin"
)
_SIGNS = frozenset("-–/+=<>≤≥±×x:·~≈&|")
_UNITS = frozenset(_UNIT_NAMES.split())
_ACRONYMS = frozenset(_LONG_ACRONYMS.split())
_WORDS_IN_CAPITALS = frozenset(_SHORT_WORDS.split())

_NUMBER = re.compile(r"[±<>≤≥~≈=+\-]*[€$£]?\d+(?:[.,:/×x^·\-]*\d+)*[.,;:]?")
_NUMBER_AND_UNIT = re.compile(r"[±<>≤≥~≈+\-]*[€$£]?\d[\d.,]*(?P<unit>\D+)")
# A capital and a digit in one word: HbA1c, B12, COVID-19, C0020538.
_CODE = re.compile(r"(?=[^\W_]*[A-Z])(?=\S*\d)[A-Za-z0-9]+(?:[.\-/][A-Za-z0-9]+)*")
_ACRONYM = re.compile(r"[A-Z]{2,3}|[B-DF-HJ-NP-TV-Z]{4,5}")
_DRUG = re.compile(rf"[A-Za-z][a-z]{{2,}}(?:{'|'.join(_STEMS.split())})", re.ASCII)


def is_wordless(sentence: str) -> bool:
    """Whether a sentence holds numbers, units, codes and at most one acronym, and nothing else."""
    pieces = sentence.rstrip(".!?。").replace("(", " ").replace(")", " ").split()
    acronyms = [piece for piece in pieces if _is_acronym(piece.strip(",;:"))]
    rest = [piece for piece in pieces if piece not in acronyms]
    return bool(pieces) and len(acronyms) <= 1 and all(map(_is_wordless, rest))


def is_drug(sentence: str) -> bool:
    """Whether a sentence is one word that ends as drugs' international names do."""
    return _DRUG.fullmatch(sentence.rstrip(".")) is not None


def writes_latin(code: str) -> bool:
    """Whether a language is written in Latin letters."""
    return language(code).script == "Latn"


def _is_acronym(piece: str) -> bool:
    if piece in _WORDS_IN_CAPITALS:
        return False
    return piece in _ACRONYMS or _ACRONYM.fullmatch(piece) is not None


def _is_wordless(piece: str) -> bool:
    plain = piece.strip(",;:")
    if not plain or piece in _SIGNS or _NUMBER.fullmatch(piece) or _CODE.fullmatch(plain):
        return True
    return all(map(_is_measure, plain.split("/")))


def _is_measure(text: str) -> bool:
    """A unit, or a number with one; the caller has parted 500mg/5mL and mg/dL."""
    measured = _NUMBER_AND_UNIT.fullmatch(text)
    unit = measured["unit"] if measured else text
    return unit in _UNITS or _NUMBER.fullmatch(text) is not None
