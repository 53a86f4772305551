import itertools
from dataclasses import replace

import pytest

from pipeline.evidence.merge import merge, text_key
from pipeline.records import Passage


def passage(
    identifier: str, cuis: tuple[str, ...], headings: tuple[str, ...] = (), title: str = "Gout"
) -> Passage:
    text = "Inherited in an autosomal recessive pattern."
    return Passage(identifier, title, text, cuis, headings, "s", "l", "")


def test_merge_unites_and_does_not_depend_on_order() -> None:
    group = [
        passage("b", ("C0000002",), ("D2",)),
        passage("a", ("C0000003", "C0000001")),
        passage("c", ("C0000001",), ("D1",)),
    ]
    outcomes = {merge(order) for order in itertools.permutations(group)}
    ((merged, aliases),) = outcomes
    assert (merged.passage_id, merged.title, aliases) == ("a", "Gout", ("b", "c"))
    assert merged.cuis == ("C0000001", "C0000002", "C0000003")
    assert merged.headings == ("D1", "D2")
    marked = [replace(group[0], major=("D2",)), replace(group[2], major=("D1",))]
    assert merge(marked)[0].major == ("D1", "D2")


def test_merge_of_one_changes_nothing() -> None:
    alone = passage("a", ("C0000001",))
    assert merge([alone]) == (alone, ())


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["Gout", "Gout"], "Gout"),
        (["Gout", "GOUT?", "gout"], "Gout"),
        (["Gout", "Hepatitis"], ""),
        (["Gout", ""], ""),
        (["Gout", "Hepatitis", "Gout"], ""),
    ],
)
def test_a_title_stands_only_where_all_have_it(titles: list[str], expected: str) -> None:
    group = [passage(f"p{at}", (), title=title) for at, title in enumerate(titles)]
    assert {merge(order)[0].title for order in itertools.permutations(group)} == {expected}


def test_text_key_leaves_the_title_out() -> None:
    assert text_key(passage("a", ())) == text_key(passage("b", (), title="Hepatitis"))
