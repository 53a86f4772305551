"""Who gets which concepts: tasks claim candidates in turn, so that none shares a key with another.

A candidate is accepted when no other task owns one of its keys; then its task owns them all. The
slot (task and stratum) that is furthest from its quota claims next, of it the part (a language, a
semantic group) that is furthest from its share, its best candidate first. Only keys that two tasks
want can part them, so all others are left out of the reckoning.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping

from splits.candidates import Candidate, ClaimError, Slot, in_order
from splits.claim_outcome import Claim, Contention, sum_up, with_reserves
from splits.claim_tables import lay_out
from splits.claiming import Claiming
from splits.exchange import exchanged
from splits.shares import Shares

__all__ = ["Claim", "Contention", "claim"]


def claim(
    candidates: Iterable[Candidate],
    quotas: Mapping[Slot, int],
    seed: int,
    conflicts: Iterable[tuple[str, str]] = (),
    shares: Mapping[Slot, Shares] = {},
) -> Claim:
    """Share the candidates out among the slots of `quotas`.

    `conflicts` are pairs of candidates, near duplicates say, of which one bars the other. `shares`
    say how a slot is to be made up of parts, as far as its candidates allow: what a part lacks
    goes to the others. Once the quotas are met, claiming goes on for reserves, which take nothing
    from what was accepted. The outcome depends on the arguments alone, not on the order in which
    candidates arrive.
    """
    pool = in_order(candidates, quotas)
    bars = _bars(pool, conflicts)
    laid_out = lay_out(pool, seed, bars)
    claiming = Claiming(laid_out, bars, quotas, shares)
    _take_turns(claiming)
    is_short = any(_shortfall(claiming).values())
    if is_short and (accepted := exchanged(claiming.settled, bars, quotas, shares)):
        claiming = Claiming(laid_out, bars, quotas, shares, accepted)
        _take_turns(claiming)
    outcome = sum_up(claiming.settled, claiming.parts(), _shortfall(claiming))
    return with_reserves(outcome, _reserves(claiming, quotas))


def _take_turns(claiming: Claiming) -> None:
    """Until every slot is filled or has nobody left to ask."""
    quotas = claiming.quotas
    taken = {slot: quotas[slot] - lacks for slot, lacks in _shortfall(claiming).items()}
    turns = [
        (taken[slot] / quotas[slot], slot) for slot in sorted(quotas) if taken[slot] < quotas[slot]
    ]
    heapq.heapify(turns)
    while turns:  # a heap: the lowest share of a quota first, ties by name
        _, slot = heapq.heappop(turns)
        if claiming.take_best(slot) is not None:
            taken[slot] += 1
            if taken[slot] < quotas[slot]:
                heapq.heappush(turns, (taken[slot] / quotas[slot], slot))


def _shortfall(claiming: Claiming) -> dict[Slot, int]:
    """What each slot lacks of its quota."""
    parts = claiming.parts()
    return {
        slot: quota - sum(parts.get(slot, {}).values())
        for slot, quota in sorted(claiming.quotas.items())
    }


def _reserves(claiming: Claiming, quotas: Mapping[Slot, int]) -> dict[Slot, tuple[str, ...]]:
    """What can still be claimed, taken in the same way with no quota to stop at."""
    turns = [(1.0, slot) for slot in sorted(quotas) if quotas[slot] > 0]
    found: defaultdict[Slot, list[str]] = defaultdict(list)
    while turns:
        _, slot = heapq.heappop(turns)
        if (place := claiming.take_best(slot)) is not None:
            found[slot].append(claiming.pool.candidates[place].candidate_id)
            heapq.heappush(turns, (1 + len(found[slot]) / quotas[slot], slot))
    return {slot: tuple(found[slot]) for slot in sorted(found)}


def _bars(
    pool: list[Candidate], conflicts: Iterable[tuple[str, str]]
) -> Mapping[int, tuple[int, ...]]:
    """For each place in the pool, the places that it conflicts with."""
    pairs = list(conflicts)
    places = {one.candidate_id: place for place, one in enumerate(pool)} if pairs else {}
    bars: defaultdict[int, set[int]] = defaultdict(set)
    for pair in pairs:
        for one in pair:
            if one not in places:
                raise ClaimError(f"claim: conflict {pair} names {one}, which is no candidate")
        left, right = (places[one] for one in pair)
        bars[left].add(right)
        bars[right].add(left)
    return {place: tuple(sorted(others)) for place, others in bars.items()}
