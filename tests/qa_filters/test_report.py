"""Counts add up, examples do not depend on order, and the page is sound and self-contained."""

import dataclasses
import math
import random
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from pipeline.records import JudgedQuery, Query, Translation, Wording
from qa_filters.figures import as_rows, cores
from qa_filters.filters import FILTERS, standard_filters
from qa_filters.judge import judge
from qa_filters.length import Length
from qa_filters.page import render
from qa_filters.report import (
    Tally,
    bin_of,
    choose_examples,
    examples_of,
    margin_of,
    narrow_of,
    tally,
)

FILTER_SET = standard_filters()
TEXTS = (
    ("Was ist Fieber?", "de", "What is fever?"),
    ("What is fever?", "de", "What is fever?"),
    ("Was <b>ist</b> Fieber?", "de", "What is fever?"),
    ("¿Qué es la fiebre?", "es", "What is fever?"),
    ("¿Qué es el autobús?", "es", "Where is the bus going now?"),
    ("<script>alert(1)</script>", "fr", "&"),
)
VOID = {"meta", "br", "rect", "line"}


def judged_queries() -> list[JudgedQuery]:
    judged = []
    for number, (text, language, back) in enumerate(TEXTS):
        original = Wording("What is fever?", "en", (), 0)
        query = Query(f"qa-{number}", "qa", "", "s", "x", "source", original, (), (), (), "open")
        judged.append(
            judge(query, Translation(text, language, "mt", "e", "m", "r", back), FILTER_SET)
        )
    return judged


def test_counts_follow_the_verdicts() -> None:
    counts = tally(judged_queries(), FILTER_SET)
    steps = ("judged", "form", "content", "meaning")
    assert [counts["funnel", "qa", "de", step] for step in steps] == [3, 2, 1, 1]
    assert [counts["funnel", "qa", "es", step] for step in steps] == [2, 2, 2, 1]
    assert counts["filter", "copy", "de", "rejected"] == 1
    assert counts["filter", "concept_fidelity", "de", "abstained"] == 3
    assert counts["score", "round_trip", "es", "19", "accepted"] == 1
    assert counts["overlap", "markup", "markup"] == 2
    assert counts["refused", "qa", "fr", "markup"] == 1
    assert counts["kept", "qa", "qa-0", "de"] == 1
    assert ("kept", "qa", "qa-1", "de") not in counts
    assert ("overlap", "round_trip", "markup") not in counts


def test_counts_of_parts_add_up_to_the_whole() -> None:
    judged = judged_queries()
    parts = tally(judged[:2], FILTER_SET) + tally(judged[2:], FILTER_SET)
    assert parts == tally(judged, FILTER_SET)


def test_examples_do_not_depend_on_order_or_on_parts() -> None:
    examples = examples_of(judged_queries())
    chosen = choose_examples(examples, 1)
    shuffled = list(examples)
    random.Random(1).shuffle(shuffled)
    assert choose_examples(shuffled, 1) == chosen
    parts = choose_examples(shuffled[:3], 1) + choose_examples(shuffled[3:], 1)
    assert choose_examples(parts, 1) == chosen
    assert len({(example.filter, example.language) for example in chosen}) == len(chosen)


@pytest.mark.parametrize(
    ("score", "expected"), [(-1, 0), (0, 0), (49.9, 9), (50, 10), (100, 19), (1e9, 19)]
)
def test_scores_beyond_the_scale_stand_in_the_last_bars(score: float, expected: int) -> None:
    assert bin_of(score, (0.0, 100.0)) == expected


class Balance(HTMLParser):
    """Fails on an element that is closed out of turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_is_sound_self_contained_and_escapes_every_text() -> None:
    judged = judged_queries()
    examples = choose_examples(examples_of(judged), 3)
    page = render(tally(judged, FILTER_SET), examples, examples, FILTER_SET, "Quality <of> a & b")
    parser = Balance()
    parser.feed(page)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "b" not in parser.seen
    assert not re.search(r"https?:|src=|href=|@import|url\(", page)
    assert "Quality &lt;of&gt; a &amp; b" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<h3>") == len(FILTER_SET)
    assert (
        render(
            tally(judged[::-1], FILTER_SET), examples, examples, FILTER_SET, "Quality <of> a & b"
        )
        == page
    )


def test_every_threshold_within_its_scale_is_drawn() -> None:
    judged = judged_queries()
    page = render(tally(judged, FILTER_SET), [], [], FILTER_SET, "Quality")
    plot = re.search(r'aria-label="round_trip, de: \d scores">.*?</svg>', page)
    assert plot is not None
    # 40 of 100 on a drawing 200 wide.
    assert re.findall(r'<line x1="([\d.]+)"', plot[0]) == ["80.0"]
    for filter_ in FILTERS.values():
        assert all(hasattr(filter_, key) for key in filter_.thresholds)
        assert filter_.thresholds or filter_.name in ("flags", "markup")


@pytest.mark.parametrize(
    ("name", "score", "margin"),
    [
        ("round_trip", 45.0, 0.05),
        ("round_trip", 35.0, 0.05),
        ("copy", 0.234, 0.3),
        ("length", 1.9, 0.04),
        ("numbers", 1.0, math.inf),
        ("negation", 0.0, math.inf),
        ("flags", 0.0, math.inf),
        ("round_trip", math.nan, math.inf),
    ],
)
def test_a_margin_is_the_way_to_the_nearest_threshold(
    name: str, score: float, margin: float
) -> None:
    assert margin_of(score, FILTER_SET[name]) == pytest.approx(margin)


def test_the_worst_accepted_are_the_nearest_of_those_that_all_filters_accept() -> None:
    judged = judged_queries()
    narrow = narrow_of(judged, {**FILTER_SET, "length": Length(max_ratio=1.03)})
    assert narrow
    assert {example.query_id for example in narrow} <= {"qa-0", "qa-3"}
    assert all(example.margin <= 0.1 for example in narrow)
    (first,) = choose_examples([one for one in narrow if one.filter == "length"][:1], 1)
    assert first.filter == "length"
    far, near = (dataclasses.replace(first, margin=margin, text=f"{margin}") for margin in (0.1, 0))
    assert choose_examples([far, near], 1) == [near]


def test_the_core_is_what_every_language_keeps() -> None:
    kept = [
        ("a", "de"), ("a", "es"), ("a", "fr"), ("b", "de"), ("b", "es"), ("c", "de"), ("d", "es"),
        ("d", "fr"),
    ]  # fmt: skip
    counts: Tally = Counter(("kept", "qa", query, language) for query, language in kept)
    assert cores(counts) == {"qa": {"all": 1, "fr": 1, "de": 1}}
    rows = [(row["figure"], row["language"], row["count"]) for row in as_rows(counts)]
    assert rows == [("core", "", 1), ("missing", "de", 1), ("missing", "fr", 1)]


def test_rows_hold_every_count_and_agree_with_the_page() -> None:
    counts = tally(judged_queries(), FILTER_SET)
    rows = as_rows(counts)
    assert sum(row["count"] for row in rows if row["figure"] == "score") == sum(
        number for key, number in counts.items() if key[0] == "score"
    )
    refused = {
        row["language"]: row["count"]
        for row in rows
        if (row["figure"], row["filter"]) == ("refused", "round_trip")
    }
    assert refused == {"es": 1, "fr": 1}
    assert as_rows(Counter(dict(reversed(counts.items())))) == rows


def test_a_page_without_queries_says_so() -> None:
    page = render(tally([], FILTER_SET), [], [], FILTER_SET, "Empty")
    assert "Nothing was refused" in page
