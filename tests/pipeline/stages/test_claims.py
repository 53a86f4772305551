import dataclasses
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Reject, Relation, Relevance, Wording
from pipeline.release.layout import WORK
from pipeline.stages.claims import (
    ClaimConcepts,
    _compact,
    claim_and_tell,
    claim_pool,
    decide,
    read_claim,
    told,
    trim,
)
from splits.candidates import candidate_of

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


def concept(cui: str, *names: str, **more: object) -> Concept:
    atoms = tuple(Name(text, "en", "S", "PT", f"A{text}", 0, True) for text in names or (cui,))
    return dataclasses.replace(Concept(cui, atoms, ("T047",)), **more)


def query(query_id: str, text: str, *concepts: Concept, **more: object) -> Query:
    task, _, _ = query_id.partition("-")
    original = Wording(text, "en", (), 0)
    relevant = (Relevance(f"p of {query_id}", 1),)
    stratum = "hard" if task == "concepts" else ""
    plain = Query(
        query_id,
        task,
        stratum,
        f"s {query_id}",
        "t",
        "source",
        original,
        (),
        concepts,
        relevant,
        "CC",
    )
    return dataclasses.replace(plain, **more)


def plan_of(**quotas: int) -> Plan:
    """A plan of these quotas; one of 0 is no plan to build by, but a rule to claim by."""
    plan = load_plan("sample", [f"tiers.{tier}.quota=9" for tier in ("easy", "hard")])
    tasks = {
        name: dataclasses.replace(task, quota=quotas.get(name, 0))
        for name, task in plan.tasks.items()
    }
    return dataclasses.replace(plan, tasks=tasks)


def claimed(queries: Iterable[Query], plan: Plan) -> dict[str, str]:
    """By query: "" where it is claimed, else why not."""
    compact = [(candidate_of(one), one.original.language, one.original.text) for one in queries]
    ruled = {id_: reject.reason if reject else "" for id_, reject in claim_pool((0, compact), plan)}
    for order in itertools.permutations(compact):
        again = {id_: lost.reason if lost else "" for id_, lost in claim_pool((0, order), plan)}
        assert again == ruled
    return ruled


LONG = "Does regular exercise lower the blood pressure of older people?"
LIKE = "Does regular exercise lower the blood pressure of older people"


@pytest.mark.parametrize(
    ("queries", "number"),
    [
        ([query("qa-1", "Why?", concept("C1")), query("evidence-1", "How?", concept("C2"))], 2),
        ([query("qa-1", "Why?", concept("C1")), query("evidence-1", "How?", concept("C1"))], 1),
        ([query("qa-1", "Why?", concept("C1")), query("qa-2", "How?", concept("C1"))], 2),
        (
            [
                query("qa-1", "Why?", concept("C1", "cold")),
                query("evidence-1", "How?", concept("C2", "COLD")),
            ],
            1,
        ),
        (
            [
                query("qa-1", "Why?", concept("C1", relations=(Relation("synonym", "C2", "S"),))),
                query(
                    "evidence-1", "How?", concept("C2", relations=(Relation("synonym", "C1", "S"),))
                ),
            ],
            1,
        ),
        # what the plan hides belongs to one task all the same
        (
            [
                query("qa-1", "Why?", concept("C1"), unseen=("C9",)),
                query("evidence-1", "How?", concept("C2"), unseen=("C9",)),
            ],
            1,
        ),
        (
            [
                query("qa-1", "Why?", concept("C1"), unseen=("C9",)),
                query("evidence-1", "How?", concept("C9")),
            ],
            1,
        ),
        (
            [
                query("qa-1", "Why?", concept("C1"), unseen=("C9",)),
                query("evidence-1", "How?", concept("C2"), unseen=("C8",)),
            ],
            2,
        ),
        # alike, but not equal: kept apart by the measured similarity alone
        (
            [
                query("qa-1", LONG, concept("C1")),
                query("evidence-1", LIKE.replace("older", "oldest"), concept("C2")),
            ],
            1,
        ),
        (
            [
                query("qa-1", LONG, concept("C1")),
                query("evidence-1", LIKE, concept("C2"), original=Wording(LIKE, "de", (), 0)),
            ],
            1,
        ),
    ],
)
def test_a_concept_belongs_to_one_task(queries: list[Query], number: int) -> None:
    ruled = claimed(queries, plan_of(qa=5, evidence=5))
    assert len([one for one in ruled.values() if not one]) == number


@pytest.mark.parametrize(("quota", "number"), [(0, 0), (1, 2), (2, 4), (9, 6)])
def test_more_is_claimed_than_asked_for(quota: int, number: int) -> None:
    queries = [query(f"qa-{n}", f"Question {n}?", concept(f"C{n}")) for n in range(6)]
    compact = [(candidate_of(one), "en", one.original.text) for one in queries]
    ruled = dict(claim_pool((0, compact), plan_of(qa=quota)))
    assert len(ruled) == len(queries)
    assert len([one for one in ruled.values() if one is None]) == number
    waiting = [turn for turn in ruled.values() if isinstance(turn, int)]
    # where nothing is asked for, nothing can be lacking
    assert sorted(waiting) == list(range(len(queries) - number if quota else 0))
    lost = {key: one for key, one in ruled.items() if isinstance(one, Reject)}
    assert {key: (one.key, one.reason) for key, one in lost.items()} == {
        key: (key, "over_quota") for key in lost
    }


GOLD = concept("C1", "scabies", "the itch", relations=(Relation("synonym", "C9", "S"),))
OTHER = concept("C2", "head lice", "pediculosis", relations=(Relation("synonym", "C8", "S"),))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (query("qa-1", "Why?", GOLD, OTHER), (GOLD, OTHER)),
        (query("concepts-1", "the itch", GOLD), (GOLD,)),
        (query("concepts-1", "the itch", GOLD, OTHER), (GOLD, concept("C2", "head lice"))),
    ],
)
def test_distractors_travel_with_the_name_they_show(
    given: Query, expected: tuple[Concept, ...]
) -> None:
    assert trim(given).concepts == expected
    assert trim(trim(given)) == trim(given)


def test_what_no_quota_has_room_for_waits_in_reserve(
    run_graph: RunGraph, counts: Counts, tmp_path: Path
) -> None:
    (tmp_path / WORK).mkdir()
    plan = plan_of(qa=1)  # two candidates, by the factor
    queries = [query(f"qa-{n}", f"Question {n}?", concept(f"C{n}")) for n in range(5)]

    def lay_out(graph: beam.Pipeline) -> Laid:
        main, reserves, rejects = graph | beam.Create(queries) | ClaimConcepts(plan, str(tmp_path))
        return {"main": main, "reserves": reserves, "rejects": rejects}

    found = run_graph(lay_out)
    assert (len(found["main"]), found["rejects"]) == (2, [])
    assert sorted(one.turn for one in found["reserves"]) == [0, 1, 2]
    both = [*found["main"], *(one.query for one in found["reserves"])]
    assert {one.query_id for one in both} == {one.query_id for one in queries}
    assert counts["claim", "out"] == 2  # nobody is called yet
    queries.reverse()
    assert run_graph(lay_out) == found


@pytest.mark.parametrize(
    ("most", "accepted", "classes"),
    [
        (16, 1, {"number": 1, "largest": 3, "cut": 0, "cut_most_at": {}}),
        (2, 2, {"number": 0, "largest": 0, "cut": 2, "cut_most_at": {"C2": 2}}),
    ],
)
def test_synonyms_over_a_third_are_kept_apart_as_far_as_the_plan_says(
    tmp_path: Path, most: int, accepted: int, classes: dict[str, Any]
) -> None:
    (tmp_path / WORK).mkdir()
    plan = plan_of(qa=1, evidence=1)
    plan = dataclasses.replace(plan, overlap=dataclasses.replace(plan.overlap, class_size=most))
    to_third = (Relation("synonym", "C2", "S"),)
    pool = [
        _compact(query("qa-1", "Why?", concept("C1", relations=to_third))),
        _compact(query("evidence-1", "Does it?", concept("C3", relations=to_third))),
    ]
    ruled = list(claim_and_tell((0, iter(pool)), plan, str(tmp_path)))
    assert sum(ruling is None for _, ruling in ruled) == accepted
    assert read_claim(tmp_path)["classes"] == classes


def test_claiming_is_free_of_order(run_graph: RunGraph, counts: Counts, tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()
    plan = plan_of(qa=2, evidence=2)
    queries = [query(f"qa-{n}", f"Question {n}?", concept(f"C{n}")) for n in range(3)]
    queries += [
        query(f"evidence-{n}", f"Evidence {n}?", concept(f"C{n + 2}", f"name {n}"))
        for n in range(3)
    ]
    queries.append(query("concepts-1", "the itch", concept("C11"), concept("C12", "x ray", "rays")))

    def lay_out(graph: beam.Pipeline) -> Laid:
        main, reserves, rejects = graph | beam.Create(queries) | ClaimConcepts(plan, str(tmp_path))
        return {"main": main, "reserves": reserves, "rejects": rejects}

    found = run_graph(lay_out)
    assert found["reserves"] == []
    (lost,) = found["rejects"]
    assert isinstance(lost, Reject)
    assert (lost.stage, lost.reason) == ("claim", "key_of_other_task")
    assert lost.key in ("qa-2", "evidence-0")
    kept = {one.query_id: one for one in found["main"]}
    assert kept.keys() == {one.query_id for one in queries} - {lost.key}
    assert [len(one.names) for one in kept["concepts-1"].concepts] == [1, 1]
    assert (counts["claim", "in"], counts["claim", "out"]) == (7, 6)
    assert counts["claim", "note: contended cui"] == 1
    said = read_claim(tmp_path)
    assert said["evidence"]["claimed"] + said["qa"]["claimed"] == 5
    (short,) = (one for one in said.values() if one.get("contended"))
    owner = {"qa-2": "evidence", "evidence-0": "qa"}[lost.key]
    assert (short["barred_by"], short["contended"]) == ({f"cui of {owner}": 1}, {"cui:C2": 1})
    queries.reverse()
    assert run_graph(lay_out) == found
    assert read_claim(tmp_path) == said


def test_shares_of_languages_and_groups_are_claimed() -> None:
    plan = plan_of(qa=4)
    task = dataclasses.replace(plan.tasks["qa"], factor=1.0, group_shares={"CHEM": 0.5})
    plan = dataclasses.replace(plan, tasks={**plan.tasks, "qa": task})
    drug = Concept("C9", (), ("T121",))
    queries = [
        query(f"qa-{n}", f"Question {n}?", drug if n == 7 else concept(f"C{n}")) for n in range(8)
    ]
    outcome = decide(map(_compact, queries), plan)
    assert "qa-7" in outcome.accepted
    assert told(outcome, {("qa", ""): 4}) == {
        "qa": {"asked": 4, "claimed": 4, "parts": {"other/CHEM": 1, "other/other": 3}}
    }
