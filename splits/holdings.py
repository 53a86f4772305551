"""Which candidates are accepted, and who holds what through them; every step can be taken back."""

from collections import Counter
from collections.abc import Iterable, Mapping

from splits.claim_outcome import NOBODY
from splits.claim_tables import Pool


class Holdings:
    """As of a claim, but with counts: a key is free again once its last holder is released."""

    def __init__(
        self, pool: Pool, bars: Mapping[int, tuple[int, ...]], accepted: Iterable[int]
    ) -> None:
        """Start from what is accepted."""
        self.pool = pool
        self.bars = bars
        self.is_accepted = bytearray(len(pool.candidates))
        self.owner = [NOBODY] * len(pool.wanted)  # of each contended key, the task
        self.holders = [0] * len(pool.wanted)
        self.user = [NOBODY] * pool.unique.height  # of each unique key, the candidate
        self.shown = [NOBODY] * pool.shared.height  # of each shared key, the circle
        self.members: Counter[int] = Counter()  # of each circle, how many are accepted
        self.asked = 0  # how often a candidate was looked at, a measure of the work
        self.journal: list[int] = []  # places accepted, and ~places released, since the last mark
        for place in accepted:
            self.accept(place)
        self.journal.clear()
        self.asked = 0

    def accept(self, place: int) -> None:
        """Hold all that the candidate holds."""
        pool = self.pool
        self.asked += 1
        self.is_accepted[place] = True
        self.journal.append(place)
        for key in pool.contended[place]:
            self.owner[key] = pool.task[place]
            self.holders[key] += 1
        for key in pool.unique[place]:
            self.user[key] = place
        for key in pool.shared[place]:
            self.shown[key] = pool.circle[place]
        self.members[pool.circle[place]] += 1

    def release(self, place: int) -> None:
        """Let go of what no other accepted candidate holds."""
        pool, circle = self.pool, self.pool.circle[place]
        self.asked += 1
        self.is_accepted[place] = False
        self.journal.append(~place)
        for key in pool.contended[place]:
            self.holders[key] -= 1
            if not self.holders[key]:
                self.owner[key] = NOBODY
        for key in pool.unique[place]:
            self.user[key] = NOBODY
        self.members[circle] -= 1
        if not self.members[circle]:
            for key in pool.shared[place]:
                self.shown[key] = NOBODY

    def undo(self) -> None:
        """Take back every step since the journal was cleared, the last one first."""
        steps, self.journal = self.journal, []
        for step in reversed(steps):
            if step >= 0:
                self.release(step)
            else:
                self.accept(~step)
        self.journal = []

    def is_free(self, place: int) -> bool:
        """Whether a candidate could be accepted as things stand."""
        pool, task, circle = self.pool, self.pool.task[place], self.pool.circle[place]
        self.asked += 1
        return (
            not self.is_accepted[place]
            and all(self.owner[key] in (NOBODY, task) for key in pool.contended[place])
            and all(self.user[key] == NOBODY for key in pool.unique[place])
            and all(self.shown[key] in (NOBODY, circle) for key in pool.shared[place])
            and not any(self.is_accepted[other] for other in self.bars.get(place, ()))
        )

    def barring(self, place: int, most: int) -> list[int]:
        """The accepted candidates that stand in one's way; empty where they are more than `most`.

        Those are as good as none: there are too many to give up.
        """
        self.asked += 1
        pool, task, found = self.pool, self.pool.task[place], set[int]()
        for key in pool.contended[place]:
            if (owner := self.owner[key]) not in (NOBODY, task):
                if self.holders[key] > most:
                    return []
                found.update(self._accepted(pool.holders[key * len(pool.tasks) + owner]))
        found.update(user for key in pool.unique[place] if (user := self.user[key]) != NOBODY)
        circles = {self.shown[key] for key in pool.shared[place]} - {NOBODY, pool.circle[place]}
        if sum(self.members[circle] for circle in circles) > most:
            return []
        for circle in sorted(circles):
            found.update(self._accepted(pool.mates[circle]))
        found.update(self._accepted(self.bars.get(place, ())))
        return sorted(found) if len(found) <= most else []

    def _accepted(self, places: Iterable[int]) -> list[int]:
        return [place for place in places if self.is_accepted[place]]
