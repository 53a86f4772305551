import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pipeline.release import writing
from pipeline.release.contents import list_files
from pipeline.release.croissant import build_croissant
from pipeline.release.layout import ReleaseError, Subset
from pipeline.release.manifest import to_json
from pipeline.release.provenance import date_published, provenance, usage
from pipeline.release.writing import FileEntry, write_shards
from pipeline.schemas import SCHEMAS, to_table

INPUTS = [FileEntry("umls/MRCONSO.RRF", 0, 5, "0" * 64)]
IDENTITY = {
    "name": "small",
    "description": "A small release",
    "version": "1.0.0",
    "url": "https://example.org/small",
    "citeAs": "Nobody, 2025",
    **usage("cc-by-nc-4.0"),
    **date_published({"SOURCE_DATE_EPOCH": "86400"}),
    **provenance(INPUTS, {"python": "3.11"}),
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
    import mlcroissant as croissant

    describe(small_root, found)
    dataset = croissant.Dataset(jsonld=str(small_root / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert issues.errors == set()
    assert issues.warnings == set()
    assert dataset.metadata.license == ["https://creativecommons.org/licenses/by-nc/4.0/"]
    assert dataset.metadata.date_published.date().isoformat() == "1970-01-02"
    assert "@context" not in caplog.text
    records = list(itertools.islice(dataset.records("qa-de-queries"), 5))
    (record,) = ({key.rpartition("/")[2]: value for key, value in one.items()} for one in records)
    assert record.keys() == set(SCHEMAS["queries"].names)
    assert record["_id"] == b"qa-1"
    assert record["parallel_core"] is True
    assert record["max_srl"] == 0


@pytest.mark.filterwarnings("ignore")
def test_provenance_and_conditions_of_use_survive_the_reference_implementation(
    small_root: Path, found: tuple[Subset, ...]
) -> None:
    import mlcroissant as croissant

    describe(small_root, found)
    kept = croissant.Dataset(jsonld=str(small_root / "croissant.json")).metadata.to_json()
    derived = kept["prov:wasDerivedFrom"]
    assert (derived["name"], derived["sha256"]) == ("umls/MRCONSO.RRF", "0" * 64)
    assert kept["prov:wasGeneratedBy"]["prov:wasAssociatedWith"]["name"] == "python"
    codes = {one.get("termCode") for one in kept["usageInfo"]}
    assert codes == {"DUO_0000042", "DUO_0000018", None}


def test_no_clock_is_looked_at() -> None:
    assert date_published({}) == {}
    with pytest.raises(ReleaseError, match="SOURCE_DATE_EPOCH=soon"):
        date_published({"SOURCE_DATE_EPOCH": "soon"})


def test_other_licences_stand_in_the_notices() -> None:
    told = usage("other")
    assert told["license"] == "LICENSE.md"
    assert [one.get("termCode") for one in told["usageInfo"]] == ["DUO_0000042", None]
