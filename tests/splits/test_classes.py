import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splits.candidates import Candidate
from splits.claim import claim
from splits.classes import Classes, classes_of, with_classes

Pair = tuple[str, str]


def holding(name: str, cui: str, synonyms: list[Pair], family: Sequence[Pair] = ()) -> Candidate:
    """A candidate about one concept, with those of the relations that are its own."""
    said = [f"edge:{min(pair)}|{max(pair)}" for pair in synonyms if cui in pair]
    kin = [f"edge:{min(pair)}|{max(pair)}" for pair in family if cui in pair]
    keys = tuple(sorted([f"cui:{cui}", *said, *kin]))
    return Candidate(name, name[0], "", keys, synonyms=tuple(said))


def sets(classes: Classes) -> list[str]:
    found: dict[str, str] = {}
    for cui, name in sorted(classes.names.items()):
        found[name] = found.get(name, "") + cui
    return list(found.values())


CHAIN = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E")]
HUB = [("H", end) for end in "ABCDEF"]


@pytest.mark.parametrize(
    ("synonyms", "family", "most", "expected", "cut"),
    [
        pytest.param(CHAIN, (), 8, ["ABCDE"], {}, id="a chain is one class"),
        pytest.param(CHAIN, (), 4, ["ABCD"], {"D": 1}, id="cut between pieces"),
        pytest.param(CHAIN, (), 1, [], {"B": 1, "C": 1, "D": 2}, id="none at all"),
        pytest.param(HUB, (), 7, ["ABCDEFH"], {}, id="a concept with few neighbours"),
        pytest.param(HUB, (), 6, [], {"H": 6}, id="a dose form ties nobody"),
        pytest.param([*HUB, ("A", "B")], (), 6, ["AB"], {"H": 6}, id="but what it ties not"),
        pytest.param(CHAIN[1:3], CHAIN[:1], 3, ["BCD"], {"B": 1}, id="a synonym goes first"),
        pytest.param([("A", "B")], (("A", "B"),), 2, ["AB"], {}, id="of two kinds the stronger"),
        pytest.param([("A", "B"), ("C", "D")], (), 2, ["AB", "CD"], {}, id="apart"),
        pytest.param([], (), 8, [], {}, id="nothing"),
    ],
)
def test_what_hangs_together(
    synonyms: list[Pair],
    family: tuple[Pair, ...],
    most: int,
    expected: list[str],
    cut: dict[str, int],
) -> None:
    pool = [holding(f"q-{cui}", cui, synonyms, family) for cui in "ABCDEFH"]
    found = classes_of(pool, most)
    assert (sets(found), found.cut) == (expected, cut)
    sizes = [len(one) for one in expected]
    assert found.report() == {
        "number": len(sizes),
        "largest": max(sizes, default=0),
        "cut": sum(cut.values()),
        "cut_most_at": dict(sorted(cut.items(), key=lambda item: (-item[1], item[0]))),
    }


def test_synonyms_of_a_third_that_nobody_asks_about_are_kept_apart() -> None:
    pool = [holding("a-1", "A", CHAIN[:2]), holding("b-1", "C", CHAIN[:2])]
    quotas = {("a", ""): 1, ("b", ""): 1}
    assert len(claim(pool, quotas, 3).accepted) == 2
    classed = with_classes(pool, classes_of(pool, 16))
    outcome = claim(classed, quotas, 3)
    assert len(outcome.accepted) == 1
    assert outcome.contended == {"class": 1}
    assert [one.detail[:7] for one in outcome.rejects] == ["class:A"]


def test_direct_relations_stay_apart_where_a_class_was_cut() -> None:
    pool = [holding("a-1", "H", HUB), holding("b-1", "A", HUB), holding("c-1", "B", HUB)]
    quotas = {("a", ""): 1, ("b", ""): 1, ("c", ""): 1}
    classed = with_classes(pool, classes_of(pool, 2))
    for seed in range(4):
        assert claim(classed, quotas, seed).accepted == ("a-1",)
        # Two that have nothing but a dose form in common may be of two tasks.
        assert claim(classed[1:], quotas, seed).accepted == ("b-1", "c-1")


pairs = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 14), st.booleans()).filter(
        lambda edge: edge[0] != edge[1]
    ),
    max_size=30,
)


@settings(max_examples=120, deadline=None)
@given(pairs, st.integers(1, 8), st.randoms(use_true_random=False))
def test_classes_are_bounded_whatever_the_order(
    edges: list[tuple[int, int, bool]], most: int, shuffler: random.Random
) -> None:
    names = [f"C{number:02}" for number in range(15)]
    synonyms = [(names[one], names[other]) for one, other, strong in edges if strong]
    family = tuple((names[one], names[other]) for one, other, strong in edges if not strong)
    pool = [holding(f"q-{cui}", cui, synonyms, family) for cui in names]
    found = classes_of(pool, most)
    together = sets(found)
    assert all(3 < len(one) <= 3 * most for one in together)
    assert set(found.names) <= {cui for pair in (*synonyms, *family) for cui in pair}
    apart = {
        tuple(sorted(pair))
        for pair in (*synonyms, *family)
        if found.names.get(pair[0], "") != found.names.get(pair[1], "-")
    }
    assert len(apart) <= sum(found.cut.values())
    assert bool(apart) <= bool(found.cut)
    shuffler.shuffle(pool)
    assert classes_of(pool, most) == found
    for one, classed in zip(pool, with_classes(pool, found), strict=True):
        assert set(one.keys) <= set(classed.keys)
        assert list(classed.keys) == sorted(classed.keys)
