from dataclasses import replace

import pytest

from pipeline.evidence.cutting import Passages, cut, part_of
from pipeline.evidence.wording import sections
from pipeline.records import Passage

TEXT, STARTS = sections([("AIM", "To see. To know."), ("METHODS", ""), ("RESULTS", "Much more.")])
WHOLE = Passage("pubmed-1", "T.", TEXT, ("C1",), ("D1",), "s", "l", "u", sections=STARTS)


def sentences(text: str) -> list[str]:
    return [f"{piece}." for piece in text.rstrip(".").split(". ")]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Passages(), [("pubmed-1", TEXT)]),
        (
            Passages(unit="section"),
            [
                ("pubmed-1.s0-22", "AIM: To see. To know."),
                ("pubmed-1.s22-50", "METHODS: RESULTS: Much more."),
            ],
        ),
        (Passages(longest=9), [("pubmed-1", TEXT)]),
        (
            Passages(longest=5),
            [
                ("pubmed-1.s0-22", "AIM: To see. To know."),
                ("pubmed-1.s22-50", "METHODS: RESULTS: Much more."),
            ],
        ),
        (
            Passages(unit="section", longest=4),
            [
                ("pubmed-1.s0-13", "AIM: To see."),
                ("pubmed-1.s13-22", "To know."),
                ("pubmed-1.s22-50", "METHODS: RESULTS: Much more."),
            ],
        ),
        # no sentence is cut
        (
            Passages(longest=1),
            [
                ("pubmed-1.s0-13", "AIM: To see."),
                ("pubmed-1.s13-22", "To know."),
                ("pubmed-1.s22-50", "METHODS: RESULTS: Much more."),
            ],
        ),
    ],
)
def test_parts(rule: Passages, expected: list[tuple[str, str]]) -> None:
    found = list(cut(WHOLE, rule, sentences))
    assert [(one.passage_id, one.text) for one in found] == expected
    bare = replace(WHOLE, sections=(), passage_id="", text="")
    assert {replace(one, passage_id="", text="") for one in found} == {bare}


@pytest.mark.parametrize(
    ("passage_id", "expected"),
    [
        ("pubmed-1.s22-50", ("pubmed-1", (22, 50))),
        ("beir-a.2db.s0-1", ("beir-a.2db", (0, 1))),
        ("pubmed-1", None),
        ("beir-a.20b", None),
    ],
)
def test_the_id_of_a_part_leads_to_the_whole(
    passage_id: str, expected: tuple[str, tuple[int, int]] | None
) -> None:
    assert part_of(passage_id) == expected


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("unit", "page", "unit: unknown 'page', expected one of"),
        ("longest", -1, "longest: -1 is not allowed"),
        ("near_duplicates", 0.2, "near_duplicates: 0.2 is not allowed"),
        ("near_duplicates", float("nan"), "near_duplicates: nan is not allowed"),
    ],
)
def test_settings_that_no_build_can_work_with(key: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Passages(**{key: value})  # type: ignore[arg-type]
