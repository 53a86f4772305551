"""Names that are no names: codes, and what a classification calls the rest of a class."""

import re

# "73211009", "E11.9", "D003924", "DOID:1234", "ORPHA-558", but not BRCA1, HIV-1 or iodine-131
CODE = re.compile(
    r"[\d.:/-]+|[A-Za-z]\d\d[\d.-]*|[A-Za-z]{1,6}\d{4,}"
    r"|[A-Za-z]{1,6}[:_]\d[\d.-]*|[A-Z]{1,6}-\d{3}[\d.-]*"
)
# Signs that formulas and identifiers hold, and names do not.
SIGN = re.compile(r"[|@^=]")
COLON = re.compile(r"(?<!:)[:：](?!:)")  # two at once join genes: FUS::ERG
# LOINC and its translations write a name as its parts: "Glukose:SCnc:Pt:Ser/Plas:Qn".
IN_PARTS = "LNC"
MOST_COLONS = 1

RESIDUAL = {
    "en": r"\b(?:NOS|NEC|other|unspecified|not (?:elsewhere classified|otherwise specified))\b",
    "de": r"\b(?:o\.\s?n\.\s?A|onA|NNB|sonstige[nrs]?|andere[nrs]?)\b"
    r"|nicht (?:näher|anderweitig) |anderenorts ",
    "es": r"\b(?:NEOM|NCOC|SAI|otr[oa]s?|sin especificar|no (?:especificad|clasificad)[oa]s?)\b",
    "fr": r"\b(?:SAI|NCA|autres?|sans précision|non (?:précisé|spécifié|classé)e?s?)\b",
    "ru": r"\b(?:БДУ|НКДР|неуточн[её]нн\w+|проч(?:ий|ая|ее|ие|их)|друг(?:ой|ая|ое|ие|их))\b"
    r"|не классифицированн",
    "ja": "詳細不明|特定不能|分類されない|その他|ＮＯＳ|NOS",
    "zh": "未特指|未指明|其他|其它|不可归类|NOS",
}
RESIDUAL_OF = {language: re.compile(words, re.I) for language, words in RESIDUAL.items()}


def is_code(text: str, source: str) -> bool:
    """Whether a text is an identifier, a formula, or a list of parts."""
    if CODE.fullmatch(text) or SIGN.search(text):
        return True
    colons = len(COLON.findall(text))
    return colons > MOST_COLONS or (colons > 0 and source.startswith(IN_PARTS))


def is_residual(text: str, language: str) -> bool:
    """Whether a text names what is left of a class: "Other diseases", "Fraktur, onA"."""
    return bool(RESIDUAL_OF[language].search(text))
