"""Real open data through the whole path: a small Metathesaurus, MedQuAD and PubMedQA.

Queries are translated by a small checkpoint of NLLB's architecture that knows a few sentences by
heart. It gets nearly everything else wrong, and the filters must say so.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.build import Built, build
from pipeline.difficulty import Difficulty, measure_difficulty
from pipeline.plan_file import load_plan
from pipeline.records import LANGUAGES
from pipeline.release.layout import SETS, TIERS
from pipeline.stages.running import Engine
from pipeline.systems.choice import build_system

PLAN = Path(__file__).parents[1] / "plans" / "open.toml"
# Smaller than the plan's own quotas, so that the tests stay within minutes.
SMALLER = [
    "tasks.qa.quota=320",
    "tasks.evidence.quota=320",
    *(f"{slot}.factor=1.25" for slot in ("tasks.qa", "tasks.evidence")),
]
CHANCE, TOLERANCE = 0.1, 0.03


@pytest.fixture(scope="session")
def built(shared_data: Path, tiny_nllb: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    inputs = [
        f"umls.meta={shared_data}/openmeta/META",
        f"evidence.0.path={shared_data}/medquad",
        f"evidence.1.path={shared_data}/pubmedqa/ori_pqal.json",
    ]
    engine = [
        "translation.engine=nllb",
        f"translation.nllb.model={tiny_nllb}",
        "translation.nllb.beams=1",
        "translation.nllb.length_factor=1.0",
        "translation.nllb.batch_size=64",
        "translation.nllb.batch_tokens=8192",
        "translation.nllb.threads=1",
    ]
    plan = load_plan(str(PLAN), [*inputs, *engine, *SMALLER])
    return build(plan, tmp_path_factory.mktemp("open"), Engine())


@pytest.fixture(scope="session")
def queries(built: Built) -> dict[str, int]:
    return {entry.subset.name: entry.queries for entry in built.contents.subsets}


def test_english_is_whole(queries: dict[str, int]) -> None:
    assert queries["qa-en"] >= 300
    assert queries["evidence-en"] >= 300
    assert all(queries[f"concepts-{tier}-en"] >= 300 for tier in ("easy", "medium", "hard"))


def test_native_names_give_sets_in_every_language(built: Built) -> None:
    for language in sorted(LANGUAGES.keys() - {"en", "fr"}):  # 25 concepts have a French name
        native = [
            entry.origins.get("umls", 0)
            for entry in built.contents.subsets
            if entry.subset.task == "concepts" and entry.subset.language == language
        ]
        assert sum(native) > 0, language


def test_small_model_is_mostly_refused(built: Built, queries: dict[str, int]) -> None:
    for task in ("qa", "evidence"):
        for language in sorted(LANGUAGES.keys() - {"en"}):
            name = f"{task}-{language}"
            assert queries.get(name, 0) < 0.1 * queries[f"{task}-en"]
            assert name in queries or "judge: " in built.absent[name]


def test_outside_check_finds_no_fault(built: Built, shared_data: Path) -> None:
    command = [sys.executable, str(shared_data.parent / "tools" / "check_release")]
    done = subprocess.run(
        [*command, str(built.folder)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def difficulty(built: Built) -> Difficulty:
    """What two systems find that the sets were not mined with, or not alone."""
    return measure_difficulty(built.folder, [build_system(name) for name in ("bm25", "tfidf")])


@pytest.mark.parametrize("system", ["bm25", "tfidf"])
def test_tiers_become_harder_and_dealt_out_anew_they_do_not(
    difficulty: Difficulty, system: str
) -> None:
    (curve,) = (one for one in difficulty.curves if (one.system, one.language) == (system, "en"))
    assert curve.falls, curve
    assert difficulty.deals[system] == 0


def test_who_does_not_read_the_question_guesses(difficulty: Difficulty) -> None:
    """Longest and shortest names, places, common words, concepts shown often or seldom…"""
    found = [one for rates in difficulty.shortcuts.values() for one in rates]
    assert {"longest name", "first", "commonest words", "least often shown"} <= {
        one.shortcut for one in found
    }
    far = [one for one in found if abs(one.rate - CHANCE) > TOLERANCE]
    assert far == []


@pytest.fixture(scope="session")
def sets(built: Built) -> list[dict[str, str]]:
    """Every English set, with its tier and the wording of its query."""
    columns = ["query-id", "tier", "wording"]
    rows = pq.read_table(built.folder / SETS, columns=columns).to_pylist()
    return [dict(one) for one in {tuple(sorted(row.items())) for row in rows}]


def test_every_tier_has_three_hundred_sets_of_ten(built: Built, sets: list[dict[str, str]]) -> None:
    counts = Counter(one["tier"] for one in sets)
    assert set(counts) == set(TIERS)
    assert min(counts.values()) >= 300
    paths = built.folder.glob("data/concepts/top_ranked/*/en/*.parquet")
    shown = [row["corpus-ids"] for path in paths for row in pq.read_table(path).to_pylist()]
    assert {len(set(one)) for one in shown} == {10}


def test_definitions_are_counted_apart(built: Built, sets: list[dict[str, str]]) -> None:
    asked = json.loads((built.folder / "manifest.json").read_text("utf-8"))["set_wordings"]["en"]
    counts = Counter(one["wording"] for one in sets)
    assert {kind: found["queries"] for kind, found in asked.items()} == counts
    assert counts.keys() == {"name", "definition"}
    assert sum(found["share"] for found in asked.values()) == pytest.approx(1, abs=1e-3)
