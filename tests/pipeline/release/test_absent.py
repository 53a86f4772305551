from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.release.absent import explain_absent
from pipeline.release.layout import Subset


def test_every_gap_has_its_reason(small_root: Path, found: tuple[Subset, ...]) -> None:
    none = "no candidate has a text in this language; see quality/rejects.parquet"
    assert explain_absent(small_root, ("en", "de"), ("hard",), found) == {
        "concepts-easy-en": "the plan has no tier easy",
        "concepts-easy-de": "the plan has no tier easy",
        "concepts-medium-en": "the plan has no tier medium",
        "concepts-medium-de": "the plan has no tier medium",
        "concepts-hard-de": none,
        "evidence-de": "none of 2 candidates was released; refused by filter: copy 2, length 1",
    }


def test_a_whole_release_explains_nothing(small_root: Path) -> None:
    every = [Subset("qa", "", "en"), Subset("evidence", "", "en")]
    every += [Subset("concepts", tier, "en") for tier in ("easy", "medium", "hard")]
    assert explain_absent(small_root, ("en",), ("easy", "medium", "hard"), every) == {}


def test_accepted_candidates_may_all_be_beyond_a_quota(small_root: Path) -> None:
    path = small_root / "quality" / "verdicts" / "de.parquet"
    rows = [row | {"accepted": True} for row in pq.read_table(path).to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, pq.read_schema(path)), path)
    reason = explain_absent(small_root, ("de",), (), [])["evidence-de"]
    assert reason == "none of 2 candidates was released; refused by filter: none"
