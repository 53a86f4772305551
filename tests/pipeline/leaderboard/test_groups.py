"""Systems that no test tells apart share a group."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.leaderboard.groups import rank_groups

NAMES = "abcde"


@pytest.mark.parametrize(
    ("ranked", "apart", "groups"),
    [
        ("abc", [], {"a": (1,), "b": (1,), "c": (1,)}),
        ("abc", ["ac"], {"a": (1,), "b": (1, 2), "c": (2,)}),
        ("abc", ["ab", "ac", "bc"], {"a": (1,), "b": (2,), "c": (3,)}),
        ("abc", ["ab", "ac"], {"a": (1,), "b": (2,), "c": (2,)}),
        ("abc", ["ab"], {"a": (1,), "b": (2,), "c": (1, 2)}),
        ("cab", ["cb"], {"c": (1,), "a": (1, 2), "b": (2,)}),
        ("a", [], {"a": (1,)}),
    ],
)
def test_groups(ranked: str, apart: list[str], groups: dict[str, tuple[int, ...]]) -> None:
    assert rank_groups(ranked, {frozenset(pair) for pair in apart}) == groups


@given(st.sets(st.sampled_from([frozenset(pair) for pair in combinations(NAMES, 2)])))
def test_a_group_is_shared_exactly_by_those_not_told_apart(apart: set[frozenset[str]]) -> None:
    groups = rank_groups(NAMES, apart)
    for one, other in combinations(NAMES, 2):
        shared = set(groups[one]) & set(groups[other])
        assert bool(shared) == (frozenset((one, other)) not in apart)
