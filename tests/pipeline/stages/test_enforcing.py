import itertools
from collections.abc import Callable
from typing import Any

import apache_beam as beam

from pipeline.plan_file import load_plan
from pipeline.records import (
    Concept,
    JudgedQuery,
    Name,
    Query,
    Reject,
    Relevance,
    Translation,
    Verdict,
    Wording,
)
from pipeline.stages.enforcing import EnforceZeroOverlap, rules_of, select_pool
from splits.select import Released, contender_of

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

PLAN = load_plan(
    "sample",
    ['languages=["en", "de"]', "tasks.qa.quota=1", "tasks.qa.language_quotas.de=0"],
)


def judged(query_id: str, language: str, text: str, accepted: bool = True) -> JudgedQuery:
    task, _, number = query_id.partition("-")
    names = (Name(f"thing {query_id}", "en", "S", "PT", "A1", 0, True),)
    concept = Concept(f"C{query_id}", names, ("T047",))
    original = Wording(f"Question {query_id}?", "en", (), 0)
    relevant = (Relevance("p1", 1),)
    query = Query(
        query_id, task, "", number, "t", "source", original, (), (concept,), relevant, "CC"
    )
    made = Translation(text, language, "source" if language == "en" else "mt", score=-0.5)
    return JudgedQuery(query, made, (Verdict("length", 1.0, accepted),))


JUDGED = [
    judged("qa-1", "en", "Why do bones break?"),
    judged("qa-1", "de", "Warum brechen Knochen?"),
    judged("evidence-1", "en", "Does aspirin thin the blood?"),
    judged("evidence-1", "de", "Verdünnt Aspirin das Blut?"),
    judged("evidence-2", "en", "Is honey good for a cough?"),
    judged("evidence-2", "de", "Warum brechen Knochen?"),
    judged("evidence-3", "en", "Do masks help?", accepted=False),
]
REJECTS = [
    Reject("select", "evidence-2/de", "text_of_other_task"),
    Reject("select", "evidence-3/en", "not_accepted", "length"),
    Reject("select", "qa-1/de", "over_language_quota"),
]
RELEASED = [
    Released("evidence-1", "de", True),
    Released("evidence-1", "en", True),
    Released("evidence-2", "en", False),
    Released("qa-1", "en", False),
]


def test_the_plan_gives_the_rules() -> None:
    rules = rules_of(PLAN)
    assert rules.languages == ("en", "de")
    assert rules.quotas["qa", ""] == 1
    assert rules.language_quotas["qa", ""] == {"de": 0}
    assert rules.threshold == PLAN.overlap.jaccard
    assert rules.seed == PLAN.seed


def test_every_contender_gets_a_ruling(counts: Counts) -> None:
    contenders = [contender_of(one) for one in JUDGED]
    rulings = dict(select_pool((0, contenders), PLAN))
    again = [
        dict(select_pool((0, some), PLAN))
        for some in itertools.islice(itertools.permutations(contenders), 0, 5000, 499)
    ]
    assert all(one == rulings for one in again)
    assert rulings.keys() == {one.label for one in contenders}
    assert sorted((one for one in rulings.values() if isinstance(one, Reject)), key=repr) == REJECTS
    assert counts["select", "out"] == len(RELEASED) * (1 + len(again))


def test_texts_that_are_all_refused_are_no_error(run_graph: RunGraph, counts: Counts) -> None:
    refused = [judged("qa-1", "en", "Why?", accepted=False)]

    def lay_out(graph: beam.Pipeline) -> Laid:
        ruled, rejects = graph | beam.Create(refused) | EnforceZeroOverlap(PLAN)
        return {"ruled": ruled, "rejects": rejects}

    assert run_graph(lay_out) == {"ruled": [(refused[0], None)], "rejects": []}
    assert counts == {}


def test_enforcing_is_free_of_order(run_graph: RunGraph, counts: Counts) -> None:
    given = list(JUDGED)

    def lay_out(graph: beam.Pipeline) -> Laid:
        ruled, rejects = graph | beam.Create(given) | EnforceZeroOverlap(PLAN)
        return {"ruled": ruled, "rejects": rejects}

    found = run_graph(lay_out)
    # what the filters refuse has been left out before
    assert found["rejects"] == [one for one in REJECTS if one.reason != "not_accepted"]
    assert sorted(released for _, released in found["ruled"] if released) == RELEASED
    # what is not released goes on too, so that its verdicts are kept
    assert sorted((one for one, _ in found["ruled"]), key=repr) == sorted(JUDGED, key=repr)
    for one, released in found["ruled"]:
        if released:
            key = (one.query.query_id, one.translation.language)
            assert key == (released.query_id, released.language)
    assert counts["select", "in"] == len([one for one in JUDGED if one.accepted])
    assert counts["select", "in"] == counts["select", "out"] + len(found["rejects"])
    given.reverse()
    assert run_graph(lay_out) == found
