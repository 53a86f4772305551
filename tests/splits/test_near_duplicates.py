import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splits.near_duplicates import jaccard, pairs

LETTERS = {"en": "abcde fghi", "ja": "糖尿病の治療は何ですか", "zh": "高血压糖尿病患者症状"}


def brute_force(
    texts: dict[str, tuple[str, str]], threshold: float
) -> list[tuple[str, str, float]]:
    found = []
    for one, other in itertools.combinations(sorted(texts), 2):
        similarity = jaccard(texts[one][1], texts[other][1])
        if texts[one][0] != texts[other][0] and similarity >= threshold:
            found.append((one, other, similarity))
    return found


def edited(text: str, draws: random.Random, letters: str) -> str:
    """A text with up to four letters changed, lost or added."""
    for _ in range(draws.randrange(5)):
        at = draws.randrange(len(text) + 1)
        text = (
            text[:at] + draws.choice(["", draws.choice(letters)]) + text[at + draws.randrange(2) :]
        )
    return text


@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("threshold", [0.3, 0.7, 0.8, 1.0])
def test_finds_what_brute_force_finds(language: str, threshold: float) -> None:
    draws = random.Random(f"{language}{threshold}")
    letters = LETTERS[language]
    seeds = ["".join(draws.choices(letters, k=draws.randrange(1, 60))) for _ in range(30)]
    texts = {
        f"t{number}": (draws.choice("abc"), edited(draws.choice(seeds), draws, letters))
        for number in range(150)
    }
    expected = brute_force(texts, threshold)
    assert len(expected) > 10
    assert pairs(texts, threshold) == expected


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("xy"), st.text("ab c糖尿", max_size=12)), max_size=14),
    st.sampled_from([0.2, 0.5, 0.7, 0.9]),
)
def test_finds_what_brute_force_finds_in_short_texts(
    drawn: list[tuple[str, str]], threshold: float
) -> None:
    texts = {f"t{number:02}": pair for number, pair in enumerate(drawn)}
    assert pairs(texts, threshold) == brute_force(texts, threshold)
    backwards = dict(reversed(texts.items()))
    assert pairs(backwards, threshold) == pairs(texts, threshold)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("abcdefghijkl", "abcdefghijkm", True),  # 7 of 9 grams
        ("abcdefghijk", "abcdefghijkxyz", True),  # 7 of 10: exactly the threshold
        ("abcdefghij", "abcdefghijxyz", False),  # 6 of 9
        ("Gout", "gout!", True),
        ("gout", "gouts", False),
        ("高血压", "高血压", True),
        ("left femur", "left femurs", True),
    ],
)
def test_near_or_not(one: str, other: str, near: bool) -> None:
    assert bool(pairs({"a": ("qa", one), "b": ("evidence", other)})) is near


def test_texts_of_one_group_are_no_pair() -> None:
    assert pairs({"a": ("qa", "what is gout"), "b": ("qa", "what is gout")}) == []


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01])
def test_a_threshold_that_means_nothing(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        pairs({}, threshold)
