import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translation.batches import BatchLimit, plan_batches, step_of

TEXTS = st.lists(st.text(max_size=50), max_size=40)
LIMITS = st.builds(
    BatchLimit,
    count=st.integers(1, 8),
    size=st.integers(1, 200),
    step=st.integers(1, 20),
)


@given(TEXTS, LIMITS, st.randoms())
def test_order_and_repetition_change_nothing(
    texts: list[str], limit: BatchLimit, random: random.Random
) -> None:
    expected = plan_batches(texts, limit)
    shuffled = texts + texts[:3]
    random.shuffle(shuffled)
    assert plan_batches(shuffled, limit) == expected


@given(TEXTS, LIMITS)
def test_batches_hold_every_text_once_within_the_limit(texts: list[str], limit: BatchLimit) -> None:
    batches = plan_batches(texts, limit)
    assert sorted(text for batch in batches for text in batch) == sorted(set(texts))
    for batch in batches:
        lengths = [len(text) for text in batch]
        assert len(batch) <= limit.count
        assert len(batch) == 1 or len(batch) * max(lengths) <= limit.size
        assert len({step_of(length, limit.step) for length in lengths}) == 1


def test_texts_go_by_length_then_alphabet() -> None:
    assert plan_batches(["ccc", "b", "a", "dd"], BatchLimit(count=2, size=99)) == [
        ("a", "b"),
        ("dd", "ccc"),
    ]


@pytest.mark.parametrize(("length", "expected"), [(0, 16), (1, 16), (16, 16), (17, 32)])
def test_step(length: int, expected: int) -> None:
    assert step_of(length, 16) == expected
