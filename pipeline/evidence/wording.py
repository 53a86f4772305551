"""The text of evidence: white space, section labels, superscripts, English or not."""

import re
from collections.abc import Iterable

from pipeline.evidence.base import EvidenceError

# C0 and C1 control characters; those that are white space are collapsed with the rest.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_SUBSCRIPTS = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_RAISED_OR_LOWERED = re.compile(r"[0-9+\-−–=()]+")
# Raised by typographers, not by powers: ``5th``, ``Seprafilm®``.
_NO_POWER = frozenset({"st", "nd", "rd", "th", "tm", "sm"})
_CUI = re.compile(r"C[0-9]{7}")
_WORD = re.compile(r"[^\W\d_]+")
# Frequent in any English prose, absent from French, German and Spanish.
_ENGLISH = frozenset(
    {"the", "of", "and", "to", "is", "with", "that", "which", "this", "are", "by", "from", "for"}
)
# Of the sentences of 30 words and more in CasiMedicos, 99 % of the English ones have a larger
# share, 0.3 % of the Spanish, none of the French and Italian.
_ENGLISH_SHARE = 0.08


def collapse(text: str) -> str:
    """One line of text: control characters and runs of white space become one space."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def sections(parts: Iterable[tuple[str, str]]) -> tuple[str, tuple[int, ...]]:
    """A structured abstract as one text, ``LABEL: text LABEL: text``, and where sections begin.

    Labels may be empty. That of a section without text is kept, as part of the next section;
    ``UNLABELLED``, which stands where MEDLINE has no label, is not. The first section has no place.
    """
    whole, starts, waiting = "", list[int](), True
    for label, text in parts:
        section = collapse(_section(collapse(label), text))
        if not section:
            continue
        if not waiting:
            starts.append(len(whole) + 1)
        whole = f"{whole} {section}" if whole else section
        waiting = not collapse(text)
    return whole, tuple(starts)


def _section(label: str, text: str) -> str:
    bare = label.rstrip(" :")
    return text if bare.upper() in {"", "UNLABELLED"} else f"{bare}: {text}"


def superscript(text: str, before: str) -> str:
    """A superscript in plain text: ``10⁻³``, never ``10-3``; else ``10^x``.

    Letters after white space, as in the 99m of technetium, are no exponent and stay as they are;
    so are signs, and the endings of ordinal numbers.
    """
    if _RAISED_OR_LOWERED.fullmatch(text):
        return text.translate(_SUPERSCRIPTS)
    power = any(map(str.isalnum, text)) and text.casefold() not in _NO_POWER
    return f"^{text}" if power and before and not before[-1].isspace() else text


def subscript(text: str, before: str) -> str:
    """A subscript in plain text: ``log₁₀5``, never ``log105``; letters stay as they are."""
    if _RAISED_OR_LOWERED.fullmatch(text):
        return text.translate(_SUBSCRIPTS)
    return f"_{text}" if text[:1].isdigit() and before[-1:].isdigit() else text


def cuis_of(texts: Iterable[str], where: str) -> tuple[str, ...]:
    """Sorted CUIs; blanks are skipped, anything that is no CUI raises."""
    found = {text.strip() for text in texts} - {""}
    for text in sorted(found):
        if not _CUI.fullmatch(text):
            raise EvidenceError(
                f"{where}: {text!r} is no CUI, expected C and seven digits; correct or remove it"
            )
    return tuple(sorted(found))


def is_english(prose: str) -> bool:
    """Whether prose of a sentence or more is English, by the share of its function words."""
    words = _WORD.findall(prose.casefold())
    hits = sum(word in _ENGLISH for word in words)
    return hits > len(words) * _ENGLISH_SHARE
