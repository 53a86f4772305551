import random
from collections import Counter
from collections.abc import Iterable

import pytest

from splits.candidates import Candidate
from splits.claim_tables import Pool, lay_out
from splits.claiming import Claiming
from splits.exchange import exchanged
from splits.holdings import Holdings
from splits.shares import Shares

A, B = ("a", ""), ("b", "")


def one(name: str, *keys: str, rank: float = 0.0, language: str = "") -> Candidate:
    held = tuple(f"cui:{key}" for key in keys)
    return Candidate(name, name[0], "", held, rank, language=language)


def shown_in(circle: str, concepts: Iterable[int]) -> list[Candidate]:
    keys = tuple(f"shown:{concept}" for concept in concepts)
    names = (f"a-{circle}{number}" for number in range(3))
    return [Candidate(name, "a", "", (), circle=circle, shared=keys) for name in names]


MIDDLE = [one("b-middle", "1", "2"), one("b-free", "3"), one("a-left", "1"), one("a-right", "2")]
RANKED = [*MIDDLE, one("b-worse", "4", rank=1.0), one("b-best", "5", rank=-1.0)]
SHARED = [one(who.candidate_id, *(key[4:] for key in who.keys), language="zh") for who in MIDDLE]
CIRCLES = [*shown_in("x", [1, 2]), *shown_in("y", [2, 3]), *shown_in("z", [3, 4])]


@pytest.mark.parametrize(
    ("pool", "claimed", "quotas", "shares", "expected"),
    [
        pytest.param(
            *(MIDDLE, ["b-middle"], {A: 2, B: 1}, {}),
            ["a-left", "a-right", "b-free"],
            id="who bars two has a substitute",
        ),
        pytest.param(
            *(MIDDLE, ["b-middle", "b-free"], {A: 2, B: 2}, {}),
            ["a-left", "a-right", "b-free"],
            id="the fuller slot gives one for two",
        ),
        pytest.param(
            *(MIDDLE[:1] + MIDDLE[2:], ["b-middle"], {A: 2, B: 1}, {}),
            ["b-middle"],
            id="nobody gives the last that he has",
        ),
        pytest.param(
            *(MIDDLE[:3], ["b-middle", "b-free"], {A: 1, B: 2}, {}),
            ["b-free", "b-middle"],
            id="one for one wins nothing",
        ),
        pytest.param(
            *(RANKED, ["b-best", "b-free", "b-middle"], {A: 2, B: 3}, {}),
            ["b-best", "b-free", "b-middle"],
            id="the worse stands in for no better one",
        ),
        pytest.param(
            *([*SHARED[:1], *MIDDLE[1:]], ["b-middle"], {A: 2, B: 1}, {B: Shares({"zh": 0.5})}),
            ["b-middle"],
            id="nor one of another share",
        ),
        pytest.param(
            *(SHARED, ["b-middle"], {A: 2, B: 1}, {B: Shares({"zh": 0.5})}),
            ["a-left", "a-right", "b-free"],
            id="but one of the same",
        ),
        pytest.param(
            *(CIRCLES, ["a-y0", "a-y1", "a-y2"], {A: 9}, {}),
            ["a-x0", "a-x1", "a-x2", "a-z0", "a-z1", "a-z2"],
            id="the circle between two others",
        ),
    ],
)
def test_what_is_exchanged(
    pool: list[Candidate],
    claimed: list[str],
    quotas: dict[tuple[str, str], int],
    shares: dict[tuple[str, str], Shares],
    expected: list[str],
) -> None:
    laid_out = lay_out(sorted(pool, key=lambda who: who.candidate_id), 3, {})
    names = [who.candidate_id for who in laid_out.candidates]
    accepted = [names.index(name) for name in claimed]
    settled = Claiming(laid_out, {}, quotas, shares, accepted).settled
    changed = [names[place] for place in exchanged(settled, {}, quotas, shares)]
    assert (changed or sorted(claimed)) == expected


def crowd(draws: random.Random) -> Pool:
    pool = []
    for number in range(60):
        task = draws.choice("abc")
        keys = tuple(f"cui:{key}" for key in draws.sample(range(30), 3))
        circle = draws.randrange(12)
        shared = tuple(f"shown:{circle + n}" for n in range(3)) if task == "c" else ()
        unique = (f"gold:{draws.randrange(40)}",)
        pool.append(Candidate(f"{number:02}", task, "", keys, 0, unique, f"{circle}", shared))
    return lay_out(pool, 3, {})


def everything_of(held: Holdings) -> tuple[object, ...]:
    members = Counter({circle: count for circle, count in held.members.items() if count})
    owned = (held.owner[:], held.holders[:], held.user[:], held.shown[:])
    return bytes(held.is_accepted), owned, members


@pytest.mark.parametrize("seed", range(20))
def test_steps_are_taken_back_whole(seed: int) -> None:
    draws = random.Random(seed)
    pool = crowd(draws)
    held = Holdings(pool, {3: (4,), 4: (3,)}, [])
    before = everything_of(held)
    for mark in range(3):
        for _ in range(40):
            place = draws.randrange(60)
            if held.is_accepted[place]:
                held.release(place)
            elif held.is_free(place):
                held.accept(place)
            else:
                barring = held.barring(place, 60)
                assert all(held.is_accepted[other] for other in barring)
                assert barring, "who is not free is barred by somebody"
        if mark < 2:
            held.undo()
            assert everything_of(held) == before
    standing = [place for place in range(60) if held.is_accepted[place]]
    assert everything_of(Holdings(pool, {}, standing)) == everything_of(held)
