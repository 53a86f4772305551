"""Which circles go on, and who of a circle is asked for."""

from itertools import permutations

from umls_tools.confusion.circles import OVERLAP, Circle, shortlist


def circle(tier: str, founder: int, members: range, asked: int = 0) -> Circle:
    return Circle(tier, f"C{founder}", tuple(f"C{n}" for n in members), asked)


MANY = [circle("easy", n, range(n, n + 10)) for n in range(30)]
MANY += [circle("hard", n, range(n, n + 10)) for n in range(0, 30, 7)]
MOST = {"easy": 9, "hard": 3}


def test_no_concept_is_in_too_many_circles() -> None:
    kept = shortlist(MANY, MOST, 1)
    members = [cui for one in kept for cui in one.members]
    assert max(members.count(cui) for cui in members) <= OVERLAP
    assert sum(one.tier == "hard" for one in kept) == 3  # the scarce tier has its turn in time


def test_order_of_arrival_leaves_no_trace() -> None:
    few = [*MANY[:4], *MANY[-2:]]
    assert len({tuple(shortlist(order, MOST, 1)) for order in permutations(few)}) == 1


def test_equal_circles_go_on_once_and_caps_hold() -> None:
    twins = [circle("easy", founder, range(10)) for founder in range(10)]
    assert shortlist(twins, MOST, 1) == twins[:1]
    assert len(shortlist(MANY, {"easy": 2, "hard": 0}, 1)) == 2
    assert shortlist([], MOST, 1) == []


def test_what_others_want_goes_last() -> None:
    wanted = [circle("easy", n, range(n, n + 10), asked=5) for n in range(0, 50, 10)]
    free = circle("easy", 100, range(100, 110))
    assert shortlist([*wanted, free], {"easy": 1}, 1) == [free]


def test_golds_are_drawn_among_all_members() -> None:
    one = circle("hard", 0, range(10))
    assert one.golds(10, 1) == one.golds(99, 1) == tuple(sorted(one.members))
    assert len(one.golds(3, 1)) == 3
    drawn = {one.golds(1, seed) for seed in range(200)}
    assert len(drawn) == 10
