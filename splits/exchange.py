"""After the turns: claimed candidates are given up where more can be claimed in their place.

Turns never take back: what was claimed early may bar two that go together. For a slot that falls
short, an exchange gives up the few candidates that bar one of its own, claims that, and fills the
slots again from what got free. It is kept when more is filled than before. So a local search goes
for large independent sets (Andrade, Resende and Werneck 2012, "Fast local search for the maximum
independent set problem"), here with quotas.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from splits.candidates import Slot
from splits.claim_outcome import ACCEPTED, Settled
from splits.claim_tables import Pool, in_turn, showing
from splits.holdings import Holdings
from splits.shares import Shares, part_of

Part = tuple[Slot, str, float]  # slot, share, rank

# Accepted candidates that may be given up for each one that stands to be won: of the (k, k+1)
# exchanges those with k of 1 and 2, which are few enough to try all.
GIVEN_UP = 2
# Rounds over all that is barred; the last one of a search wins nothing.
ROUNDS = 4
# Candidates looked at in all, a few seconds' worth: a pool of a million is not searched to its end.
EFFORT = 300_000
# Names of a list that are gone through in the time that it takes to look at a candidate.
LISTED = 10


def exchanged(
    settled: Settled,
    bars: Mapping[int, tuple[int, ...]],
    quotas: Mapping[Slot, int],
    shares: Mapping[Slot, Shares],
) -> list[int]:
    """The places of what is accepted once exchanges are made, in order; none where none is won."""
    search, won = _Search(settled, bars, quotas, shares), 0
    for _ in range(ROUNDS):
        won += (more := search.try_all())
        if not more:
            break
    if not won:
        return []
    return [place for place, accepted in enumerate(search.held.is_accepted) if accepted]


class _Search:
    """Exchanges over what turns have settled."""

    def __init__(
        self,
        settled: Settled,
        bars: Mapping[int, tuple[int, ...]],
        quotas: Mapping[Slot, int],
        shares: Mapping[Slot, Shares],
    ) -> None:
        self.pool: Pool = settled.pool
        self.quotas = quotas
        accepted = [place for place, state in enumerate(settled.state) if state == ACCEPTED]
        self.held = Holdings(self.pool, bars, accepted)
        candidates = self.pool.candidates
        self.slots = [(one.task, one.stratum) for one in candidates]
        self.parts: list[Part] = [
            (slot, part_of(one, shares.get(slot)), one.rank)
            for slot, one in zip(self.slots, candidates, strict=True)
        ]
        kinds = Counter(slot for slot, _, _ in set(self.parts))
        self.divided = {slot for slot, number in kinds.items() if number > 1}
        self.taken = Counter(self.slots[place] for place in accepted)
        self.showing = showing(self.pool)
        self.users = self.pool.unique.turned(self.pool.unique.height)
        self.spares: dict[Slot, list[int]] = {}
        self.state = settled.state
        self.listed = 0

    def try_all(self) -> int:
        """One round over all that is barred from a slot that falls short; how much was won."""
        won, seen = 0, set[int]()
        short = [place for place in range(len(self.slots)) if self._is_wanted(place)]
        for place in self._in_turn(short):
            block = self._block(place)
            if block in seen or not self._is_wanted(place):
                continue
            if self.held.asked + self.listed // LISTED > EFFORT:
                break
            seen.add(block)
            won += self._exchange(place, self._members(block))
        return won

    def _in_turn(self, places: Sequence[int]) -> list[int]:
        return in_turn(self.pool, places, self.pool.costs)

    def _is_wanted(self, place: int) -> bool:
        slot = self.slots[place]
        return not self.held.is_accepted[place] and self.taken[slot] < self.quotas[slot]

    def _block(self, place: int) -> int:
        """What goes together: the number of a circle, or one that stands for the place alone."""
        circle = self.pool.circle[place]
        return circle if circle >= 0 else ~place

    def _members(self, block: int) -> Sequence[int]:
        return self.pool.mates[block] if block >= 0 else (~block,)

    def _exchange(self, place: int, members: Sequence[int]) -> int:
        """Give up what bars a place, claim it and what else got free; gives how much was won."""
        given_up = self.held.barring(place, GIVEN_UP * len(members))
        if not given_up:
            return 0
        for one in given_up:
            self._release(one)
        self._fill(self._in_turn(members))
        if self.held.is_accepted[place]:
            self._fill_again(given_up)
            if (won := self._won()) > 0:
                self.held.journal.clear()
                return won
        self._undo()
        return 0

    def _fill_again(self, given_up: Sequence[int]) -> None:
        """Claim what got free, nearby first, then whatever a slot has over."""
        blocks = {block for place in given_up for block in self._near(place)}
        blocks -= {self._block(place) for place in given_up}
        firsts = {self._members(block)[0]: block for block in sorted(blocks)}
        for first in self._in_turn(list(firsts)):
            self._fill(self._members(firsts[first]))
        for slot in sorted({self.slots[place] for place in given_up}):
            self._fill_from_spares(slot)
        self._fill(given_up)

    def _near(self, place: int) -> Iterable[int]:
        """Blocks that a candidate may have barred."""
        pool, tasks = self.pool, len(self.pool.tasks)
        pairs = (key * tasks + task for key in pool.contended[place] for task in range(tasks))
        holders = [one for pair in pairs for one in pool.holders[pair]]
        holders += [one for key in pool.unique[place] for one in self.users[key]]
        holders += self.held.bars.get(place, ())
        circles = [circle for key in pool.shared[place] for circle in self.showing[key]]
        self.listed += len(holders) + len(circles)
        return {self._block(one) for one in holders}.union(circles)

    def _fill(self, places: Iterable[int]) -> None:
        for place in places:
            if self._is_wanted(place) and self.held.is_free(place):
                self.held.accept(place)
                self.taken[self.slots[place]] += 1

    def _fill_from_spares(self, slot: Slot) -> None:
        """From what was never asked; who is found to be barred is not asked again."""
        if slot not in self.spares:
            never = [at for at, state in enumerate(self.state) if not state]
            of_slot = [at for at in never if self.slots[at] == slot]
            self.spares[slot] = self._in_turn(of_slot)[::-1]
        spares = self.spares[slot]
        while spares and self.taken[slot] < self.quotas[slot]:
            self.listed += 1
            self._fill([spares.pop()])

    def _release(self, place: int) -> None:
        self.held.release(place)
        self.taken[self.slots[place]] -= 1

    def _undo(self) -> None:
        for step in reversed(self.held.journal):
            slot = self.slots[max(step, ~step)]
            self.taken[slot] += 1 if step < 0 else -1
            if step >= 0 and not self.state[step] and slot in self.spares:
                self.spares[slot].append(step)
        self.held.undo()

    def _won(self) -> int:
        """How many more are claimed; 0 where somebody loses and the worst off gains nothing by it.

        A slot that is divided, by shares or by ranks, loses nothing of any of its parts: exchanges
        are for what one is as good as another.
        """
        change: Counter[Part] = Counter()
        for step in self.held.journal:
            change[self.parts[max(step, ~step)]] += 1 if step >= 0 else -1
        if any(number < 0 and part[0] in self.divided for part, number in change.items()):
            return 0
        slots: Counter[Slot] = Counter()
        for (slot, _, _), number in change.items():
            slots[slot] += number
        before = min((self.taken[slot] - slots[slot]) / self.quotas[slot] for slot in slots)
        after = min(self.taken[slot] / self.quotas[slot] for slot in slots)
        if min(slots.values()) < 0 and after <= before:
            return 0
        return sum(slots.values())
