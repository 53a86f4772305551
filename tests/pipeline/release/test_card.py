import dataclasses
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.release.card import Identity, configs, render_card
from pipeline.release.contents import Contents, read_contents
from pipeline.release.manifest import StageCount

IDENTITY = Identity(
    name="small",
    title='The "small" one: for tests',
    version="1.0.0",
    profile="open",
    umls_release="2025AB",
    languages=("en", "de"),
    build_hash="0123abcd",
)
COUNTS = [StageCount("pose", 5, 4, {"no_other_wording": 1}), StageCount("claim", 4, 4, {})]


@pytest.fixture
def contents(small_root: Path) -> Contents:
    return read_contents(small_root, ("en", "de"), ("hard",))


def card(contents: Contents, absent: dict[str, str] | None = None, passed: bool = True) -> str:
    return render_card(IDENTITY, contents, COUNTS, {"passed": passed}, absent or {})


def front_matter(text: str) -> dict[str, Any]:
    opening, matter, _ = text.split("---\n", 2)
    assert opening == ""
    loaded = yaml.safe_load(matter)
    assert isinstance(loaded, dict)
    return loaded


def test_the_front_matter_names_the_files(contents: Contents, small_root: Path) -> None:
    matter = front_matter(card(contents))
    listed = {config["config_name"]: config["data_files"] for config in matter["configs"]}
    assert len(listed) == len(matter["configs"])
    assert [name for name in listed if name.startswith("concepts")] == [
        f"concepts-hard-en-{kind}" for kind in ("corpus", "queries", "qrels", "top_ranked")
    ]
    matched = set()
    for (entry,) in listed.values():
        assert entry["split"] == "test"
        files = sorted(small_root.glob(entry["path"]))
        assert files, entry["path"]
        matched.update(files)
    assert matched == set((small_root / "data").rglob("*.parquet"))


def test_exactly_one_configuration_is_the_default(contents: Contents) -> None:
    defaults = [c["config_name"] for c in configs(contents) if c.get("default")]
    assert defaults == ["qa-en-queries"]
    without = dataclasses.replace(contents, subsets=contents.subsets[1:])
    defaults = [c["config_name"] for c in configs(without) if c.get("default")]
    assert defaults == ["qa-de-corpus"]
    assert configs(dataclasses.replace(contents, subsets=())) == []


def test_the_front_matter_says_what_the_hub_asks(contents: Contents) -> None:
    matter = front_matter(card(contents))
    assert matter["pretty_name"] == IDENTITY.title
    assert matter["language"] == ["en", "de"]
    assert matter["license"] == "cc-by-nc-4.0"  # there are translations by NLLB
    assert "license_name" not in matter
    assert matter["size_categories"] == ["n<1K"]
    assert "dataset_info" not in matter
    plain = front_matter(card(dataclasses.replace(contents, engines=())))
    assert (plain["license"], plain["license_name"]) == ("other", "see-license-md")


@pytest.mark.parametrize(
    ("documents", "size"),
    [(0, "n<1K"), (995, "n<1K"), (996, "1K<n<10K"), (99_996, "100K<n<1M"), (10**7, "1M<n<10M")],
)
def test_the_size_counts_queries_and_documents(
    contents: Contents, documents: int, size: str
) -> None:
    grown = dataclasses.replace(contents, documents={"qa": documents, "concepts": 0, "evidence": 0})
    assert front_matter(card(grown))["size_categories"] == [size]


def test_the_page_says_what_is_there_and_what_is_not(contents: Contents) -> None:
    text = card(contents, {"evidence-de": "none of 2 candidates was released"})
    assert "| `qa-de` | 1 | 1 | 2 |" in text
    assert "| `qa-de` | 0 | 0 | 1 |" in text  # by origin
    assert "- `evidence-de`: none of 2 candidates was released" in text
    assert "| pose | 5 | 4 | no_other_wording 1 |" in text
    assert "| claim | 4 | 4 | – |" in text
    assert "`nllb 600M abc`" in text
    assert IDENTITY.build_hash in text
    assert "OTHER (SRL 3), SAB (SRL 1)" in text
    assert "Absent:" not in card(contents)


def test_the_page_says_what_sets_are_asked_by(contents: Contents) -> None:
    assert "| en | 1 | 1 (100.0%) | 0 (0.0%) | 0 (0.0%) | 0 (0.0%) |" in card(contents)
    counts = {"name": 5, "definition": 1, "translated_definition": 2}
    asked = [
        dataclasses.replace(one, wordings=counts if one.subset.task == "concepts" else {})
        for one in contents.subsets
    ]
    text = card(dataclasses.replace(contents, subsets=tuple(asked)))
    assert "| en | 8 | 5 (62.5%) | 1 (12.5%) | 0 (0.0%) | 2 (25.0%) |" in text
    without = dataclasses.replace(contents, subsets=contents.subsets[:2])
    assert "translated name" not in card(without)


@pytest.mark.parametrize(("passed", "said"), [(True, ", passes:"), (False, "**does not pass**")])
def test_the_page_does_not_hide_a_failed_certificate(
    contents: Contents, passed: bool, said: str
) -> None:
    assert said in card(contents, passed=passed)


def test_the_card_is_free_of_the_order_of_reasons(contents: Contents) -> None:
    absent = {"b": "x", "a": "y"}
    assert card(contents, absent) == card(contents, dict(sorted(absent.items())))
