import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.records import (
    Concept,
    JudgedQuery,
    Name,
    Query,
    Translation,
    Verdict,
    Wording,
)
from pipeline.text import normalise
from splits.keys import text_key
from splits.near_duplicates import jaccard
from splits.select import (
    Contender,
    Released,
    Rules,
    Selection,
    SelectionError,
    contender_of,
    select,
)

SLOTS = (("qa", ""), ("concepts", "hard"), ("evidence", ""))
RULES = Rules(("en", "de"), dict.fromkeys(SLOTS, 9), seed=1)


def contender(query: str, language: str, text: str, back: str = "", refused: str = "") -> Contender:
    task = query.split("-", maxsplit=1)[0]
    origin = "source" if language == "en" else "mt"
    refused_by = (refused,) if refused else ()
    stratum = "hard" if task == "concepts" else ""
    return Contender(query, task, stratum, language, text, origin, back, refused_by, ())


def reasons(selection: Selection) -> dict[str, str]:
    return {reject.key: reject.reason for reject in selection.rejects}


def test_a_contender_keeps_what_selecting_needs() -> None:
    names = (
        Name("Gout", "en", "S", "PT", "A1", 0, True),
        Name("Gicht", "de", "S", "PT", "A2", 0, True),
    )
    query = Query(
        "qa-1",
        "qa",
        "",
        "s:1",
        "s",
        "source",
        Wording("What is gout?", "en", (), 0),
        (),
        (Concept("C0018099", names, ()),),
        (),
        "CC0",
    )
    translation = Translation("Was ist Gicht?", "de", "mt", back_translation="What's gout?")
    verdicts = (Verdict("script", 1, True), Verdict("numbers", 0, False))
    assert contender_of(JudgedQuery(query, translation, verdicts)) == Contender(
        "qa-1",
        "qa",
        "",
        "de",
        "Was ist Gicht?",
        "mt",
        "What's gout?",
        ("numbers",),
        (text_key("gout"),),
        "qa-1",
    )


def test_queries_in_most_languages_go_first() -> None:
    pool = [contender(f"qa-{n}", "en", f"question number {n} of many") for n in range(8)]
    pool += [contender("qa-5", "de", "frage"), contender("qa-6", "de", "andere", refused="script")]
    selection = select(pool, replace(RULES, quotas=RULES.quotas | {("qa", ""): 2}))
    assert {"qa-5"} == {one.query_id for one in selection.released if one.parallel_core}
    assert len({one.query_id for one in selection.released}) == 2
    assert reasons(selection)["qa-6/de"] == "not_accepted"
    assert Counter(reasons(selection).values()) == {"over_quota": 6, "not_accepted": 1}
    assert selection.shortfall == {("concepts", "hard"): 9, ("evidence", ""): 9, ("qa", ""): 0}


@pytest.mark.parametrize(
    ("left", "right", "dropped"),
    [
        # qa-1 stands in English too: of two translations its own is kept.
        (
            ("de", "Was ist Gicht", ""),
            ("de", "was ist GICHT?", ""),
            "evidence-1/de text_of_other_task",
        ),
        (("de", "Gicht", "gout"), ("de", "Podagra", "Gout!"), "evidence-1/de text_of_other_task"),
        (("de", "Gicht heilen", ""), ("de", "Gichte heilen", ""), ""),
        (
            ("de", "Ursachen der Gicht", ""),
            ("de", "Ursachen der Gichte", ""),
            "evidence-1/de near_duplicate",
        ),
        # A translation gives way to a wording of the source.
        (("de", "Gicht", "gout"), ("en", "Gout", ""), "qa-1/de text_of_other_task"),
        (("de", "Ursachen der Gicht", ""), ("en", "Ursachen der Gichte", ""), ""),
        (("de", "Gicht", ""), ("de", "Krätze", ""), ""),
        (("de", "Gicht", "?"), ("de", "Krätze", "!"), ""),
    ],
)
def test_what_coincides_with_another_task_is_dropped_in_its_language(
    left: tuple[str, str, str], right: tuple[str, str, str], dropped: str
) -> None:
    pool = [
        contender("qa-1", *left),
        contender("evidence-1", *right),
        contender("qa-1", "en", "an English wording"),
    ]
    selection = select(pool, RULES)
    assert " ".join(f"{one.key} {one.reason}" for one in selection.rejects) == dropped
    assert len(selection.released) == (2 if dropped else 3)
    core = dropped.startswith("qa") is False
    assert Released("qa-1", "en", core) in selection.released


def test_a_translation_gives_way_to_the_name_that_another_task_shows() -> None:
    shown = replace(contender("concepts-1", "en", "podagra"), names=(text_key("gout"),))
    asked = contender("qa-1", "de", "Gout")
    selection = select([asked, shown], RULES)
    assert reasons(selection) == {"qa-1/de": "name_of_other_task"}
    own = replace(asked, query_id="concepts-2", task="concepts", stratum="hard")
    assert reasons(select([own, shown], RULES)) == {}


def test_two_queries_of_one_slot_do_not_ask_in_the_same_words() -> None:
    pool = [
        contender("concepts-1", "en", "swelling"),
        contender("concepts-1", "de", "Krankheit"),
        contender("concepts-2", "de", "Krankheit!"),
        contender("concepts-3", "de", "Leiden"),
    ]
    selection = select(pool, RULES)
    assert [(one.key, one.reason) for one in selection.rejects] == [("concepts-2/de", "not_unique")]
    assert select(pool[::-1], RULES) == selection


def test_languages_may_have_quotas_of_their_own() -> None:
    pool = [
        contender(f"qa-{n}", lang, f"{lang} {n}{n}{n}")
        for n in range(5)
        for lang in RULES.languages
    ]
    selection = select(pool, replace(RULES, language_quotas={("qa", ""): {"de": 2}}))
    assert Counter(one.language for one in selection.released) == {"en": 5, "de": 2}
    assert sum(one.parallel_core for one in selection.released) == 4
    assert set(reasons(selection).values()) == {"over_language_quota"}


@pytest.mark.parametrize(
    ("floor", "kept_back", "core"),
    [
        (2, {}, {"qa-1", "qa-2"}),
        (
            3,
            dict.fromkeys(["qa-1/de", "qa-2/de"], "below_language_floor"),
            {"qa-1", "qa-2", "qa-3"},
        ),
        (4, dict.fromkeys(["qa-1/de", "qa-1/en", "qa-2/de", "qa-2/en", "qa-3/en"],
                          "below_language_floor"), set()),
    ],
)  # fmt: skip
def test_a_language_with_too_few_queries_is_kept_back_and_not_missed_in_the_core(
    floor: int, kept_back: dict[str, str], core: set[str]
) -> None:
    pool = [contender(f"qa-{n}", "en", f"What is gout of kind {'abc'[n - 1] * 9}?") for n in
            (1, 2, 3)]  # fmt: skip
    pool += [contender(f"qa-{n}", "de", f"Was ist Gicht der Art {'xyz'[n - 1] * 9}?") for n in
             (1, 2)]  # fmt: skip
    selection = select(pool, replace(RULES, floors={("qa", ""): floor}))
    assert reasons(selection) == kept_back
    assert {one.query_id for one in selection.released if one.parallel_core} == core
    details = {reject.detail for reject in selection.rejects}
    assert details <= {f"2 of at least {floor}", f"3 of at least {floor}"}


@pytest.mark.parametrize(
    ("pool", "message"),
    [
        ([contender("qa-1", "en", "a"), contender("qa-1", "en", "b")], "qa-1/en stands twice"),
        ([contender("qa-1", "pt", "a")], "none of the plan's languages"),
        ([contender("other-1", "en", "a")], "no quota for other"),
    ],
)
def test_what_the_plan_does_not_provide_for(pool: list[Contender], message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        select(pool, RULES)


WORDS = st.sampled_from(["gout", "gouts", "pain", "chronic pain", "chronic pains", "痛風", ""])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(SLOTS), st.integers(0, 5), st.sampled_from("ed"), WORDS, WORDS),
        max_size=25,
        unique_by=lambda drawn: drawn[:3],
    ),
    st.integers(0, 4),
    st.randoms(use_true_random=False),
)
def test_no_overlap_is_left_whatever_the_order(
    drawn: list[tuple[tuple[str, str], int, str, str, str]], quota: int, shuffler: random.Random
) -> None:
    pool = [
        contender(f"{task}-{n}", {"e": "en", "d": "de"}[language], text, back)
        for (task, _), n, language, text, back in drawn
    ]
    rules = replace(RULES, quotas=dict.fromkeys(SLOTS, quota))
    selection = select(pool, rules)
    released = {(one.query_id, one.language) for one in selection.released}
    kept = [one for one in pool if (one.query_id, one.language) in released]
    assert len(kept) + len(selection.rejects) == len(pool)
    for one in kept:
        for other in kept:
            if one.task != other.task:
                check_apart(one, other)
    shuffler.shuffle(pool)
    assert select(pool, rules) == selection


def check_apart(one: Contender, other: Contender) -> None:
    mine, theirs = ({normalise(c.text), normalise(c.back_translation)} - {""} for c in (one, other))
    assert not mine & theirs
    if one.language == other.language:
        assert jaccard(one.text, other.text) < 0.7
