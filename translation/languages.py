"""What translation needs to know of each language: NLLB's code and how sentences are joined."""

from pipeline.records import LANGUAGES, Language
from translation.base import TranslationError

UNSPACED_SCRIPTS = frozenset({"Jpan", "Hans"})


def language(code: str) -> Language:
    """Find a language under the project's code, or say which there are."""
    if code not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise TranslationError(f"unknown language {code!r}; known are {known}")
    return LANGUAGES[code]


def nllb_code(code: str) -> str:
    """NLLB's name of a language: ``de`` is ``deu_Latn``."""
    return language(code).nllb


def joiner(code: str) -> str:
    """What stands between two sentences of a language."""
    return "" if language(code).script in UNSPACED_SCRIPTS else " "
