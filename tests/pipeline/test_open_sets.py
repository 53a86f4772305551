"""Confusion sets of the open Metathesaurus: how hard they are, and for which reason.

BM25 and tf-idf over characters judge them, as a release is judged by whoever has it; neither is
what the sets were mined with.
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.build import build
from pipeline.confusion_report import find_shortcuts
from pipeline.plan_file import load_plan
from pipeline.release.layout import SETS, TIERS
from pipeline.scorer.score import score
from pipeline.stages.running import Engine
from pipeline.systems.choice import build_system
from pipeline.systems.retrieve import retrieve
from pipeline.text import draw

PLAN = Path(__file__).parents[1] / "plans" / "open.toml"
# The other two tasks as small as they may be; the quotas of the tiers are the plan's.
SMALLER = ['languages=["en"]']
SMALLER += [
    f"tasks.{task}.{key}" for task in ("qa", "evidence") for key in ("quota=50", "factor=1.25")
]
SUBSETS = [f"concepts-{tier}-en" for tier in TIERS]
CHANCE, TOLERANCE = 0.1, 0.03

Tries = Callable[[str], list[Any]]


@pytest.fixture(scope="module")
def release(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    inputs = [
        f"umls.meta={shared_data}/openmeta/META",
        f"evidence.0.path={shared_data}/medquad",
        f"evidence.1.path={shared_data}/pubmedqa/ori_pqal.json",
    ]
    plan = load_plan(str(PLAN), [*inputs, *SMALLER])
    return build(plan, tmp_path_factory.mktemp("open"), Engine()).folder


@pytest.fixture(scope="module")
def circles(release: Path) -> dict[str, frozenset[str]]:
    """The candidates of each set; sets of the same ones are of one circle."""
    paths = sorted(release.glob("data/concepts/top_ranked/*/en/*.parquet"))
    rows = (row for path in paths for row in pq.read_table(path).to_pylist())
    return {row["query-id"]: frozenset(row["corpus-ids"]) for row in rows}


@pytest.fixture(scope="module")
def tries(
    release: Path,
    circles: dict[str, frozenset[str]],
    difficulty: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Tries:
    """What a system finds in every set."""

    def of_system(name: str) -> list[Any]:
        folder = tmp_path_factory.mktemp(name)
        retrieve(release, build_system(name, ()), folder, subsets=SUBSETS)
        (run,) = score(release, [folder]).runs
        return [
            difficulty.Tried(part.subset.tier, circles[query], float(hit))
            for part in run.subsets
            for query, hit in zip(part.judgements.queries, part.values["accuracy@1"], strict=True)
        ]

    return of_system


def test_every_tier_has_three_hundred_sets(
    circles: dict[str, frozenset[str]], release: Path
) -> None:
    rows = pq.read_table(release / SETS, columns=["query-id", "tier"]).to_pylist()
    counts = Counter(tier for _, tier in {(row["query-id"], row["tier"]) for row in rows})
    assert set(counts) == set(TIERS)
    assert min(counts.values()) >= 300
    assert {len(one) for one in circles.values()} == {10}


@pytest.mark.parametrize("system", ["bm25", "tfidf"])
def test_tiers_become_harder_and_dealt_out_anew_they_do_not(
    system: str, tries: Tries, difficulty: ModuleType
) -> None:
    tried = tries(system)
    assert difficulty.become_harder(tried), difficulty.accuracies(tried)
    for seed in range(3):
        tiers = shuffled([one.tier for one in tried], seed)
        dealt = [
            difficulty.Tried(tier, one.circle, one.hit)
            for tier, one in zip(tiers, tried, strict=True)
        ]
        assert not difficulty.become_harder(dealt)


def shuffled(labels: list[str], seed: int) -> list[str]:
    lots = [draw(seed, "deal", str(place)) for place in range(len(labels))]
    return [labels[place] for place in sorted(range(len(labels)), key=lots.__getitem__)]


@pytest.mark.parametrize("tier", TIERS)
def test_who_does_not_read_the_question_guesses(tier: str, release: Path) -> None:
    """Longest and shortest names, places, common words, concepts shown often or seldom…"""
    found = find_shortcuts(release)[tier]
    assert {"longest name", "first", "commonest words", "least often shown"} <= {
        one.shortcut for one in found
    }
    assert [one for one in found if abs(one.rate - CHANCE) > TOLERANCE] == []


def test_definitions_are_counted_apart(release: Path) -> None:
    asked = json.loads((release / "manifest.json").read_text("utf-8"))["set_wordings"]["en"]
    rows = pq.read_table(release / SETS, columns=["query-id", "wording"]).to_pylist()
    counts = Counter(wording for _, wording in {(row["query-id"], row["wording"]) for row in rows})
    assert {kind: found["queries"] for kind, found in asked.items()} == counts
    assert counts.keys() == {"name", "definition"}
    assert sum(found["share"] for found in asked.values()) == pytest.approx(1, abs=1e-3)
