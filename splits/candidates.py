"""Candidates: queries as far as sharing them out among tasks needs to know them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.records import Query
from splits.keys import circle_of, keys_of, shared_keys_of, synonym_keys_of, unique_keys_of

Slot = tuple[str, str]  # task, stratum


class ClaimError(ValueError):
    """Candidates, quotas or conflicts that do not fit together."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A query as far as claiming needs it.

    No other task may hold one of `keys`, no other candidate of the same task one of `unique`, and
    no candidate of another `circle` one of `shared`. A lower rank is better; among equals the one
    that takes least from others goes first.
    """

    candidate_id: str
    task: str
    stratum: str
    keys: tuple[str, ...]
    rank: float = 0.0
    unique: tuple[str, ...] = ()
    circle: str = ""
    shared: tuple[str, ...] = ()
    language: str = ""  # in which it was posed
    group: str = ""  # the semantic group of what it is about first
    synonyms: tuple[str, ...] = ()  # its keys of relations that say the same


def candidate_of(query: Query, rank: float = 0.0, group: str = "") -> Candidate:
    """A query as a candidate; its semantic group is told by whoever knows the groups."""
    return Candidate(
        query.query_id,
        query.task,
        query.stratum,
        keys_of(query),
        rank,
        unique_keys_of(query),
        circle_of(query),
        shared_keys_of(query),
        query.original.language,
        group,
        synonym_keys_of(query),
    )


def in_order(candidates: Iterable[Candidate], quotas: Mapping[Slot, int]) -> list[Candidate]:
    """Candidates in order of their ids; each must have an id of its own, a quota and a rank."""
    pool = sorted(candidates, key=lambda one: one.candidate_id)
    for before, one in zip([None, *pool], pool, strict=False):
        if before is not None and before.candidate_id == one.candidate_id:
            raise ClaimError(f"claim: candidate {one.candidate_id} stands twice; ids must differ")
        if (one.task, one.stratum) not in quotas:
            known = ", ".join("/".join(filter(None, slot)) for slot in sorted(quotas))
            raise ClaimError(
                f"claim: candidate {one.candidate_id} is of {one.task}/{one.stratum}, which has "
                f"no quota; set one, or 0. Known: {known}"
            )
        if one.rank != one.rank:
            raise ClaimError(f"claim: candidate {one.candidate_id} has no number for a rank")
    return pool
