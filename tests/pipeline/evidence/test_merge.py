import itertools

from pipeline.evidence.merge import dangling, merge, relink, resolve, text_key
from pipeline.records import Passage, Question, Reject, Relevance


def passage(identifier: str, cuis: tuple[str, ...], headings: tuple[str, ...] = ()) -> Passage:
    text = "Inherited in an autosomal recessive pattern."
    return Passage(identifier, identifier.upper(), text, cuis, headings, "s", "l", "")


def question(*relevant: tuple[str, int]) -> Question:
    links = tuple(Relevance(*link) for link in relevant)
    return Question("medquad:x/1:1", "How is it inherited?", "en", (), (), links, "s", "l")


def test_merge_unites_and_does_not_depend_on_order() -> None:
    group = [
        passage("b", ("C0000002",), ("D2",)),
        passage("a", ("C0000003", "C0000001")),
        passage("c", ("C0000001",), ("D1",)),
    ]
    outcomes = {merge(order) for order in itertools.permutations(group)}
    ((merged, aliases),) = outcomes
    assert (merged.passage_id, merged.title, aliases) == ("a", "A", ("b", "c"))
    assert merged.cuis == ("C0000001", "C0000002", "C0000003")
    assert merged.headings == ("D1", "D2")


def test_merge_of_one_changes_nothing() -> None:
    alone = passage("a", ("C0000001",))
    assert merge([alone]) == (alone, ())


def test_text_key_leaves_the_title_out() -> None:
    assert text_key(passage("a", ())) == text_key(passage("b", ()))


def test_relink_keeps_the_higher_grade() -> None:
    linked = relink(question(("b", 1), ("a", 1), ("c", 2), ("d", 1)), {"b": "a", "c": "a"})
    assert linked.relevant == (Relevance("a", 2), Relevance("d", 1))


def test_resolve_drops_what_is_not_there() -> None:
    asked = question(("a", 1), ("gone", 2))
    found = resolve(asked, {"a", "b"})
    assert isinstance(found, Question)
    assert found.relevant == (Relevance("a", 1),)
    assert [(lost.key, lost.detail) for lost in dangling(asked, {"a"})] == [
        ("medquad:x/1:1", "gone")
    ]


def test_resolve_rejects_a_question_without_passages() -> None:
    found = resolve(question(("gone", 1)), set())
    assert isinstance(found, Reject)
    assert (found.key, found.reason) == ("medquad:x/1:1", "no_relevant_passage")
