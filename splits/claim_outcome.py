"""What a claim comes to: counted, sorted, and explained where it falls short."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipeline.records import Reject
from splits.candidates import Slot
from splits.claim_tables import Pool, kind_of

NOBODY = -1
ACCEPTED = 1
# States from 2 on: why a candidate was refused. One that was never asked is left in state 0.
REASONS = ("key_of_other_task", "not_unique", "shown_in_other_circle", "near_duplicate")
OF_OTHER_TASK, NOT_UNIQUE, SHOWN, NEAR = range(2, 6)
_TOLD = 10  # contended keys that an explanation names


@dataclass(frozen=True, slots=True)
class Claim:
    """What was claimed; every candidate is accepted, a reserve or rejected.

    `owned` counts the keys of each task, `contended` by kind the keys that more than one task
    wanted, `shortfall` what each slot lacks of its quota. `parts` counts what was accepted by
    slot and part. `contention` explains a slot that lacks something: by kind of key and the task
    that owns it how many of the slot's candidates it barred, and the keys that barred most.
    `reserves` are, by slot, what could be claimed beyond the quotas, in the order in which they
    are to be called.
    """

    accepted: tuple[str, ...]
    owned: Mapping[str, int]
    contended: Mapping[str, int]
    shortfall: Mapping[Slot, int]
    rejects: tuple[Reject, ...]
    parts: Mapping[Slot, Mapping[str, int]] = field(default_factory=dict)
    contention: Mapping[Slot, "Contention"] = field(default_factory=dict)
    reserves: Mapping[Slot, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contention:
    """What stood in a slot's way: its refused candidates by cause, and the keys of most of them."""

    causes: Mapping[str, int]
    keys: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Settled:
    """Who owns each contended key, and what became of each candidate.

    `against` is what a refused candidate met: a contended key, another candidate, or which of its
    own keys.
    """

    pool: Pool
    owner: list[int]
    state: bytearray
    against: "array[int]"


def sum_up(
    settled: Settled, parts: Mapping[Slot, Mapping[str, int]], shortfall: Mapping[Slot, int]
) -> Claim:
    """What was claimed, counted and sorted."""
    pool = settled.pool
    accepted = [place for place, state in enumerate(settled.state) if state == ACCEPTED]
    left = [place for place, state in enumerate(settled.state) if state != ACCEPTED]
    return Claim(
        accepted=tuple(pool.candidates[place].candidate_id for place in accepted),
        owned=_owned(settled, accepted),
        contended=dict(sorted(Counter(map(kind_of, pool.wanted)).items())),
        shortfall=shortfall,
        rejects=tuple(_reject(settled, place) for place in left),
        parts=parts,
        contention=_contention(settled, shortfall),
    )


def with_reserves(claimed: Claim, reserves: Mapping[Slot, tuple[str, ...]]) -> Claim:
    """The same with reserves; who collides with one of them was over quota, if nothing else."""
    waiting = {query_id for ids in reserves.values() for query_id in ids}
    rejects = tuple(reject for reject in claimed.rejects if reject.key not in waiting)
    return replace(claimed, rejects=rejects, reserves=reserves)


def _owned(settled: Settled, accepted: list[int]) -> dict[str, int]:
    """How many different keys each task's accepted candidates hold."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for place in accepted:
        found[settled.pool.task[place]].update(settled.pool.keys[place])
    return {settled.pool.tasks[task]: len(keys) for task, keys in sorted(found.items()) if keys}


def _reject(settled: Settled, place: int) -> Reject:
    one, state = settled.pool.candidates[place], settled.state[place]
    reason = REASONS[state - OF_OTHER_TASK] if state else "over_quota"
    return Reject("claim", one.candidate_id, reason, _detail(settled, place))


def _detail(settled: Settled, place: int) -> str:
    pool, one = settled.pool, settled.pool.candidates[place]
    state, number = settled.state[place], settled.against[place]
    if state == OF_OTHER_TASK:
        return f"{pool.wanted[number]} is owned by {pool.tasks[settled.owner[number]]}"
    if state == NEAR:
        return pool.candidates[number].candidate_id
    if state in (NOT_UNIQUE, SHOWN):
        keys = one.unique if state == NOT_UNIQUE else one.shared
        return tuple(dict.fromkeys(keys))[number]
    return ""


def _contention(settled: Settled, shortfall: Mapping[Slot, int]) -> dict[Slot, Contention]:
    """Why each slot that lacks something does."""
    pool = settled.pool
    causes = {slot: Counter[str]() for slot in sorted(shortfall) if shortfall[slot] > 0}
    keys = {slot: Counter[str]() for slot in causes}
    for place, state in enumerate(settled.state):
        one = pool.candidates[place]
        if state <= ACCEPTED or (slot := (one.task, one.stratum)) not in causes:
            continue
        if state == OF_OTHER_TASK:
            key = pool.wanted[settled.against[place]]
            keys[slot][key] += 1
            owner = pool.tasks[settled.owner[settled.against[place]]]
            causes[slot][f"{kind_of(key)} of {owner}"] += 1
        else:
            causes[slot][REASONS[state - OF_OTHER_TASK]] += 1
    return {
        slot: Contention(dict(sorted(causes[slot].items())), _most(keys[slot])) for slot in causes
    }


def _most(counted: Counter[str]) -> dict[str, int]:
    """The largest counts, ties by name."""
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:_TOLD])
