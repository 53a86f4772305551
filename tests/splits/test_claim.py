import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splits.candidates import Candidate, ClaimError
from splits.claim import Claim, Contention, claim
from splits.shares import Shares

SLOTS = [("qa", ""), ("evidence", ""), ("concepts", "easy"), ("concepts", "hard")]


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    keys = st.sets(st.integers(0, 25).map(lambda n: f"cui:C{n}"), max_size=4)
    count = draw(st.integers(0, 40))
    pool = []
    for number in range(count):
        task, stratum = draw(st.sampled_from(SLOTS))
        held = tuple(sorted(draw(keys)))
        unique = (f"gold:{min(held)}",) if task == "concepts" and held else ()
        rank = float(draw(st.integers(0, 1)))
        pool.append(Candidate(f"{task}-{number}", task, stratum, held, rank, unique))
    return pool


@settings(max_examples=80, deadline=None)
@given(
    pools(), st.integers(0, 12), st.integers(-5, 5), st.randoms(use_true_random=False), st.data()
)
def test_no_two_tasks_share_a_key_whatever_the_order(
    pool: list[Candidate], quota: int, seed: int, shuffler: random.Random, data: st.DataObject
) -> None:
    quotas = dict.fromkeys(SLOTS, quota)
    ids = [one.candidate_id for one in pool]
    pick = st.sampled_from(ids) if ids else st.nothing()
    conflicts = data.draw(st.lists(st.tuples(pick, pick), max_size=8)) if ids else []
    outcome = claim(pool, quotas, seed, conflicts)
    check(pool, quotas, conflicts, outcome)
    shuffler.shuffle(pool)
    shuffler.shuffle(conflicts)
    turned = [pair[::-1] for pair in conflicts]
    assert claim(iter(pool), dict(reversed(quotas.items())), seed, turned) == outcome


def check(
    pool: list[Candidate],
    quotas: dict[tuple[str, str], int],
    conflicts: list[tuple[str, str]],
    outcome: Claim,
) -> None:
    accepted = [one for one in pool if one.candidate_id in outcome.accepted]
    owners: dict[str, set[str]] = {}
    for one in accepted:
        for key in one.keys:
            owners.setdefault(key, set()).add(one.task)
    assert all(len(tasks) == 1 for tasks in owners.values())
    assert Counter(min(tasks) for tasks in owners.values()) == outcome.owned
    unique = Counter((one.task, key) for one in accepted for key in one.unique)
    assert all(count == 1 for count in unique.values())
    for one, other in conflicts:
        assert one == other or not {one, other} <= set(outcome.accepted)
    filled = Counter((one.task, one.stratum) for one in accepted)
    assert outcome.shortfall == {slot: quotas[slot] - filled[slot] for slot in quotas}
    assert min(outcome.shortfall.values()) >= 0
    rejected = [reject.key for reject in outcome.rejects]
    reserves = [one for ids in outcome.reserves.values() for one in ids]
    every = sorted([*rejected, *outcome.accepted, *reserves])
    assert every == sorted(one.candidate_id for one in pool)
    check_reserves_could_be_claimed(pool, conflicts, outcome)
    check_nothing_was_left(pool, outcome, owners, unique, conflicts)


def check_reserves_could_be_claimed(
    pool: list[Candidate], conflicts: list[tuple[str, str]], outcome: Claim
) -> None:
    """All of them together with what was accepted overlap in nothing."""
    called = {*outcome.accepted, *(one for ids in outcome.reserves.values() for one in ids)}
    some = [one for one in pool if one.candidate_id in called]
    tasks = {(key, one.task) for one in some for key in one.keys}
    assert len(tasks) == len({key for key, _ in tasks})
    assert len({(one.task, key) for one in some for key in one.unique}) == sum(
        len(set(one.unique)) for one in some
    )
    assert not [pair for pair in conflicts if pair[0] != pair[1] and called.issuperset(pair)]
    for slot in outcome.reserves:
        assert not outcome.shortfall[slot], "a reserve where the quota has room"


def check_nothing_was_left(
    pool: list[Candidate],
    outcome: Claim,
    owners: dict[str, set[str]],
    unique: Counter[tuple[str, str]],
    conflicts: list[tuple[str, str]],
) -> None:
    """A slot falls short only when every candidate left to it is barred."""
    barred = {a for a, b in conflicts if b in outcome.accepted and a != b}
    barred |= {b for a, b in conflicts if a in outcome.accepted and a != b}
    for one in pool:
        if one.candidate_id in outcome.accepted or not outcome.shortfall[one.task, one.stratum]:
            continue
        assert (
            one.candidate_id in barred
            or any(owners.get(key, {one.task}) != {one.task} for key in one.keys)
            or any(unique[one.task, key] for key in one.unique)
        )


def test_the_slot_furthest_from_its_quota_goes_first() -> None:
    pool = [Candidate(f"a-{n}", "a", "", (f"cui:{n}",)) for n in range(10)]
    pool += [Candidate(f"b-{n}", "b", "", (f"cui:{n}",)) for n in range(10)]
    outcome = claim(pool, {("a", ""): 8, ("b", ""): 4}, 1)
    assert outcome.shortfall == {("a", ""): 1, ("b", ""): 1}  # 7 of 8 and 3 of 4: as even as can be
    assert outcome.contended == {"cui": 10}


def test_a_better_rank_goes_before_a_lower_cost() -> None:
    best = Candidate("a-1", "a", "", ("cui:1",), rank=0)
    free = Candidate("a-2", "a", "", ("cui:2",), rank=1)
    rival = Candidate("b-1", "b", "", ("cui:1",))
    quotas = {("a", ""): 1, ("b", ""): 1}
    assert claim([best, free, rival], quotas, 0).accepted == ("a-1",)
    equal = [best, replace(free, rank=0), rival]
    assert claim(equal, quotas, 0).accepted == ("a-2", "b-1")


def test_what_the_task_owns_already_costs_nothing_more() -> None:
    pool = [
        Candidate("a-first", "a", "", ("cui:1", "cui:2"), rank=0),
        Candidate("a-reuses", "a", "", ("cui:1", "cui:2"), rank=1),
        Candidate("a-takes", "a", "", ("cui:3",), rank=1),
        *(Candidate(f"b-{key}", "b", "", (f"cui:{key}",)) for key in (1, 2, 3)),
    ]
    for seed in range(8):  # whatever the draw
        assert "b-3" in claim(pool, {("a", ""): 2, ("b", ""): 1}, seed).accepted


def test_a_tier_that_takes_any_gold_leaves_the_rare_ones() -> None:
    easy = [Candidate(f"c-e{n}", "c", "easy", (), unique=(f"gold:{n}",)) for n in range(6)]
    hard = [Candidate(f"c-h{n}", "c", "hard", (), unique=(f"gold:{n}",)) for n in range(3)]
    for seed in range(8):
        outcome = claim([*easy, *hard], {("c", "easy"): 3, ("c", "hard"): 3}, seed)
        assert set(outcome.shortfall.values()) == {0}


def test_why_each_candidate_was_refused() -> None:
    pool = [
        Candidate("a-1", "a", "", ("cui:1",), unique=("gold:1",)),
        Candidate("a-2", "a", "", (), rank=1, unique=("gold:1",)),
        Candidate("b-1", "b", "", ("cui:1",)),
        Candidate("b-2", "b", "", ()),
        Candidate("c-1", "c", "", ()),
        Candidate("c-2", "c", "", (), rank=1, unique=("gold:2",)),
        Candidate("c-3", "c", "", (), rank=2, unique=("gold:2",)),
    ]
    quotas = {("a", ""): 5, ("b", ""): 5, ("c", ""): 1}
    outcome = claim(pool, quotas, 0, conflicts=[("a-1", "b-2")])
    assert outcome.accepted == ("a-1", "c-1")
    assert [(one.key, one.reason, one.detail) for one in outcome.rejects] == [
        ("a-2", "not_unique", "gold:1"),
        ("b-1", "key_of_other_task", "cui:1 is owned by a"),
        ("b-2", "near_duplicate", "a-1"),
        ("c-3", "over_quota", ""),  # collides with a reserve, which may never be called
    ]
    assert outcome.reserves == {("c", ""): ("c-2",)}


def test_the_seed_decides_among_equals() -> None:
    pool = [Candidate(f"a-{n:02}", "a", "", ()) for n in range(20)]
    chosen = {claim(pool, {("a", ""): 5}, seed).accepted for seed in range(5)}
    assert len(chosen) == 5


@pytest.mark.parametrize(
    ("pool", "conflicts", "message"),
    [
        ([("a-1", "a", 0.0), ("a-1", "a", 0.0)], [], "a-1 stands twice"),
        ([("x-1", "x", 0.0)], [], "no quota"),
        ([("a-1", "a", float("nan"))], [], "no number"),
        ([("a-1", "a", 0.0)], [("a-1", "b-9")], "b-9, which is no candidate"),
    ],
)
def test_what_does_not_fit_together(
    pool: list[tuple[str, str, float]], conflicts: list[tuple[str, str]], message: str
) -> None:
    candidates = [Candidate(one, task, "", (), rank) for one, task, rank in pool]
    with pytest.raises(ClaimError, match=message):
        claim(candidates, {("a", ""): 1}, 0, conflicts)


def crowded_pool(size: int) -> list[Candidate]:
    """Tasks that want the same concepts, a few concepts far more often than the rest."""
    draws = random.Random(7)
    weights = [1 / (n + 1) for n in range(size)]
    pool = []
    for number in range(size):
        task, stratum = draws.choice(SLOTS)
        if task == "concepts":
            family = 20 * draws.randrange(size // 20)
            held = {family + draws.randrange(20) for _ in range(10)}
        else:
            held = set(draws.choices(range(size), weights, k=draws.randint(1, 3)))
        keys = tuple(sorted(f"cui:{concept}" for concept in held))
        pool.append(Candidate(f"{task}-{number}", task, stratum, keys))
    return pool


@pytest.mark.parametrize(("quota", "most", "least"), [(120, 480, 1.0), (180, 645, 0.88)])
def test_quotas_fill_nearly_as_far_as_they_can(quota: int, most: int, least: float) -> None:
    """`most` is what an integer program finds for this pool, without regard to equal shares."""
    pool = crowded_pool(1200)
    quotas = dict.fromkeys(SLOTS, quota)
    in_any_order = [replace(one, rank=float(place)) for place, one in enumerate(pool)]
    accepted = len(claim(pool, quotas, 3).accepted)
    assert accepted >= least * most
    assert accepted > len(claim(in_any_order, quotas, 3).accepted)


def of_circle(number: int, circle: str, shown: range) -> Candidate:
    keys = tuple(f"shown:C{n}" for n in shown)
    return Candidate(
        f"concepts-{number:02d}", "concepts", "hard", (), 0.0, (f"gold:C{number}",), circle, keys
    )


@pytest.mark.parametrize("quota", [3, 10, 13, 40])
def test_circles_that_overlap_are_not_both_claimed_and_one_is_claimed_whole(quota: int) -> None:
    """Ten sets show the same ten concepts; the next ten show one of those, the last are apart."""
    spans = [range(10), range(9, 19), range(20, 30)]
    pool = [
        of_circle(10 * at + n, f"circle {at}", span)
        for at, span in enumerate(spans)
        for n in range(10)
    ]
    outcome = claim(pool, {("concepts", "hard"): quota}, 3)
    taken = Counter(
        next(one.circle for one in pool if one.candidate_id == i) for i in outcome.accepted
    )
    assert sum(taken.values()) == min(quota, 20)
    assert {"circle 0", "circle 1"} - taken.keys()
    assert sum(number % 10 != 0 for number in taken.values()) <= 1  # the last one is cut short
    if quota == 40:
        assert {one.reason for one in outcome.rejects} == {"shown_in_other_circle"}
    assert claim(reversed(pool), {("concepts", "hard"): quota}, 3) == outcome


def posed_in(language: str, group: str, count: int) -> list[Candidate]:
    return [
        Candidate(f"qa-{language}-{group}-{n}", "qa", "", (), language=language, group=group)
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("shares", "quota", "expected"),
    [
        (Shares({"zh": 0.5}), 8, {"other/other": 4, "zh/other": 4}),
        (Shares({"zh": 0.25}, {"CHEM": 0.5}), 8, {"zh/CHEM": 1, "zh/other": 1, "other/CHEM": 3}),
        (Shares({"zh": 1.0}), 30, {"zh/other": 20, "other/other": 10}),  # what is lacking is filled
        (Shares({"ja": 0.5}), 4, {"other/other": 4}),
    ],
)
def test_a_slot_is_made_up_of_shares(shares: Shares, quota: int, expected: dict[str, int]) -> None:
    pool = [
        one
        for lang in ("en", "zh")
        for kind in ("CHEM", "DISO")
        for one in posed_in(lang, kind, 10)
    ]
    slot = ("qa", "")
    outcome = claim(pool, {slot: quota}, 3, shares={slot: shares})
    assert sum(outcome.parts[slot].values()) == quota == len(outcome.accepted)
    assert outcome.parts[slot].items() >= expected.items()
    assert claim(reversed(pool), {slot: quota}, 3, shares={slot: shares}) == outcome


def test_a_shortfall_is_explained() -> None:
    pool = [
        Candidate("a-1", "a", "", ("cui:1",), unique=("gold:1",)),
        Candidate("b-1", "b", "", ("cui:1",), rank=1),
        Candidate("b-2", "b", "", ("cui:1", "cui:2"), rank=1),
        Candidate("b-3", "b", "", (), unique=("gold:1",)),
        Candidate("b-4", "b", "", (), unique=("gold:1",)),
    ]
    outcome = claim(pool, {("a", ""): 1, ("b", ""): 5}, 0)
    assert outcome.contention == {
        ("b", ""): Contention({"cui of a": 2, "not_unique": 1}, {"cui:1": 2})
    }


@settings(max_examples=60, deadline=None)
@given(pools(), st.integers(0, 8), st.integers(0, 8), st.integers(1, 6), st.integers(0, 3))
def test_a_higher_quota_makes_no_two_tasks_overlap(
    pool: list[Candidate], one: int, other: int, more: int, raised: int
) -> None:
    quotas = {slot: (one, other)[place % 2] for place, slot in enumerate(SLOTS)}
    higher = {**quotas, SLOTS[raised]: quotas[SLOTS[raised]] + more}
    for asked in (quotas, higher):
        check(pool, asked, [], claim(pool, asked, 1))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.frozensets(st.integers(0, 12), min_size=2, max_size=3), max_size=12, unique=True),
    st.integers(0, 30),
    st.randoms(use_true_random=False),
)
def test_no_concept_is_shown_in_two_circles_whatever_the_order(
    circles: list[frozenset[int]], quota: int, shuffler: random.Random
) -> None:
    pool = []
    for at, members in enumerate(circles):
        shown = tuple(f"shown:C{n}" for n in sorted(members))
        keys = tuple(f"cui:C{n}" for n in sorted(members))
        pool += [
            Candidate(f"concepts-{at}-{n}", "concepts", "hard", keys, 0, (), str(at), shown)
            for n in sorted(members)
        ]
    pool += [Candidate(f"qa-{n}", "qa", "", (f"cui:C{n}",)) for n in range(5)]
    quotas = {("concepts", "hard"): quota, ("qa", ""): 3}
    outcome = claim(pool, quotas, 3)
    owners: dict[str, set[str]] = {}
    for one in pool:
        for key in one.shared if one.candidate_id in outcome.accepted else ():
            owners.setdefault(key, set()).add(one.circle)
    assert all(len(circle) == 1 for circle in owners.values())
    shuffler.shuffle(pool)
    assert claim(pool, quotas, 3) == outcome
