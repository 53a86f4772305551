import itertools
from dataclasses import replace

import pytest

from pipeline.evidence.merge import merge
from pipeline.records import Passage, Question, Reject, Relevance
from pipeline.stages.relevance import (
    GENERIC,
    Present,
    judgements,
    present_as,
    resolve_question,
    text_id,
    unite_questions,
)

QA, EVIDENCE, BOTH = ("qa",), ("evidence",), ("evidence", "qa")
Found = list[tuple[str, Present]]


def question(
    source_id: str,
    text: str = "Why?",
    *relevant: tuple[str, int] | tuple[str, int, str],
    **more: tuple[str, ...],
) -> Question:
    judged = tuple(Relevance(*one) for one in relevant)
    plain = Question(source_id, text, "en", (), (), judged, "test", "CC0-1.0", QA)
    return replace(plain, **more)


def there(passage_id: str, tasks: tuple[str, ...] = BOTH) -> Present:
    return Present(passage_id, tasks, f"text of {passage_id}")


def lost(reason: str, detail: str = "", stage: str = "resolve relevance") -> Reject:
    return Reject(stage, "q", reason, detail)


@pytest.mark.parametrize(
    ("others", "most", "kept"),
    [((), 1, "p1"), (("p2",), 2, "p1"), (("p2",), 1, GENERIC), (("p2", "p3"), 2, GENERIC)],
)
def test_an_answer_given_too_often_answers_nothing(
    others: tuple[str, ...], most: int, kept: str
) -> None:
    passage = Passage("p1", "", "Some text.", (), (), "test", "CC0-1.0", "", QA)
    merged = merge([passage, *(replace(passage, passage_id=other) for other in others)])
    expected = Present(kept, QA, text_id(passage))
    assert list(present_as(merged, most)) == [(name, expected) for name in ("p1", *others)]


A1, A2, B1 = ("p1", 1), ("p1", 2), ("p2", 1)
P0, P1, P3 = ("p0", 1, "text of p0"), ("p1", 1, "text of p1"), ("p3", 2, "text of p3")


@pytest.mark.parametrize(
    ("questions", "found", "expected"),
    [
        ([question("q", "Why?", A1)], [("p1", there("p1"))], [question("q", "Why?", P1)]),
        # an alias leads to what it was merged into; the higher grade stays
        ([question("q", "Why?", A1)], [("p1", there("p0"))], [question("q", "Why?", P0)]),
        (
            [question("q", "Why?", ("p0", 1), A2)],
            [("p1", there("p0")), ("p0", there("p0"))],
            [question("q", "Why?", ("p0", 2, "text of p0"))],
        ),
        (
            [question("q", "Why?", ("p9", 1), A1)],
            [("p1", there("p1"))],
            [question("q", "Why?", P1)],
        ),
        ([question("q", "Why?", ("p9", 1))], [], [lost("no_relevant_passage", "qa")]),
        ([question("q")], [], [lost("no_relevant_passage", "qa")]),
        (
            [question("q", "Why?", A1), question("q", "How?", A1)],
            [("p1", there("p1"))],
            [lost("repeated_source_id", "test"), question("q", "How?", P1)],
        ),
        ([], [("p1", there("p1"))], []),
        # what stands under too many questions answers none; another answer is left
        (
            [question("q", "Why?", B1, A1)],
            [("p1", there(GENERIC)), ("p2", there(GENERIC))],
            [lost("generic_answer", "qa")],
        ),
        (
            [question("q", "Why?", A1, ("p3", 2))],
            [("p1", there(GENERIC)), ("p3", there("p3"))],
            [question("q", "Why?", P3)],
        ),
        # each task has the passages of its own corpus
        (
            [question("q", "Why?", A1)],
            [("p1", there("p1", EVIDENCE))],
            [lost("other_corpus", "qa")],
        ),
        (
            [question("q", "Why?", A1, ("p3", 2), tasks=BOTH)],
            [("p1", there("p1")), ("p3", there("p3", QA))],
            [question("q", "Why?", P1, tasks=EVIDENCE), question("q", "Why?", P1, P3)],
        ),
        (
            [question("q", "Why?", A1, tasks=BOTH)],
            [("p1", there("p1", QA))],
            [lost("other_corpus", "evidence"), question("q", "Why?", P1)],
        ),
        (
            [question("q", "Why?", A1, tasks=BOTH)],
            [("p1", there("p1"))],
            [question("q", "Why?", P1, tasks=BOTH)],
        ),
    ],
)
def test_relevance_follows_the_passages(
    questions: list[Question], found: Found, expected: list[Question | Reject]
) -> None:
    for order in itertools.permutations(questions):
        for met in itertools.permutations(found):
            assert list(resolve_question(("q", {"questions": order, "found": met}))) == expected


def test_every_judgement_has_a_fate() -> None:
    relevant = [("p1", 1), ("p2", 1), ("p3", 1), ("p4", 2)]
    found = [("p1", there(GENERIC)), ("p2", there("p2", EVIDENCE)), ("p4", there("p0"))]
    group = {"questions": [question("q", "Why?", *relevant)], "found": found}
    assert list(judgements(("q", group))) == [
        lost("generic_answer", "p1", "find relevant passages"),
        lost("other_corpus", "p2", "find relevant passages"),
        lost("passage_missing", "p3", "find relevant passages"),
        Relevance("p4", 2),
    ]


def test_questions_of_equal_text_are_one() -> None:
    group = [
        question("q2", "why", A2, cuis=("C2",), headings=("D1",)),
        question("q1", "Why?", A1, B1, cuis=("C1",)),
        question("q3", "WHY", A1, cuis=("C2",)),
    ]
    united = question("q1", "Why?", A2, B1, cuis=("C1", "C2"), headings=("D1",))
    merged = [
        Reject("unite questions", q, "equal_question", "merged into q1") for q in ("q2", "q3")
    ]
    for order in itertools.permutations(group):
        assert list(unite_questions(("key", order))) == [united, *merged]
