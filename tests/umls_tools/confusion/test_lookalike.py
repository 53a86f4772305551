"""Drug names that people confuse, against pairs of the same names that nobody listed."""

from collections.abc import Callable
from itertools import combinations
from statistics import mean

import pytest

from umls_tools.confusion.lookalike import confusable, sounded_alike, spelled_alike
from umls_tools.confusion.similarity import orthographic

Measure = Callable[[str, str], float]

# Pairs on the lists of confused drug names of the ISMP and the FDA.
CONFUSED = [
    ("Zantac", "Xanax"),
    ("Celebrex", "Celexa"),
    ("Lamictal", "Lamisil"),
    ("hydroxyzine", "hydralazine"),
    ("vinblastine", "vincristine"),
    ("clonidine", "clonazepam"),
    ("Losec", "Lasix"),
    ("prednisone", "prednisolone"),
    ("bupropion", "buspirone"),
    ("chlorpromazine", "chlorpropamide"),
    ("tramadol", "trazodone"),
    ("Novolog", "Novolin"),
    ("Paxil", "Taxol"),
    ("Sarafem", "Serophene"),
    ("dopamine", "dobutamine"),
    ("quinine", "quinidine"),
    ("sulfadiazine", "sulfasalazine"),
    ("Topamax", "Toprol"),
    ("Foradil", "Toradol"),
    ("Zyprexa", "Zyrtec"),
    ("Cerebyx", "Celebrex"),
    ("metformin", "metronidazole"),
    ("Amaryl", "Reminyl"),
]
NAMES = sorted({name for pair in CONFUSED for name in pair})
OTHERS = [pair for pair in combinations(NAMES, 2) if not {pair, pair[::-1]} & set(CONFUSED)]


def above(measure: Measure, threshold: float, pairs: list[tuple[str, str]]) -> float:
    return mean(measure(*pair) >= threshold for pair in pairs)


@pytest.mark.parametrize("measure", [spelled_alike, sounded_alike, confusable])
def test_confused_names_score_above_others(measure: Measure) -> None:
    listed = [measure(*pair) for pair in CONFUSED]
    unlisted = [measure(*pair) for pair in OTHERS]
    wins = mean((one > other) + (one == other) / 2 for one in listed for other in unlisted)
    assert wins > 0.97


def test_the_two_together_tell_best_at_the_tier_s_threshold() -> None:
    """The threshold was chosen on these pairs, so this says what it does and not how well."""
    assert sum(confusable(*pair) >= 0.5 for pair in CONFUSED) == 20
    assert len(CONFUSED) == 23
    assert above(confusable, 0.5, OTHERS) <= 0.03
    assert above(sounded_alike, 0.5, OTHERS) > above(confusable, 0.5, OTHERS)
    assert above(spelled_alike, 0.5, CONFUSED) <= above(confusable, 0.5, CONFUSED)


@pytest.mark.parametrize(
    ("left", "right", "size", "expected"),
    [
        # aabc and aabd: aa-aa and ab-ab agree in both letters, bc-bd in one.
        ("abc", "abd", 2, 5 / 6),
        ("abc", "abd", 1, 2 / 3),
        ("abc", "abd", 3, 8 / 9),
        ("abc", "abc", 2, 1.0),
        ("abc", "xyz", 2, 0.0),
        ("", "abc", 2, 0.0),
        ("", "", 2, 0.0),
    ],
)
def test_n_sim_by_hand(left: str, right: str, size: int, expected: float) -> None:
    assert spelled_alike(left, right, size) == pytest.approx(expected, abs=1e-6)
    assert spelled_alike(right, left, size) == spelled_alike(left, right, size)


def test_two_ways_to_write_bi_sim_agree() -> None:
    for pair in combinations(NAMES, 2):
        assert spelled_alike(*pair) == orthographic(*pair)
        assert confusable(*pair) == confusable(*pair[::-1])


def test_what_sounds_the_same_is_alike_however_it_is_spelled() -> None:
    assert sounded_alike("Kaletra", "Caletra") == 1.0
    assert spelled_alike("Kaletra", "Caletra") < 1.0
