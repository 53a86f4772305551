import itertools
import re

import pytest

from pipeline.records import TASKS
from pipeline.release.layout import (
    TIERS,
    Subset,
    corpus_folder,
    shard_name,
    subset_folder,
    subsets,
)


@pytest.mark.parametrize(
    ("subset", "name", "kinds", "folder"),
    [
        (Subset("qa", "", "de"), "qa-de", ("queries", "qrels"), "data/qa/queries/de"),
        (Subset("evidence", "", "zh"), "evidence-zh", ("queries", "qrels"),
         "data/evidence/queries/zh"),
        (Subset("concepts", "hard", "ja"), "concepts-hard-ja",
         ("queries", "qrels", "top_ranked"), "data/concepts/queries/hard/ja"),
    ],
)  # fmt: skip
def test_where_a_subset_lies(
    subset: Subset, name: str, kinds: tuple[str, ...], folder: str
) -> None:
    assert (subset.name, subset.kinds) == (name, kinds)
    assert subset_folder(subset, "queries") == folder


def test_all_subsets_are_told_apart() -> None:
    every = list(subsets(("en", "de")))
    assert len(every) == 2 * (len(TASKS) - 1 + len(TIERS))
    folders = {subset_folder(subset, kind) for subset in every for kind in subset.kinds}
    folders |= {corpus_folder(task) for task in TASKS}
    assert len(folders) == sum(len(subset.kinds) for subset in every) + len(TASKS)
    assert not [
        (one, other)
        for one, other in itertools.permutations(folders, 2)
        if other.startswith(one + "/")
    ]
    assert len({subset.name for subset in every}) == len(every)
    assert [s.name for s in subsets(("en",), ("easy",))] == [
        "qa-en",
        "concepts-easy-en",
        "evidence-en",
    ]


@pytest.mark.parametrize(("place", "count"), [(0, 1), (7, 12), (99_998, 99_999)])
def test_shards_are_named_as_loaders_expect(place: int, count: int) -> None:
    assert re.fullmatch(r"test-\d{5}-of-\d{5}\.parquet", shard_name(place, count))
    assert shard_name(place, count) < shard_name(place + 1, count)
