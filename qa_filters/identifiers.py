"""Who tells languages in Latin letters apart: lingua or langdetect, limited to those of a plan."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from qa_filters.base import NOT_APPLICABLE

if TYPE_CHECKING:
    from langdetect.detector_factory import DetectorFactory
    from lingua import LanguageDetector

LATIN_LANGUAGES = ("de", "en", "es", "fr")
SEED = 0
DIGITS = 4


def ask_lingua(text: str, language: str) -> float:
    """The probability by letter runs of one to five.

    lingua adds up in no fixed order, so that the last bits of its floats differ from call to call.
    """
    found = {
        value.language.iso_code_639_1.name.lower(): float(value.value)
        for value in _lingua().compute_language_confidence_values(text)
    }
    return round(found[language], DIGITS)


@cache
def _lingua() -> "LanguageDetector":
    from lingua import IsoCode639_1, LanguageDetectorBuilder  # noqa: PLC0415

    codes = (getattr(IsoCode639_1, language.upper()) for language in LATIN_LANGUAGES)
    return LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()


def ask_langdetect(text: str, language: str) -> float:
    """The probability by letter runs of one to three; what is under 0.1 langdetect leaves out."""
    from langdetect.lang_detect_exception import LangDetectException  # noqa: PLC0415

    detector = _langdetect().create()
    detector.append(text)
    try:
        found = {guess.lang: float(guess.prob) for guess in detector.get_probabilities()}
    except LangDetectException:  # no letter that it knows
        return NOT_APPLICABLE
    return found.get(language, 0.0)


@cache
def _langdetect() -> "DetectorFactory":
    """A detector of our own, so that its seed and languages disturb no other user of langdetect."""
    from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory  # noqa: PLC0415

    factory = DetectorFactory()
    factory.set_seed(SEED)
    factory.load_json_profile(
        [
            Path(PROFILES_DIRECTORY, language).read_text(encoding="utf-8")
            for language in LATIN_LANGUAGES
        ]
    )
    return factory


IDENTIFIERS: dict[str, Callable[[str, str], float]] = {
    "langdetect": ask_langdetect,
    "lingua": ask_lingua,
}
