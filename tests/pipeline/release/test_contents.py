import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.release.contents import Contents, list_files, read_contents, set_wordings
from pipeline.release.layout import SETS, Subset
from pipeline.release.writing import write_parquet, write_shards
from pipeline.schemas import QUERIES, to_table

Explain = Callable[[int, str], dict[str, Any]]
LANGUAGES, TIERS = ("en", "de"), ("easy", "hard")


@pytest.fixture
def contents(small_root: Path) -> Contents:
    return read_contents(small_root, LANGUAGES, TIERS)


def test_subsets_are_counted_from_their_files(contents: Contents) -> None:
    assert [
        (entry.subset.name, entry.queries, entry.parallel_core, entry.origins)
        for entry in contents.subsets
    ] == [
        ("qa-en", 1, 1, {"source": 1}),
        ("qa-de", 1, 1, {"mt": 1}),
        ("concepts-hard-en", 1, 0, {"umls": 1}),
        ("evidence-en", 1, 0, {"source": 1}),
    ]
    assert contents.documents == {"qa": 2, "concepts": 2, "evidence": 1}


def test_provenance_is_read_from_the_rows(contents: Contents) -> None:
    # SAB at level 1 in a query, 0 in the corpus: the higher one counts
    assert contents.sabs == {"SAB": 1, "OTHER": 3}
    assert contents.licences == ("more: CC-BY-4.0", "test: CC0-1.0")
    assert contents.engines == ("nllb 600M abc",)


def set_query(number: int, language: str, origin: str) -> dict[str, Any]:
    keys = {"_id": f"concepts-{number}", "language": language, "origin": origin}
    blank: dict[str, Any] = dict.fromkeys(QUERIES.names, "") | {"sabs": [], "max_srl": 0}
    return blank | {"parallel_core": False, "cuis": []} | keys


def test_sets_are_counted_by_what_asks_for_them(small_root: Path, explained: Explain) -> None:
    kinds = {1: "name", 2: "definition", 3: "definition"}
    write_parquet(to_table("sets", [explained(*one) for one in kinds.items()]), small_root, SETS)
    origins = {("easy", "en"): ("umls", "umls"), ("hard", "en"): ("umls", "umls", "umls")} | {
        ("hard", "de"): ("mt", "mt", "umls")
    }
    for (tier, language), found in origins.items():
        rows = [set_query(number, language, one) for number, one in enumerate(found, 1)]
        write_shards(
            to_table("queries", rows), small_root, f"data/concepts/queries/{tier}/{language}"
        )
    contents = read_contents(small_root, LANGUAGES, TIERS)
    assert {one.subset.name: one.wordings for one in contents.subsets if one.wordings} == {
        "concepts-easy-en": {"name": 1, "definition": 1},
        "concepts-hard-en": {"name": 1, "definition": 2},
        "concepts-hard-de": {"translated_name": 1, "translated_definition": 1, "name": 1},
    }
    assert set_wordings(contents) == {
        "en": {"name": 2, "definition": 3},
        "de": {"translated_name": 1, "translated_definition": 1, "name": 1},
    }


def test_a_level_of_several_sources_is_given_to_none(small_root: Path) -> None:
    path = small_root / "data/concepts/queries/hard/en/test-00000-of-00001.parquet"
    (row,) = pq.read_table(path).to_pylist()
    write_shards(
        to_table("queries", [row | {"sabs": ["SAB", "THIRD"], "max_srl": 3}]),
        small_root,
        "data/concepts/queries/hard/en",
    )
    assert read_contents(small_root, LANGUAGES, TIERS).sabs == {"SAB": 0, "OTHER": 3, "THIRD": 0}


def test_a_release_of_nothing_has_no_contents(tmp_path: Path) -> None:
    contents = read_contents(tmp_path, LANGUAGES, TIERS)
    assert contents.subsets == ()
    assert contents.documents == {"qa": 0, "concepts": 0, "evidence": 0}


def test_only_the_languages_and_tiers_that_are_asked_for_are_read(small_root: Path) -> None:
    found = [entry.subset for entry in read_contents(small_root, ("de",), ()).subsets]
    assert found == [Subset("qa", "", "de")]


def test_every_file_but_the_manifest_is_listed(small_root: Path) -> None:
    for name in ("README.md", "manifest.json", "overlap.json"):
        (small_root / name).write_text("x", "utf-8")
    files = list_files(small_root)
    paths = [entry.path for entry in files]
    assert paths == sorted(paths)
    assert "manifest.json" not in paths
    on_disk = {str(p.relative_to(small_root)) for p in small_root.rglob("*") if p.is_file()}
    assert set(paths) == on_disk - {"manifest.json"}
    rows = {entry.path: entry.rows for entry in files}
    assert rows["README.md"] == 0
    assert rows["quality/verdicts/de.parquet"] == 4
    assert rows["data/qa/corpus/test-00000-of-00001.parquet"] == 2


def test_the_same_files_elsewhere_are_listed_the_same(small_root: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(small_root, tmp_path / "copy")
    assert list_files(copy) == list_files(small_root)
