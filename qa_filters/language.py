"""Rejects long text that is plainly in another of the plan's languages."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.words import script_of

if TYPE_CHECKING:
    from langdetect.detector_factory import DetectorFactory

LATIN_LANGUAGES = ("de", "en", "es", "fr")
SCRIPT_LANGUAGES = {"Cyrl": ("ru",), "Kana": ("ja",), "Hang": ("ko",), "Hani": ("ja", "zh")}
KANA_SHARE = 0.05  # of the letters; a Chinese text may quote a Japanese name
WIDE_SHARE = 1 / 3  # of the letters; the rest may be Latin names
SEED = 0


@dataclass(frozen=True)
class LanguageIdentity(Filter):
    """The probability that the text is in its language: by script, then by letter statistics.

    Kana means Japanese, Cyrillic Russian, Han alone either Chinese or Japanese. Only among the
    languages in Latin letters are statistics needed (langdetect with those four profiles and a
    fixed seed), and only from ``min_letters`` letters on: shorter text is left to other filters.
    """

    min_probability: float = 0.1
    min_letters: int = 30

    name: ClassVar[str] = "language"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording and for short text in Latin letters."""
        if not candidate.is_machine_made:
            return NOT_APPLICABLE
        scripts = [script for script in map(script_of, candidate.text) if script]
        wide = [script for script in scripts if script in SCRIPT_LANGUAGES]
        if wide and len(wide) >= WIDE_SHARE * len(scripts):
            return float(candidate.language in SCRIPT_LANGUAGES[_deciding_script(wide)])
        if candidate.language not in LATIN_LANGUAGES or len(scripts) < self.min_letters:
            return NOT_APPLICABLE
        return _probability(candidate.text, candidate.language)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_probability``."""
        return score >= self.min_probability


def _deciding_script(scripts: list[str]) -> str:
    if scripts.count("Kana") > KANA_SHARE * len(scripts) and "Hang" not in scripts:
        return "Kana"
    return max(sorted(set(scripts) - {"Kana"}), key=scripts.count)


def _probability(text: str, language: str) -> float:
    from langdetect.lang_detect_exception import LangDetectException  # noqa: PLC0415

    detector = _factory().create()
    detector.append(text)
    try:
        found = {guess.lang: float(guess.prob) for guess in detector.get_probabilities()}
    except LangDetectException:  # no letter that it knows
        return NOT_APPLICABLE
    return found.get(language, 0.0)  # langdetect leaves out what is under 0.1


@cache
def _factory() -> "DetectorFactory":
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
