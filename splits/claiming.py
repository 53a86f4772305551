"""The state of a claim while tasks take turns: who owns what, and who is next in each slot."""

import heapq
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from splits.candidates import Slot
from splits.claim_outcome import (
    ACCEPTED,
    NEAR,
    NOBODY,
    NOT_UNIQUE,
    OF_OTHER_TASK,
    SHOWN,
    Settled,
)
from splits.claim_tables import Pool, in_turn
from splits.shares import Shares, part_of

Order = tuple[float, int, int, int]  # rank, cost, lot, place in the pool
Refusal = tuple[int, int]  # state, and the number of a key or of another candidate


@dataclass(slots=True)
class _Queue:
    """Candidates of one part of a slot: those in their first order, and those that got cheaper."""

    first: list[int]  # the best one last
    again: list[Order]
    taken: int = 0


class Claiming:
    """The state of one claim: who owns what, and the queues of each slot."""

    def __init__(
        self,
        pool: Pool,
        bars: Mapping[int, tuple[int, ...]],
        quotas: Mapping[Slot, int],
        shares: Mapping[Slot, Shares],
        accepted: Iterable[int] = (),
    ) -> None:
        """Start with what is known to go together; the others stand in line by slot and part."""
        self.pool = pool
        self.bars = bars
        self.quotas = quotas
        self.shares = shares
        self.costs = pool.costs[:]
        self.settled = Settled(
            pool,
            owner=[NOBODY] * len(pool.wanted),
            state=bytearray(len(pool.candidates)),
            against=array("q", bytes(8 * len(pool.candidates))),
        )
        self.owner, self.state = self.settled.owner, self.settled.state
        self.used = bytearray(pool.unique.height)
        # Of each shared key, the circle that has it.
        self.shown = [NOBODY] * pool.shared.height
        self.queues: dict[Slot, dict[str, _Queue]] = {}
        self.queue_of: list[_Queue] = []
        for place in accepted:
            self._accept(place)
        self.costs_in_line = self.costs[:]
        self._line_up()

    def _line_up(self) -> None:
        places: defaultdict[Slot, defaultdict[str, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        queues: dict[int, _Queue] = {}
        for place, one in enumerate(self.pool.candidates):
            slot = one.task, one.stratum
            places[slot][part_of(one, self.shares.get(slot))].append(place)
        for slot, parts in places.items():
            self.queues[slot] = {}
            for part in sorted(parts):
                waiting = [place for place in parts[part] if not self.state[place]]
                in_line = in_turn(self.pool, waiting, self.costs)[::-1]
                queue = _Queue(in_line, [], len(parts[part]) - len(waiting))
                self.queues[slot][part] = queue
                queues.update(dict.fromkeys(parts[part], queue))
        self.queue_of = [queues[place] for place in range(len(self.pool.candidates))]

    def take_best(self, slot: Slot) -> int | None:
        """Accept the best candidate of the part that lacks most; None when none is left."""
        queues = self.queues.get(slot, {})
        shares, quota = self.shares.get(slot), self.quotas[slot]

        def fill(part: str) -> tuple[float, str]:
            share = shares.of(part) if shares else 1.0
            return queues[part].taken / (share * quota) if share else float("inf"), part

        for part in sorted(queues, key=fill) if len(queues) > 1 else queues:
            if (place := self._take_from(queues[part])) is not None:
                queues[part].taken += 1
                return place
        return None

    def parts(self) -> dict[Slot, dict[str, int]]:
        """How many candidates were accepted, by slot and part."""
        return {
            slot: {part: queue.taken for part, queue in queues.items()}
            for slot, queues in sorted(self.queues.items())
        }

    def _take_from(self, queue: _Queue) -> int | None:
        while (place := self._pop(queue)) is not None:
            refusal = self._refusal(place)
            if refusal is None:
                self._accept(place)
                return place
            self.state[place], self.settled.against[place] = refusal
        return None

    def _pop(self, queue: _Queue) -> int | None:
        """The best candidate left; one that got cheaper since stands there again."""
        first, again, before = queue.first, queue.again, self.costs_in_line
        while first and (self.state[first[-1]] or self.costs[first[-1]] != before[first[-1]]):
            first.pop()
        while again and (self.state[again[0][3]] or again[0][1] != self.costs[again[0][3]]):
            heapq.heappop(again)
        if first and (not again or self._order(first[-1]) <= again[0]):
            return first.pop()
        return heapq.heappop(again)[3] if again else None

    def _order(self, place: int) -> Order:
        pool = self.pool
        return pool.ranks[place], self.costs[place], pool.lots[place], place

    def _refusal(self, place: int) -> Refusal | None:
        """Why a candidate may not be accepted; None when it may."""
        pool, task = self.pool, self.pool.task[place]
        for key in pool.contended[place]:
            if self.owner[key] not in (NOBODY, task):
                return OF_OTHER_TASK, key
        for at, key in enumerate(pool.unique[place]):
            if self.used[key]:
                return NOT_UNIQUE, at
        return self._refusal_by_others(place)

    def _refusal_by_others(self, place: int) -> Refusal | None:
        pool = self.pool
        for at, key in enumerate(pool.shared[place]):
            if self.shown[key] not in (NOBODY, pool.circle[place]):
                return SHOWN, at
        for other in self.bars.get(place, ()):
            if self.state[other] == ACCEPTED:
                return NEAR, other
        return None

    def _accept(self, place: int) -> None:
        pool, task = self.pool, self.pool.task[place]
        self.state[place] = ACCEPTED
        for key in pool.unique[place]:
            self.used[key] = True
        self._open_circle(place)
        for key in pool.contended[place]:
            if self.owner[key] == NOBODY:
                self.owner[key] = task
                pair = key * len(pool.tasks) + task
                for holder in pool.holders[pair]:  # they take less from the others now
                    self._cheapen(holder, pool.price[pair])

    def _open_circle(self, place: int) -> None:
        """Once a circle's concepts are shown, the rest of it takes nothing more from others."""
        shared, circle = self.pool.shared[place], self.pool.circle[place]
        if not shared or self.shown[shared[0]] != NOBODY:
            return
        for key in shared:
            self.shown[key] = circle
        for mate in self.pool.mates[circle]:
            self._cheapen(mate, self.pool.cost_of_circle[mate])

    def _cheapen(self, place: int, price: int) -> None:
        if price and not self.state[place]:
            self.costs[place] -= price
            if self.queue_of:
                heapq.heappush(self.queue_of[place].again, self._order(place))
