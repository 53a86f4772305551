"""Trials are drawn by key, thresholds are fitted within their budget, files are read or refused."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from qa_filters.base import FilterError
from qa_filters.calibrate import measure, read_pairs, without_backs
from qa_filters.calibration import THRESHOLDS, Share, Threshold, fit, shares, shares_by_filter
from qa_filters.copy import Copy
from qa_filters.corruptions.base import Pair
from qa_filters.filters import standard_filters
from qa_filters.length import Length
from qa_filters.parallel import read_parallel
from qa_filters.round_trip import RoundTrip
from qa_filters.trials import HUMAN, draw_trials, try_filters, with_concepts

PAIRS = [
    Pair(f"p{number}", f"The child of {number} months has a high fever and cannot sleep at night.",
         f"Das {number} Monate alte Kind hat hohes Fieber und kann nachts nicht schlafen.", "de")
    for number in range(2, 30)
]  # fmt: skip


def test_trials_do_not_depend_on_the_order_of_pairs() -> None:
    trials = draw_trials(PAIRS, 5, 0)
    assert trials == draw_trials(PAIRS[::-1], 5, 0)
    assert trials != draw_trials(PAIRS, 5, 1)
    labels = [trial.label for trial in trials]
    assert labels.count(HUMAN) == 5
    assert labels.count("truncate") == 5
    assert "han_variant" not in labels


def test_shares_count_what_is_refused_by_all_and_by_each() -> None:
    outcomes = try_filters(draw_trials(PAIRS, 5, 0), {"copy": Copy(), "length": Length()})
    together = shares(outcomes)
    assert together[HUMAN, "de"] == Share(0, 5)
    assert together["copy_source", "de"] == Share(5, 5)
    alone = shares_by_filter(outcomes)
    assert alone["copy", "copy_source", "de"] == Share(5, 5)
    assert alone["length", "copy_source", "de"] == Share(0, 5)


@pytest.mark.parametrize("start", [0.1, 0.65, 2.0])
def test_a_threshold_becomes_as_strict_as_its_budget_allows(start: float) -> None:
    filters = {"length": Length(min_ratio=start)}
    outcomes = try_filters(draw_trials(PAIRS, 20, 0), filters)
    again = fit(outcomes, filters, 0.0, (Threshold("length", "min_ratio", +1),))["length"]
    human = [o for o in outcomes if o.trial.label == HUMAN]
    spoilt = [o for o in outcomes if o.trial.label == "truncate"]
    assert all(again.accepts(o.scores["length"], o.trial.candidate) for o in human)
    assert not any(again.accepts(o.scores["length"], o.trial.candidate) for o in spoilt)


def test_what_a_perfect_back_translation_always_meets_is_not_fitted() -> None:
    alone = {"round_trip": RoundTrip(min_chrf=10.0)}
    assert fit(try_filters(draw_trials(PAIRS, 5, 0), alone), alone) == alone
    real = [replace(p, back_translation=p.source_text.replace("high ", "")) for p in PAIRS]
    assert fit(try_filters(draw_trials(real, 5, 0), alone), alone) != alone


def test_a_threshold_stays_where_the_other_filters_do_its_work() -> None:
    outcomes = try_filters(draw_trials(PAIRS, 20, 0), {"length": Length(min_ratio=0.1)})
    by_others = [replace(o, refusing=o.refusing | {"sentences"}) for o in outcomes]
    filters = {"length": Length(min_ratio=0.1)}
    threshold = (Threshold("length", "min_ratio", +1),)
    assert fit(by_others, filters, 0.0, threshold) == filters
    assert fit(outcomes, filters, 0.0, threshold) != filters


def test_tables_rows_and_fragment() -> None:
    measured = measure(without_backs(PAIRS, 3, 0), {"misaligned": 2})
    text = measured.as_text()
    assert "truncate" in text
    assert "left out, misaligned: 2" in text
    assert '"kind": "human"' in measured.as_json()
    assert "[filters.length]\nmin_ratio = 0.6\n" in measured.as_fragment()
    assert 'identifier = "lingua"' in measured.as_fragment()


def test_concepts_are_those_that_a_term_list_knows_on_both_sides() -> None:
    terms = [
        Pair("t1", "high fever", "hohes Fieber", "de", "term"),
        Pair("t2", "night", "Abend", "de", "term"),
        Pair("t3", "fever", "fièvre", "fr", "term"),
    ]
    (first, *_) = with_concepts(PAIRS, terms)
    assert [concept.source for concept in first.concepts] == [("high fever",)]
    (term,) = with_concepts(terms[:1], terms)
    assert term.concepts[0].target == ("hohes Fieber",)


TMX = (
    '<tmx><body><tu tuid="{id}"><tuv xml:lang="en"><seg>pain</seg></tuv>'
    '<tuv xml:lang="{to}"><seg>{text}</seg></tuv></tu></body></tmx>'
)


@pytest.mark.parametrize(
    ("name", "content", "pairs", "left_out"),
    [
        ("a.tmx", TMX.format(id="A:1", to="fr-FR", text="douleur"), ["douleur"], {}),
        ("a.tmx", TMX.format(id="PubMed_8:1", to="fr", text="autre"), [], {"misaligned": 1}),
        ("a.tmx", TMX.format(id="PubMed_8:1", to="ru", text="боль"), ["боль"], {}),
        ("a.tmx", TMX.format(id="A:1", to="it", text="dolore"), [], {"language": 1}),
        ("a.csv", "targetLang,sourceString,targetString\nde_DE,pain (n.),Schmerz\n", ["Schmerz"],
         {}),
        ("a.csv", "targetLang,sourceString,targetString\nde_DE,pain,Schmerz/Weh\n", [],
         {"empty": 1}),
        ("a.tsv", 'id\ten\tde\tja\n1\tpain\t"Schmerz"\t\n', ['"Schmerz"'], {"empty": 1}),
        ("a.tsv", "source_language\ttarget_language\ttext\ttranslation\nen\tde\tpain\tSchmerz\n"
         "de\ten\tSchmerz\tpain\n", ["Schmerz"], {"language": 1}),
    ],
)  # fmt: skip
def test_parallel_text_is_read(
    tmp_path: Path, name: str, content: str, pairs: list[str], left_out: dict[str, int]
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    read = read_parallel(str(path))
    assert [pair.text for pair in read.pairs] == pairs
    assert read.left_out == left_out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "", r"ends in '.txt'; parallel text is .RRF, .csv, .tmx, .tsv"),
        ("a.csv", "a,b\n", "no column sourceString, targetLang, targetString"),
        ("a.tsv", "a\tb\n1\t2\n", "no column 'en'"),
        ("a.tmx", "<tmx>", r"a\.tmx: no TMX"),
        ("a.tsv", "en\tde\n", "no pair of English"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(FilterError, match=message):
        read_pairs([str(path)])


def test_the_defaults_are_those_that_the_docs_tell_of_calibration() -> None:
    page = Path(__file__).parents[2] / "docs" / "explanation" / "quality-filters.md"
    shown = tomllib.loads(page.read_text("utf-8").split("```toml\n")[1].split("```")[0])
    defaults = standard_filters()
    assert shown == {
        "filters": {
            name: {
                one.key: getattr(defaults[name], one.key)
                for one in THRESHOLDS
                if one.filter == name
            }
            for name in {one.filter for one in THRESHOLDS}
        }
    }
