from collections.abc import Iterable
from pathlib import Path

import pytest

from pipeline.release.absent import explain_absent
from pipeline.release.layout import Subset
from pipeline.release.writing import write_parquet
from pipeline.schemas import to_table

UNCLAIMED = "no candidate was claimed for it; see quality/rejects.parquet"
Lost = tuple[str, str, str]  # stage, key, reason


def write_rejects(root: Path, lost: Iterable[Lost]) -> None:
    rows = [
        {"stage": stage, "key": key, "reason": reason, "detail": ""} for stage, key, reason in lost
    ]
    write_parquet(to_table("rejects", rows), root, "quality/rejects.parquet")


def test_every_gap_has_its_reason(small_root: Path, found: tuple[Subset, ...]) -> None:
    write_rejects(
        small_root,
        [("judge", "evidence-1/de", "copy"), ("judge", "evidence-2/de", "copy")],
    )
    assert explain_absent(small_root, ("en", "de"), ("hard",), found) == {
        "concepts-easy-en": "the plan has no tier easy",
        "concepts-easy-de": "the plan has no tier easy",
        "concepts-medium-en": "the plan has no tier medium",
        "concepts-medium-de": "the plan has no tier medium",
        "concepts-hard-de": UNCLAIMED,
        "evidence-de": "none of 2 candidates was released (judge: copy 2)",
    }


def test_a_whole_release_explains_nothing(small_root: Path) -> None:
    every = [Subset("qa", "", "en"), Subset("evidence", "", "en")]
    every += [Subset("concepts", tier, "en") for tier in ("easy", "medium", "hard")]
    assert explain_absent(small_root, ("en",), ("easy", "medium", "hard"), every) == {}


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        ([("translate", "evidence-1/de", "not_in_memory")], "1 (translate: not_in_memory 1)"),
        ([("select", "evidence-1/de", "over_quota")], "1 (select: over_quota 1)"),
        # stages in their order, and within one the commonest first
        (
            [
                ("select", "evidence-1/de", "over_quota"),
                ("judge", "evidence-2/de", "copy"),
                ("judge", "evidence-3/de", "length"),
                ("judge", "evidence-4/de", "length"),
                ("translate", "evidence-5/de", "not_in_memory"),
            ],
            "5 (translate: not_in_memory 1; judge: length 2, copy 1; select: over_quota 1)",
        ),
        # a reason of one name may stand at two stages
        (
            [("translate", "evidence-1/de", "empty"), ("judge", "evidence-2/de", "empty")],
            "2 (translate: empty 1; judge: empty 1)",
        ),
        # other tasks, other languages, and what was never a text in a language
        ([("judge", "qa-1/de", "copy"), ("judge", "evidence-1/fr", "copy")], ""),
        ([("claim", "evidence-1", "quota_reached"), ("read evidence", "a/de", "no_text")], ""),
        ([], ""),
    ],
)
def test_each_stage_says_what_it_left_out(small_root: Path, lost: list[Lost], reason: str) -> None:
    if lost:  # a table without rows is no file
        write_rejects(small_root, lost)
    told = explain_absent(small_root, ("de",), (), [])["evidence-de"]
    number, _, stages = reason.partition(" ")
    assert told == (f"none of {number} candidates was released {stages}" if reason else UNCLAIMED)


def test_a_set_counts_for_its_own_tier(small_root: Path) -> None:
    """Rejects name no tier; the verdicts on the same set in another language do."""
    rows = [
        {
            "query-id": f"concepts-{number}",
            "task": "concepts",
            "tier": tier,
            "text": "x",
            "origin": "umls",
            "back_translation": "",
            "filter": "copy",
            "score": 0.5,
            "accepted": True,
            "released": True,
        }
        for number, tier in enumerate(("easy", "hard", "hard"))
    ]
    write_parquet(to_table("verdicts", rows), small_root, "quality/verdicts/en.parquet")
    write_rejects(
        small_root, [("translate", f"concepts-{number}/de", "not_in_memory") for number in range(3)]
    )
    absent = explain_absent(small_root, ("de",), ("easy", "medium", "hard"), [])
    assert {name: why for name, why in absent.items() if name.startswith("concepts")} == {
        "concepts-easy-de": "none of 1 candidates was released (translate: not_in_memory 1)",
        "concepts-medium-de": UNCLAIMED,
        "concepts-hard-de": "none of 2 candidates was released (translate: not_in_memory 2)",
    }
