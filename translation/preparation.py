"""What is done to a sentence before a model reads it, under a version of its own.

NLLB was trained on text with plain quotes and dashes (Moses' normalisation), and its tokenizer
applies NFKC, which would silently turn 10⁻³ into 10-3. Raise ``PROCESSING_VERSION`` with every
change here in ``translation.sentences`` or ``translation.rules``: it is part of the memory's key.
"""

import re
import unicodedata

PROCESSING_VERSION = "2"

_PUNCTUATION = str.maketrans(
    dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("‘’‚‛´`", "'")
    | dict.fromkeys("‐‑‒–−", "-")
    | {"—": " - ", "―": " - ", "…": "..."}
)
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_PLAIN_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789+-")
_EXPONENT = re.compile(rf"(?<=\d)[{_SUPERSCRIPTS}]+")


def prepare(sentence: str) -> str:
    """One line of NFC text with plain punctuation; exponents of numbers become ``^`` and digits."""
    text = unicodedata.normalize("NFC", sentence)
    text = _EXPONENT.sub(lambda found: "^" + found[0].translate(_PLAIN_DIGITS), text)
    visible = (" " if c.isspace() else "" if _is_invisible(c) else c for c in text)
    return " ".join("".join(visible).translate(_PUNCTUATION).split())


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}
