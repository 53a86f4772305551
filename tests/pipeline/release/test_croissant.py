import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pipeline.release import writing
from pipeline.release.contents import list_files
from pipeline.release.croissant import build_croissant
from pipeline.release.layout import Subset
from pipeline.release.manifest import to_json
from pipeline.release.writing import write_shards
from pipeline.schemas import SCHEMAS, to_table

IDENTITY = {
    "name": "small",
    "description": "A small release",
    "version": "1.0.0",
    "license": "cc-by-nc-4.0",
    "url": "https://example.org/small",
    "citeAs": "Nobody, 2025",
}


def describe(root: Path, found: Iterable[Subset]) -> dict[str, Any]:
    (root / "LICENSE.md").write_text("x", "utf-8")
    described = build_croissant(IDENTITY, list_files(root), list(found))
    (root / "croissant.json").write_text(to_json(described), "utf-8")
    return described


def ids(described: dict[str, Any]) -> list[str]:
    return [record_set["@id"] for record_set in described["recordSet"]]


def test_every_table_is_a_record_set(small_root: Path, found: tuple[Subset, ...]) -> None:
    described = describe(small_root, found)
    assert ids(described) == [
        "concepts-corpus",
        "evidence-corpus",
        "qa-corpus",
        "qa-en-queries",
        "qa-en-qrels",
        "qa-de-queries",
        "qa-de-qrels",
        "concepts-hard-en-queries",
        "concepts-hard-en-qrels",
        "concepts-hard-en-top_ranked",
        "evidence-en-queries",
        "evidence-en-qrels",
    ]
    for record_set in described["recordSet"]:
        kind = record_set["@id"].rpartition("-")[2]
        assert [field["name"] for field in record_set["field"]] == SCHEMAS[kind].names
    listed = {entry["contentUrl"] for entry in described["distribution"]}
    assert listed == {f"data/{p.relative_to(small_root / 'data')}"
                      for p in (small_root / "data").rglob("*.parquet")}  # fmt: skip
    fields = (field for one in described["recordSet"] for field in one["field"])
    sources = {field["source"]["fileObject"]["@id"] for field in fields}
    assert sources == listed


def test_ids_are_told_apart(small_root: Path, found: tuple[Subset, ...]) -> None:
    described = describe(small_root, found)
    every = [entry["@id"] for entry in described["distribution"]]
    every += ids(described)
    every += [field["@id"] for one in described["recordSet"] for field in one["field"]]
    assert len(set(every)) == len(every)


def test_each_shard_is_a_record_set_of_its_own(
    small_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "SHARD_BYTES", 1)
    rows = [{"query-id": f"qa-{n}", "corpus-id": "p1", "score": 1} for n in range(2)]
    for shard in (small_root / "data/qa/qrels/en").iterdir():
        shard.unlink()
    write_shards(to_table("qrels", rows), small_root, "data/qa/qrels/en")
    described = describe(small_root, [Subset("qa", "", "en")])
    assert ids(described)[-2:] == ["qa-en-qrels-00000", "qa-en-qrels-00001"]


@pytest.mark.filterwarnings("ignore")
def test_the_reference_implementation_reads_it(
    small_root: Path, found: tuple[Subset, ...], caplog: pytest.LogCaptureFixture
) -> None:
    croissant = pytest.importorskip("mlcroissant")
    describe(small_root, found)
    dataset = croissant.Dataset(jsonld=str(small_root / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert issues.errors == set()
    assert {one for one in issues.warnings if "datePublished" not in one} == set()
    assert "@context" not in caplog.text
    records = list(itertools.islice(dataset.records("qa-de-queries"), 5))
    (record,) = ({key.rpartition("/")[2]: value for key, value in one.items()} for one in records)
    assert record.keys() == set(SCHEMAS["queries"].names)
    assert record["_id"] == b"qa-1"
    assert record["parallel_core"] is True
    assert record["max_srl"] == 0
