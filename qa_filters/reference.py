"""How near translations are to those of people: what no filter may see, and a report can show."""

from collections.abc import Mapping, Sequence

from pipeline.records import JudgedQuery, TranslationRequest
from pipeline.text import normalise
from qa_filters.chrf import chrf
from qa_filters.report import ACCEPTED, REJECTED, Tally

References = Mapping[TranslationRequest, str]

TEXTS, HUNDREDTHS, EQUAL = "texts", "hundredths", "equal"
"""Kinds of counts: texts with a reference, their chrF summed in hundredths, those equal to it."""


def compare(judged: JudgedQuery, references: References) -> Tally:
    """Counts for a machine's translation that has a reference, under what was decided of it.

    The keys are ("reference", language, decision, kind). chrF (0 to 100) is rounded to hundredths,
    so that sums of parts do not depend on their order.
    """
    query, made = judged.query, judged.translation
    asked = TranslationRequest(query.original.text, query.original.language, made.language)
    meant = references.get(asked) if made.origin == "mt" else None
    if meant is None:
        return Tally()
    decision = ACCEPTED if judged.accepted else REJECTED
    counts = {
        TEXTS: 1,
        HUNDREDTHS: round(chrf(made.text, [meant]) * 100),
        EQUAL: int(normalise(made.text) == normalise(meant)),
    }
    return Tally({("reference", made.language, decision, kind): n for kind, n in counts.items()})


def languages_compared(counts: Tally) -> list[str]:
    """The languages in which something was compared."""
    return sorted({key[1] for key in counts if key[0] == "reference"})


def summed_up(counts: Tally, language: str, decisions: Sequence[str]) -> tuple[int, int, float]:
    """Of the texts that were decided so: how many, how many equal, and the mean chrF."""
    texts, equal, hundredths = (
        sum(counts["reference", language, decision, kind] for decision in decisions)
        for kind in (TEXTS, EQUAL, HUNDREDTHS)
    )
    return texts, equal, hundredths / 100 / texts if texts else float("nan")
