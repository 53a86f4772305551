"""Who gets which concepts: tasks claim candidates in turn, so that none shares a key with another.

A candidate is accepted when no other task owns one of its keys; then its task owns them all. The
slot (task and stratum) that is furthest from its quota claims next, its best candidate first.
Only keys that two tasks want can part them, so all others are left out of the reckoning.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.records import Reject
from pipeline.text import draw
from splits.candidates import Candidate, Slot, in_order
from splits.contention import (
    bars_of,
    circles_of,
    holders_of,
    kind_of,
    share_of_others,
    wanted_keys,
)

_OVER_QUOTA = ("over_quota", "")

Order = tuple[float, int, int, int]  # rank, cost, draw, place in the pool


@dataclass(frozen=True, slots=True)
class Claim:
    """What was claimed; every candidate is accepted, a reserve or rejected.

    `reserves` are, by slot, the candidates that could be claimed once the quotas were met, in the
    order in which they are to be called. `owned` counts the keys of each task, `contended` by kind
    the keys that more than one task wanted, `shortfall` what each slot lacks of its quota.
    """

    accepted: tuple[str, ...]
    reserves: Mapping[Slot, tuple[str, ...]]
    owned: Mapping[str, int]
    contended: Mapping[str, int]
    shortfall: Mapping[Slot, int]
    rejects: tuple[Reject, ...]


def claim(
    candidates: Iterable[Candidate],
    quotas: Mapping[Slot, int],
    seed: int,
    conflicts: Iterable[tuple[str, str]] = (),
) -> Claim:
    """Share the candidates out among the slots of `quotas`.

    `conflicts` are pairs of candidates, near duplicates say, of which one bars the other. The
    outcome depends on the arguments alone, not on the order in which candidates arrive. Once all
    quotas are met, claiming goes on in the same way for reserves, which take nothing from what was
    accepted.
    """
    pool = in_order(candidates, quotas)
    claiming = _Claiming(pool, seed, bars_of(pool, conflicts))
    taken = _in_turn(claiming.accept_best, quotas, 0, 1)
    _in_turn(claiming.reserve_best, quotas, 1, math.inf)
    return claiming.outcome({slot: quotas[slot] - taken[slot] for slot in sorted(quotas)})


def _in_turn(
    take: Callable[[Slot], bool], quotas: Mapping[Slot, int], start: float, end: float
) -> Counter[Slot]:
    """Let the slots take, from one share of their quotas to another; gives what each has taken."""
    turns = [(start, slot) for slot in sorted(quotas) if quotas[slot] > 0]
    taken: Counter[Slot] = Counter()
    while turns:  # a heap: the lowest share of a quota first, ties by name
        share, slot = heapq.heappop(turns)
        if share < end and take(slot):
            taken[slot] += 1
            heapq.heappush(turns, (start + taken[slot] / quotas[slot], slot))
    return taken


class _Claiming:
    """The state of one claim: who owns what, and each slot's queue."""

    def __init__(
        self, pool: list[Candidate], seed: int, bars: Mapping[int, tuple[int, ...]]
    ) -> None:
        self.pool = pool
        self.bars = bars
        self.draws = [draw(seed, "claim", one.candidate_id) for one in pool]
        self.wanted = wanted_keys(pool)
        self.holders = holders_of(pool, self.wanted)
        self.rivals = Counter((one.task, key) for one in pool for key in set(one.unique))
        self.circles = circles_of(pool)
        self.sharers = Counter((one.task, key) for one in pool for key in set(one.shared))
        self.costs = [self._cost(place) for place in range(len(pool))]
        self.owner: dict[str, str] = {}
        self.used: set[tuple[str, str]] = set()
        self.shown: dict[tuple[str, str], str] = {}  # a shared key, and the circle that has it
        self.accepted: set[int] = set()
        self.reserves: defaultdict[Slot, list[int]] = defaultdict(list)
        self.refused: dict[int, tuple[str, str]] = {}
        self.queues: defaultdict[Slot, list[Order]] = defaultdict(list)
        for place in range(len(pool)):
            self._enqueue(place)

    def accept_best(self, slot: Slot) -> bool:
        """Accept the slot's best candidate that may be accepted; False when none is left."""
        for place in self._best_first(slot):
            refusal = self._refusal(place)
            if refusal is None:
                self._accept(place)
                return True
            self.refused[place] = refusal
        return False

    def reserve_best(self, slot: Slot) -> bool:
        """Accept it as a reserve; who collides with one that may never be called was over quota."""
        for place in self._best_first(slot):
            if not self._refusal(place):
                self.reserves[slot].append(place)
                self._accept(place)
                return True
            self.refused[place] = _OVER_QUOTA
        return False

    def _best_first(self, slot: Slot) -> Iterator[int]:
        """What is left to a slot, as long as it is asked for."""
        queue = self.queues[slot]
        while queue:
            _, cost, _, place = heapq.heappop(queue)
            # Else it stands in the queue again, at a lower cost, or did.
            if cost == self.costs[place] and self._is_open(place):
                yield place

    def _is_open(self, place: int) -> bool:
        return place not in self.accepted and place not in self.refused

    def outcome(self, shortfall: Mapping[Slot, int]) -> Claim:
        """What was claimed, counted and sorted."""
        left = [place for place in range(len(self.pool)) if place not in self.accepted]
        reserves = {slot: tuple(self.reserves[slot]) for slot in sorted(self.reserves)}
        accepted = sorted(self.accepted - {place for some in reserves.values() for place in some})
        owned = {
            (self.pool[place].task, key) for place in accepted for key in self.pool[place].keys
        }
        return Claim(
            accepted=self._ids(accepted),
            reserves={slot: self._ids(places) for slot, places in reserves.items()},
            owned=dict(sorted(Counter(task for task, _ in owned).items())),
            contended=dict(sorted(Counter(map(kind_of, self.wanted)).items())),
            shortfall=shortfall,
            rejects=tuple(self._reject(place) for place in left),
        )

    def _ids(self, places: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.pool[place].candidate_id for place in places)

    def _cost(self, place: int) -> int:
        """What others lose by a candidate: over its keys, unique and shared ones, its conflicts.

        So the tier that finds a set for any gold leaves those golds to the tier that finds few.
        """
        one = self.pool[place]
        over_keys = sum(self._price(one.task, key) for key in set(one.keys))
        over_unique = sum(share_of_others(1, self.rivals[one.task, key]) for key in set(one.unique))
        over_both = over_unique + self._cost_of_circle(place)
        return over_keys + over_both + len(self.bars.get(place, ())) * share_of_others(1, 2)

    def _cost_of_circle(self, place: int) -> int:
        """What other circles lose by a candidate's, before any of its candidates is accepted."""
        one = self.pool[place]
        mates = len(self.circles[one.task, one.circle]) if one.shared else 0
        return sum(share_of_others(mates, self.sharers[one.task, key]) for key in set(one.shared))

    def _price(self, task: str, key: str) -> int:
        """What other tasks lose by a key: their share of the candidates that want it.

        The share, not the number: a concept that everybody wants is best taken by the task that
        wants it most, for which it then frees many more.
        """
        wanted = self.wanted.get(key)
        return share_of_others(wanted[task], wanted.total()) if wanted else 0

    def _enqueue(self, place: int) -> None:
        one = self.pool[place]
        order = (one.rank, self.costs[place], self.draws[place], place)
        heapq.heappush(self.queues[one.task, one.stratum], order)

    def _refusal(self, place: int) -> tuple[str, str] | None:
        """Why a candidate may not be accepted, as reason and detail; None when it may."""
        one = self.pool[place]
        for key in one.keys:
            if self.owner.get(key, one.task) != one.task:
                return "key_of_other_task", f"{key} is owned by {self.owner[key]}"
        if taken := self._taken(one):
            return taken
        for other in self.bars.get(place, ()):
            if other in self.accepted:
                return "near_duplicate", self.pool[other].candidate_id
        return None

    def _taken(self, one: Candidate) -> tuple[str, str] | None:
        """Which of its task's own keys another candidate has, and why it may have it alone."""
        for key in one.unique:
            if (one.task, key) in self.used:
                return "not_unique", key
        for key in one.shared:
            if self.shown.get((one.task, key), one.circle) != one.circle:
                return "shown_in_other_circle", key
        return None

    def _accept(self, place: int) -> None:
        one = self.pool[place]
        self.accepted.add(place)
        self.used.update((one.task, key) for key in one.unique)
        self._open_circle(place)
        for key in one.keys:
            if key in self.wanted and key not in self.owner:
                self.owner[key] = one.task
                self._cheapen(one.task, key)

    def _open_circle(self, place: int) -> None:
        """Once a circle's concepts are shown, the rest of it takes nothing more from others."""
        one = self.pool[place]
        if not one.shared or (one.task, one.shared[0]) in self.shown:
            return
        self.shown.update(dict.fromkeys(((one.task, key) for key in one.shared), one.circle))
        for mate in self.circles[one.task, one.circle]:
            if self._is_open(mate):
                self.costs[mate] -= self._cost_of_circle(mate)
                self._enqueue(mate)

    def _cheapen(self, task: str, key: str) -> None:
        """Candidates that hold a key which their task now owns take less from the others."""
        price = self._price(task, key)
        for place in self.holders[task, key]:
            if self._is_open(place):
                self.costs[place] -= price
                self._enqueue(place)

    def _reject(self, place: int) -> Reject:
        reason, detail = self.refused.get(place, _OVER_QUOTA)
        return Reject("claim", self.pool[place].candidate_id, reason, detail)
