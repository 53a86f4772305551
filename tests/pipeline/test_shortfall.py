import pytest

from pipeline.build import shortfall
from pipeline.plan_file import load_plan
from pipeline.release.contents import Contents, SubsetContents
from pipeline.release.layout import Subset

QUOTAS = {"tasks.qa": 4, "tasks.evidence": 3, "tiers.easy": 2, "tiers.medium": 2, "tiers.hard": 2}
PLAN = load_plan("sample", [f"{where}.quota={quota}" for where, quota in QUOTAS.items()])
FULL = {"qa-en": 4, "evidence-en": 3, "concepts-easy-en": 2, "concepts-medium-en": 2}


def contents(queries: dict[str, int]) -> Contents:
    subsets = tuple(
        SubsetContents(Subset(task, "".join(tier), language), number, 0, {})
        for (task, *tier, language), number in (
            (name.split("-"), number) for name, number in queries.items()
        )
    )
    return Contents(subsets, {}, {}, (), ())


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        (FULL | {"concepts-hard-en": 2}, {}),
        (FULL | {"concepts-hard-en": 9}, {}),
        (FULL | {"concepts-hard-en": 1}, {"concepts-hard": 1}),
        (FULL, {"concepts-hard": 2}),
        # the fullest language counts, whichever it is
        (FULL | {"concepts-hard-en": 1, "concepts-hard-de": 2}, {}),
        (FULL | {"concepts-hard-en": 2, "qa-en": 1, "qa-de": 3, "qa-fr": 2}, {"qa": 1}),
        (
            {},
            {"concepts-easy": 2, "concepts-hard": 2, "concepts-medium": 2, "evidence": 3, "qa": 4},
        ),
    ],
)
def test_what_a_quota_lacks_is_told(queries: dict[str, int], expected: dict[str, int]) -> None:
    missing = shortfall(PLAN, contents(queries))
    assert missing == expected
    assert list(missing) == sorted(missing)
