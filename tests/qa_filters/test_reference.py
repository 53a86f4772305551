import math

import pytest

from pipeline.records import JudgedQuery, Query, Translation, TranslationRequest, Verdict, Wording
from qa_filters.page import render
from qa_filters.reference import compare, languages_compared, summed_up
from qa_filters.report import ACCEPTED, REJECTED, Tally

WHY = TranslationRequest("Why does it itch?", "en", "de")
REFERENCES = {WHY: "Warum juckt es?"}
BOTH = (ACCEPTED, REJECTED)


def judged(
    text: str, origin: str = "mt", language: str = "de", accepted: bool = True
) -> JudgedQuery:
    original = Wording(WHY.text, "en", (), 0)
    query = Query("q", "qa", "", "s", "t", "source", original, (), (), (), "CC0-1.0")
    verdicts = (Verdict("script", 1.0, accepted),)
    return JudgedQuery(query, Translation(text, language, origin), verdicts)


@pytest.mark.parametrize(
    ("one", "decisions", "expected"),
    [
        (judged("Warum juckt es?"), BOTH, (1, 1, 100.0)),
        (judged("warum juckt es"), BOTH, (1, 1, pytest.approx(80, abs=20))),
        (judged("Bzzz"), BOTH, (1, 0, pytest.approx(2, abs=2))),
        (judged("Warum juckt es?", accepted=False), (REJECTED,), (1, 1, 100.0)),
        (judged("Warum juckt es?", accepted=False), (ACCEPTED,), (0, 0, None)),
        # what a source words itself, or what has no reference, is not compared
        (judged("Warum juckt es?", origin="umls"), BOTH, (0, 0, None)),
        (judged("Pourquoi ?", language="fr"), BOTH, (0, 0, None)),
    ],
)
def test_what_is_compared(
    one: JudgedQuery, decisions: tuple[str, ...], expected: tuple[int, int, float | None]
) -> None:
    texts, equal, mean = summed_up(compare(one, REFERENCES), "de", decisions)
    assert (texts, equal) == expected[:2]
    assert math.isnan(mean) if expected[2] is None else mean == expected[2]


def test_parts_add_up_and_stand_on_the_page() -> None:
    counts: Tally = Tally()
    for one in (judged("Warum juckt es?"), judged("Bzzz", accepted=False)):
        counts.update(compare(one, REFERENCES))
    assert languages_compared(counts) == ["de"]
    page = render(counts, [], [], {}, "Title")
    assert "Beside reference translations" in page
    assert "100.0<br><small>1 · 1</small>" in page
    assert "Beside reference translations" not in render(Tally(), [], [], {}, "Title")
