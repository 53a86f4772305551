"""Brackets in names: tags that can be taken off, parts of a word, and all others."""

import re
import unicodedata

ENGLISH_TAGS = """
administration method · administrative concept · assessment scale · attribute · basic dose form ·
biological function · body structure · cell · cell structure · clinical drug ·
context-dependent category · core metadata concept · disorder · disposition · dose form ·
environment · environment / location · ethnic group · event · finding ·
foundation metadata concept · function · geographic location · inactive concept · intended site ·
life style · link assertion · linkage concept · medicinal product · medicinal product form ·
metadata · morphologic abnormality · namespace concept · navigational concept · number ·
observable entity · occupation · organism · owl metadata concept · person · physical force ·
physical object · procedure · product · product name · property · qualifier value · racial group ·
record artifact · regime/therapy · release characteristic · religion/philosophy · role ·
situation · social concept · special concept · specimen · staging scale · state of matter ·
substance · supplier · transformation · tumor staging · unit of presentation
"""
SPANISH_TAGS = """
ambiente · anomalía morfológica · atributo · calificador · célula · concepto de enlace ·
concepto especial · concepto inactivo · concepto no activo · concepto social ·
elemento de registro · entidad observable · escala de estadificación · escala de evaluación ·
espécimen · estadificación tumoral · estilo de vida · estructura celular · estructura corporal ·
evento · fármaco de uso clínico · forma farmacéutica · forma farmacéutica básica ·
forma farmacéutica de producto medicinal · fuerza física · grupo étnico · grupo racial · hallazgo ·
localización geográfica · medio ambiente · metadato · muestra · objeto físico · ocupación ·
organismo · persona · procedimiento · producto · producto medicinal · propiedad ·
régimen/tratamiento · religión/filosofía · situación · sustancia · trastorno
"""

BRACKET = re.compile(r"[()\[\]{}<>（）［］｛｝【】〔〕〈〉《》「」『』]")
CLOSING = (")", "）")
TRAILING = re.compile(r"\s*[(（]([^()（）]+)[)）]$")
# Inside a word: (R)-warfarin, N-(4-hydroxyphenyl)retinamide, vitamin B(12), t(9;22), Fe(II).
INSIDE_WORD = re.compile(
    r"(?<=[0-9A-Za-zΑ-ωА-яЁё-])\([^()\s]+\)|\([^()\s]+\)(?=[0-9A-Za-zΑ-ω-])"
    r"|\[\d{1,3}[A-Z][a-z]?\]|(?<=[a-z])\[[a-z0-9,']{1,5}\](?=[a-z-])"  # [18F], benzo[a]pyrene
)
# disease(s), Krankheit(en), enfermo(a)
OPTIONAL_ENDING = re.compile(r"[a-zß-ÿа-яё]\([a-zß-ÿа-яё]{1,3}\)(?![-\w])")


def bare(text: str) -> str:
    """A text without case and accents, to compare by."""
    parted = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in parted if not "\u0300" <= letter <= "\u036f")


# The semantic tags of SNOMED CT, a closed set that its editorial guide lists.
TAGS = frozenset(bare(" ".join(tag.split())) for tag in f"{ENGLISH_TAGS}·{SPANISH_TAGS}".split("·"))


def without_tag(text: str) -> str:
    """A name without the semantic tag at its end: "Fractura (trastorno)" → "Fractura"."""
    if not text.endswith(CLOSING):
        return text
    found = TRAILING.search(text)
    return text[: found.start()] if found and bare(found.group(1)) in TAGS else text


def has_loose_bracket(text: str) -> bool:
    """Whether a bracket holds something that is not part of a word: "[Ambiguous]", "(2)"."""
    if not BRACKET.search(text):
        return False
    if OPTIONAL_ENDING.search(text):
        return True
    before, rest = "", text
    while before != rest:  # the innermost first
        before, rest = rest, INSIDE_WORD.sub("", rest)
    return bool(BRACKET.search(rest))
