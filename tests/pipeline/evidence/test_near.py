import itertools

import pytest

from pipeline.evidence.near import Sketch, jaccard, near_duplicates, sketch_of, telling
from pipeline.text import normalise

# Some sixty words that mean nothing, so that a change of one word is a change of few grams.
FILLER = " ".join(
    f"{one}{two}" for one in ("ba", "de", "ki", "lo", "mu") for two in "abcdefghijklmno"
)
TEXT = f"{FILLER} the fracture of the femur heals within weeks {FILLER[::-1]}"


def near(*texts: str, threshold: float = 0.9) -> dict[str, str]:
    sketches = [sketch_of(f"p{number}", text) for number, text in enumerate(texts)]
    outcomes = [near_duplicates(order, threshold) for order in itertools.permutations(sketches)]
    assert all(one == outcomes[0] for one in outcomes)
    return outcomes[0]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # function words, an addition at either end
        (TEXT.replace("of the femur", "of a femur"), {"p1": "p0"}),
        (f"{TEXT} Information is available", {"p1": "p0"}),
        (f"What heals? {TEXT}", {"p1": "p0"}),
        # another thing, side, number, negation, direction
        (TEXT.replace("femur", "tibia"), {}),
        (TEXT.replace("femur", "distal femur"), {}),
        (f"{TEXT} in 12 weeks", {}),
        (f"{TEXT} is not seen", {}),
        (f"{TEXT} and increases", {}),
        (f"{TEXT} in hypertension", {}),
        # an addition in the middle is a qualifier
        (TEXT.replace("fracture", "atypical fracture"), {}),
        # too much
        (f"{TEXT} {FILLER.replace('a', 'x')}", {}),
        ("the femur heals", {}),
    ],
)
def test_what_is_near(changed: str, expected: dict[str, str]) -> None:
    assert near(TEXT, changed) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the left femur", "the right femur"),
        ("grew by 5 %", "grew by 6 %"),
        ("p < 0.05", "p > 0.05"),
        ("a change of -3", "a change of 3"),
        ("pain was present", "pain was not present"),
        ("with fever", "without fever"),
        ("hyperkalaemia", "hypokalaemia"),
        ("it doesn’t heal", "it does heal"),
        ("benign growth", "malignant growth"),
    ],
)
def test_what_must_not_differ(one: str, other: str) -> None:
    assert telling(one) != telling(other)
    assert telling(f"{one} {other}") == telling(f"{other} {one}")


@pytest.mark.parametrize(
    ("one", "other"), [("p < 0.05", "p<0.05"), ("5–10 mg", "5-10 mg"), ("Left", "left")]
)
def test_how_it_is_written_tells_nothing(one: str, other: str) -> None:
    assert telling(one) == telling(other)


def test_near_ones_of_near_ones_are_kept_under_the_smallest_id() -> None:
    assert near(TEXT, f"{TEXT} one two", f"zero {TEXT}", "else", FILLER) == {"p1": "p0", "p2": "p0"}


def test_the_threshold_is_that_of_jaccard() -> None:
    longer = f"{TEXT} one two three"
    exact = jaccard(normalise(TEXT), normalise(longer))
    assert near(TEXT, longer, threshold=exact) == {"p1": "p0"}
    assert near(TEXT, longer, threshold=exact + 1e-9) == {}


def test_jaccard_counts_runs_of_five_words() -> None:
    assert jaccard("a b c d e f", "a b c d e g") == pytest.approx(1 / 3)
    assert jaccard("a b c d e f", "a b c d e f") == 1


def test_a_text_shorter_than_a_gram_is_near_none() -> None:
    assert sketch_of("p", "Ask your doctor.") == Sketch("p", (), "ask your doctor")
