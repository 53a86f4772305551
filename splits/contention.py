"""What candidates are in each other's way for, as it stands before any of them is accepted."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping

from splits.candidates import Candidate, ClaimError


def bars_of(
    pool: list[Candidate], conflicts: Iterable[tuple[str, str]]
) -> Mapping[int, tuple[int, ...]]:
    """For each place in the pool, the places that it conflicts with."""
    places = {one.candidate_id: place for place, one in enumerate(pool)}
    bars: defaultdict[int, set[int]] = defaultdict(set)
    for pair in conflicts:
        for one in pair:
            if one not in places:
                raise ClaimError(f"claim: conflict {pair} names {one}, which is no candidate")
        left, right = (places[one] for one in pair)
        bars[left].add(right)
        bars[right].add(left)
    return {place: tuple(sorted(others)) for place, others in bars.items()}


def wanted_keys(pool: list[Candidate]) -> dict[str, Counter[str]]:
    """The keys that several tasks want, each with how many candidates of each task want it."""
    tasks: dict[str, str] = {}  # the only task so far, "" for several
    for one in pool:
        for key in one.keys:
            if tasks.setdefault(key, one.task) != one.task:
                tasks[key] = ""
    wanted = {key: Counter[str]() for key, task in tasks.items() if not task}
    for one in pool:
        for key in set(one.keys):
            if key in wanted:
                wanted[key][one.task] += 1
    return wanted


def holders_of(pool: list[Candidate], wanted: Container[str]) -> dict[tuple[str, str], list[int]]:
    """For each task and contended key, the places of the task's candidates that hold it."""
    holders: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, one in enumerate(pool):
        for key in set(one.keys):
            if key in wanted:
                holders[one.task, key].append(place)
    return holders


def circles_of(pool: list[Candidate]) -> dict[tuple[str, str], list[int]]:
    """For each task and circle, the places of its candidates."""
    circles: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, one in enumerate(pool):
        if one.shared:
            circles[one.task, one.circle].append(place)
    return circles


def share_of_others(mine: int, total: int) -> int:
    """The share of a total that is not mine, in thousandths: whole numbers add up in any order."""
    return 1000 * (total - mine) // total


def kind_of(key: str) -> str:
    """What a key is of: cui, name, edge and so on."""
    return key.partition(":")[0]
