import dataclasses
import itertools
from collections.abc import Callable
from typing import Any, cast

import apache_beam as beam
import pytest

from pipeline.evidence.cutting import Passages
from pipeline.plan import Grounding, Plan
from pipeline.records import Passage, Question, Relevance
from pipeline.stages.passages import MergePassages, cut_passage, merge_equal, merge_near
from pipeline.text import content_id, normalise

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


@dataclasses.dataclass(frozen=True)
class PartOfPlan:
    """What of a plan merging looks at."""

    passages: Passages
    grounding: Grounding


def plan_of(rule: Passages = Passages(), max_equal_answers: int = 5) -> Plan:  # noqa: B008
    return cast(Plan, PartOfPlan(rule, Grounding(max_equal_answers=max_equal_answers)))


def text_key(text: str) -> str:
    return content_id(normalise(text))


def passage(
    passage_id: str,
    text: str = "Some text.",
    tasks: tuple[str, ...] = ("qa",),
    **more: tuple[str, ...],
) -> Passage:
    plain = Passage(passage_id, "", text, (), (), "test", "CC0-1.0", "", tasks)
    return dataclasses.replace(plain, **more)


def question(
    source_id: str,
    text: str = "Why?",
    *relevant: tuple[str, int] | tuple[str, int, str],
    **more: tuple[str, ...],
) -> Question:
    judged = tuple(Relevance(*one) for one in relevant)
    plain = Question(source_id, text, "en", (), (), judged, "test", "CC0-1.0", ("qa",))
    return dataclasses.replace(plain, **more)


@pytest.mark.parametrize(
    ("group", "expected", "aliases"),
    [
        ([passage("p1")], passage("p1"), ()),
        ([passage("p2"), passage("p1")], passage("p1"), ("p2",)),
        ([passage("p1"), passage("p1")], passage("p1"), ()),
        (
            [passage("p2", tasks=("evidence",)), passage("p1", tasks=("qa",))],
            passage("p1", tasks=("evidence", "qa")),
            ("p2",),
        ),
        (
            [passage("p1", tasks=("evidence",)), passage("p1", tasks=("qa", "evidence"))],
            passage("p1", tasks=("evidence", "qa")),
            (),
        ),
        (
            [passage("p2", cuis=("C2", "C1"), headings=("D2",)), passage("p1", cuis=("C3",))],
            passage("p1", cuis=("C1", "C2", "C3"), headings=("D2",)),
            ("p2",),
        ),
    ],
)
def test_passages_of_equal_text_are_one(
    group: list[Passage], expected: Passage, aliases: tuple[str, ...]
) -> None:
    for order in itertools.permutations(group):
        assert merge_equal(("key", order)) == (expected, aliases)


@pytest.mark.parametrize(
    ("group", "title"),
    [
        ([("p1", "Gout"), ("p2", "Gout")], "Gout"),
        ([("p1", "Gout"), ("p2", "GOUT ")], "Gout"),
        ([("p1", "Gout"), ("p2", "Lupus")], ""),
        ([("p1", "Gout"), ("p2", "")], ""),
    ],
)
def test_a_merged_passage_has_the_title_that_all_have(
    group: list[tuple[str, str]], title: str
) -> None:
    twins = [dataclasses.replace(passage(key), title=named) for key, named in group]
    for order in itertools.permutations(twins):
        merged, _ = merge_equal(("key", order))
        assert merged.title == title


def test_merging_passages_is_free_of_order(run_graph: RunGraph, counts: Counts) -> None:
    passages = [
        passage("p1", "Equal text!"),
        passage("p2", "equal TEXT", tasks=("evidence",)),
        passage("p3", "Other text."),
        *(passage(f"p{number}", "Ask your doctor.") for number in (4, 5, 6)),
    ]
    both = ("qa", "evidence")
    questions = [
        question("q1", "Why?", ("p2", 1)),
        question("q2", "why", ("p3", 2), tasks=("qa",)),
        question("q3", "why", ("p2", 1), tasks=("evidence",)),
        question("q4", "How?", ("p9", 1)),
        question("q5", "Both?", ("p1", 1), tasks=both),
        question("q6", "both", ("p2", 1), tasks=both),
        question("q7", "What now?", ("p5", 1)),
        question("q8", "What then?", ("p3", 1), ("p6", 1)),
        question("q9", "Which?", ("p3", 1), ("p2", 1), tasks=both),
    ]

    def lay_out(graph: beam.Pipeline) -> Laid:
        evidence = (graph | "P" >> beam.Create(passages), graph | "Q" >> beam.Create(questions))
        merged, unique, rejects = evidence | MergePassages(plan_of(max_equal_answers=2))
        return {"passages": merged, "questions": unique, "rejects": rejects}

    found = run_graph(lay_out)
    assert found["passages"] == [
        passage("p1", "Equal text!", tasks=("evidence", "qa")),
        passage("p3", "Other text."),
        passage("p4", "Ask your doctor."),  # wrong for every question, but there to be found
    ]
    p1, p3 = ("p1", 1, text_key("Equal text!")), ("p3", 1, text_key("Other text."))
    assert found["questions"] == [
        question("q1", "Why?", p1, ("p3", 2, p3[2])),
        question("q3", "why", p1, tasks=("evidence",)),
        question("q5", "Both?", p1, tasks=both),
        question("q8", "What then?", p3),
        question("q9", "Which?", p1, p3),
        question("q9", "Which?", p1, tasks=("evidence",)),
    ]
    assert [(lost.stage, lost.key, lost.reason) for lost in found["rejects"]] == [
        ("find relevant passages", "q4", "passage_missing"),
        ("find relevant passages", "q7", "generic_answer"),
        ("find relevant passages", "q8", "generic_answer"),
        ("merge passages", "p2", "equal_text"),
        ("merge passages", "p5", "equal_text"),
        ("merge passages", "p6", "equal_text"),
        ("resolve relevance", "q4", "no_relevant_passage"),
        ("resolve relevance", "q7", "generic_answer"),
        ("unite questions", "q2", "equal_question"),
        ("unite questions", "q6", "equal_question"),
    ]
    for stage in sorted({lost.stage for lost in found["rejects"]}):
        lost = sum(one.stage == stage for one in found["rejects"])
        assert counts[stage, "in"] == counts[stage, "out"] + lost, stage
    assert (counts["resolve relevance", "in"], counts["resolve relevance", "out"]) == (10, 8)
    passages.reverse()
    questions.reverse()
    assert run_graph(lay_out) == found


LONG = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
NEAR = [
    passage("p2", f"{LONG}."),
    passage("p3", f"{LONG}, and so on.", tasks=("evidence",), cuis=("C2",)),
    passage("p1", f"What is this? {LONG}", cuis=("C1",)),
    passage("p4", f"{LONG} in 5 weeks."),
    passage("p5", "Short."),
]


def test_near_duplicates_are_one_with_what_all_are_relevant_to(run_graph: RunGraph) -> None:
    asked = [question("q1", "Why?", ("p3", 1)), question("q2", "How?", ("p2", 2), ("p4", 1))]

    def lay_out(graph: beam.Pipeline) -> Laid:
        evidence = (graph | "P" >> beam.Create(NEAR), graph | "Q" >> beam.Create(asked))
        merged, unique, rejects = evidence | MergePassages(plan_of(Passages(near_duplicates=0.7)))
        return {"passages": merged, "questions": unique, "rejects": rejects}

    found = run_graph(lay_out)
    kept = dataclasses.replace(NEAR[2], tasks=("evidence", "qa"), cuis=("C1", "C2"))
    assert found["passages"] == [kept, NEAR[3], NEAR[4]]
    p1, p4 = ("p1", 1, text_key(kept.text)), ("p4", 1, text_key(NEAR[3].text))
    assert found["questions"] == [
        question("q1", "Why?", p1),
        question("q2", "How?", ("p1", 2, p1[2]), p4),
    ]
    assert [(lost.key, lost.reason, lost.detail) for lost in found["rejects"]] == [
        ("p2", "near_duplicate", "merged into p1"),
        ("p3", "near_duplicate", "merged into p1"),
    ]


def test_a_plan_may_merge_equal_texts_alone(run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        nothing = graph | "Q" >> beam.Create([])
        evidence = (graph | "P" >> beam.Create(NEAR), nothing)
        merged, _, rejects = evidence | MergePassages(plan_of(Passages(near_duplicates=1)))
        return {"passages": merged, "rejects": rejects}

    found = run_graph(lay_out)
    assert (len(found["passages"]), found["rejects"]) == (5, [])


def test_the_ids_of_equal_and_of_near_texts_are_kept_apart() -> None:
    group = [(passage("p3"), ("p4",)), (passage("p1"), ("p5",)), (passage("p2"), ())]
    for order in itertools.permutations(group):
        assert merge_near(("p1", order)) == (passage("p1"), ("p5",), ("p2", "p3", "p4"))


def test_relevance_goes_to_the_parts_where_the_answer_stands(run_graph: RunGraph) -> None:
    whole = passage("p1", "AIM: To see. END: It is.", sections=(13,))
    relevant = Relevance("p1", 2, spans=((15, 20),))
    asked = dataclasses.replace(question("q1"), relevant=(relevant,))
    rule = Passages(unit="section")

    def lay_out(graph: beam.Pipeline) -> Laid:
        some = [asked, question("q2", "How?", ("p1", 1))]
        evidence = (graph | "P" >> beam.Create([whole]), graph | "Q" >> beam.Create(some))
        merged, unique, _ = evidence | MergePassages(plan_of(rule))
        return {"passages": merged, "questions": unique}

    found = run_graph(lay_out)
    aim, end = ("p1.s0-13", 1, text_key("aim to see")), ("p1.s13-24", 1, text_key("end it is"))
    assert [(one.passage_id, one.text) for one in found["passages"]] == [
        ("p1.s0-13", "AIM: To see."),
        ("p1.s13-24", "END: It is."),
    ]
    assert found["questions"] == [
        question("q1", "Why?", ("p1.s13-24", 2, end[2])),
        question("q2", "How?", aim, end),
    ]


def test_long_texts_are_cut_between_sentences() -> None:
    text = "Dr. Smith saw 5.5 mg vs. placebo. It was fine (n = 3). No more followed."
    parts = cut_passage(passage("p1", text), Passages(longest=9))
    assert [one.text for one in parts] == [
        "Dr. Smith saw 5.5 mg vs. placebo.",
        "It was fine (n = 3). No more followed.",
    ]
