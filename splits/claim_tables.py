"""A pool of candidates as numbers: keys, tasks and circles coded, and what each takes from others.

A million candidates hold millions of keys. As strings in sets and dictionaries they need minutes
and gigabytes, as arrays seconds: only the turns themselves are taken one by one (splits.claim).
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.text import draw
from splits.candidates import Candidate

Numbers = NDArray[np.int64]
Packed: TypeAlias = "array[int]"


@dataclass(frozen=True, slots=True)
class Rows:
    """For each row its numbers, one row after another."""

    starts: Packed
    packed: Packed

    def __getitem__(self, row: int) -> Packed:
        """The numbers of one row."""
        return self.packed[self.starts[row] : self.starts[row + 1]]

    @property
    def numbers(self) -> Numbers:
        """The numbers of all rows."""
        return np.frombuffer(self.packed, np.int64)

    @property
    def height(self) -> int:
        """One more than the largest number."""
        return int(self.numbers.max(initial=-1)) + 1

    def lengths(self) -> Numbers:
        """How many numbers each row has."""
        lengths: Numbers = np.diff(np.frombuffer(self.starts, np.int64)).astype(np.int64)
        return lengths

    def owners(self) -> Numbers:
        """The row of each number."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int64), self.lengths())

    def turned(self, rows: int) -> "Rows":
        """For each of so many numbers, the rows that have it, in order."""
        order = np.argsort(self.numbers, kind="stable")
        return _rows(np.bincount(self.numbers, minlength=rows), self.owners()[order])

    def kept(self, which: NDArray[np.bool_], renumbered: Numbers) -> "Rows":
        """The numbers that are kept, as they are renumbered."""
        lengths = np.bincount(self.owners()[which], minlength=len(self.starts) - 1)
        return _rows(lengths, renumbered[self.numbers[which]])


def _rows(lengths: Numbers, numbers: Numbers) -> Rows:
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return Rows(packed(starts), packed(numbers))


def packed(numbers: Numbers) -> Packed:
    """Numbers to be read one by one: close together, where a list points all over the memory."""
    return array("q", numbers.astype(np.int64).tobytes())


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates by place, with what claiming asks of each; keys of several tasks alone.

    `wanted` are the contended keys, of which a pair is one together with a task: number `key *
    tasks + task`. `price` says what other tasks lose by a pair, `holders` which places hold it.
    `unique` and `shared` are coded together with the task. Lots are the draws' order.
    """

    candidates: list[Candidate]
    tasks: tuple[str, ...]
    task: Packed
    ranks: "array[float]"
    lots: Packed
    keys: Rows  # every one
    wanted: list[str]
    contended: Rows
    price: Packed
    holders: Rows
    unique: Rows
    shared: Rows
    circle: Packed
    mates: Rows
    cost_of_circle: Packed
    costs: Packed


def lay_out(pool: list[Candidate], seed: int, bars: Mapping[int, tuple[int, ...]]) -> Pool:
    """Code the pool; its order is that of the places.

    What others lose by a candidate, its cost, is summed over its keys, its unique and shared
    ones, and its conflicts: so the tier that finds a set for any gold leaves those golds to the
    tier that finds few. A key costs the share of its candidates that are of other tasks. The
    share, not the number: a concept that everybody wants is best taken by the task that wants it
    most, for which it then frees many more. Shares are thousandths: whole numbers add up in any
    order.
    """
    tasks = tuple(sorted({one.task for one in pool}))
    number = {task: place for place, task in enumerate(tasks)}
    task = np.array([number[one.task] for one in pool], np.int64)
    keys, names = _coded([one.keys for one in pool])
    contended, wanted, price = _contended(keys, names, task, len(tasks))
    pairs = Rows(
        contended.starts, packed(contended.numbers * len(tasks) + task[contended.owners()])
    )
    unique = _of_task(_coded([one.unique for one in pool])[0], task, len(tasks))
    shared = _of_task(_coded([one.shared for one in pool])[0], task, len(tasks))
    named = _coded([(one.circle,) if one.shared else () for one in pool])[0]
    circles = _of_task(named, task, len(tasks))
    mates = circles.turned(circles.height)
    over_circle = _over_circles(shared, circles, mates)
    over_keys = _sums(pairs, price)
    over_unique = _sums(unique, _share(np.int64(1), np.bincount(unique.numbers)))
    barred = np.array([len(bars.get(place, ())) for place in range(len(pool))], np.int64)
    costs = over_keys + over_unique + over_circle + barred * _share(np.int64(1), np.int64(2))
    return Pool(
        candidates=pool,
        tasks=tasks,
        task=packed(task),
        ranks=array("d", [one.rank for one in pool]),
        lots=_lots(pool, seed),
        keys=keys,
        wanted=wanted,
        contended=contended,
        price=packed(price),
        holders=pairs.turned(len(price)),
        unique=unique,
        shared=shared,
        circle=_firsts(circles),
        mates=mates,
        cost_of_circle=packed(over_circle),
        costs=packed(costs),
    )


def kind_of(key: str) -> str:
    """What a key is of: cui, text and so on."""
    return key.partition(":")[0]


def _lots(pool: list[Candidate], seed: int) -> Packed:
    """The place of each candidate among all draws; of equal ones the smaller id goes first."""
    draws = np.array([draw(seed, "claim", one.candidate_id) for one in pool], np.uint64)
    lots = np.empty(len(pool), np.int64)
    lots[np.argsort(draws, kind="stable")] = np.arange(len(pool))
    return packed(lots)


def _of_task(rows: Rows, task: Numbers, tasks: int) -> Rows:
    """Numbers that stand for a key of a task, where a key's alone stood before."""
    pairs = rows.numbers * tasks + task[rows.owners()]
    return Rows(rows.starts, packed(np.unique(pairs, return_inverse=True)[1]))


def _coded(lists: Sequence[Sequence[str]]) -> tuple[Rows, pa.Array]:
    """Each list as numbers, each once, in its order; and the text of each number."""
    lengths = np.array([len(one) for one in lists], np.int64)
    texts = pa.array(list(chain.from_iterable(lists)), pa.large_string()).dictionary_encode()
    rows = _rows(lengths, texts.indices.to_numpy().astype(np.int64))
    once = rows.owners() * max(1, len(texts.dictionary)) + rows.numbers
    firsts = np.unique(once, return_index=True)[1]
    if len(firsts) < len(once):
        kept = np.zeros(len(once), np.bool_)
        kept[firsts] = True
        rows = rows.kept(kept, np.arange(len(texts.dictionary), dtype=np.int64))
    return rows, texts.dictionary


def _contended(
    keys: Rows, names: pa.Array, task: Numbers, tasks: int
) -> tuple[Rows, list[str], Numbers]:
    """The keys that several tasks want, their texts, and what others lose by each with a task."""
    every = np.bincount(keys.numbers * tasks + task[keys.owners()], minlength=len(names) * tasks)
    counts = every.reshape(len(names), tasks)
    is_wanted = np.count_nonzero(counts, axis=1) > 1
    renumbered = np.cumsum(is_wanted) - 1
    contended = keys.kept(is_wanted[keys.numbers], renumbered)
    wanted = counts[is_wanted]
    price = _share(wanted, wanted.sum(axis=1, keepdims=True))
    texts = names.filter(pa.array(is_wanted)).to_pylist() if len(names) else []
    return contended, texts, price.reshape(-1)


def _over_circles(shared: Rows, circles: Rows, mates: Rows) -> Numbers:
    """What other circles lose by each candidate's, before any candidate of it is accepted."""
    sharers = np.bincount(shared.numbers)
    own = np.zeros(len(shared.starts) - 1, np.int64)
    own[circles.owners()] = mates.lengths()[circles.numbers]
    owners = shared.owners()
    lost = _share(own[owners], sharers[shared.numbers])
    return np.bincount(owners, lost, minlength=len(own)).astype(np.int64)


def showing(pool: Pool) -> Rows:
    """For each shared key, the circles that hold it, each once."""
    circles = np.frombuffer(pool.circle, np.int64)[pool.shared.owners()]
    height = int(circles.max(initial=0)) + 1
    pairs = np.unique(pool.shared.numbers * height + circles)
    return _rows(np.bincount(pairs // height, minlength=pool.shared.height), pairs % height)


def _share(mine: Numbers | np.int64, total: Numbers | np.int64) -> Numbers:
    """The share of a total that is not mine, in thousandths; 0 of nothing."""
    lost: Numbers = 1000 * (total - mine) // np.maximum(total, 1)
    return lost


def _sums(rows: Rows, values: Numbers) -> Numbers:
    """For each row, the sum of its numbers' values; exact, as all of them are whole and small."""
    summed = np.bincount(rows.owners(), values[rows.numbers], minlength=len(rows.starts) - 1)
    return summed.astype(np.int64)


def _firsts(rows: Rows) -> Packed:
    """The one number of each row, -1 where it has none."""
    found = np.full(len(rows.starts) - 1, -1, np.int64)
    found[rows.owners()] = rows.numbers
    return packed(found)


def in_turn(pool: Pool, places: Sequence[int], costs: Packed) -> list[int]:
    """Places from best to worst: by rank, then cost, then lot."""
    at = np.array(places, np.int64)
    of_all = (pool.lots, costs, pool.ranks)
    columns = (np.frombuffer(one, one.typecode)[at] for one in of_all)
    found: list[int] = at[np.lexsort(tuple(columns))].tolist()
    return found
