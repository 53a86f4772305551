"""Real open data through the whole path: a small Metathesaurus, MedQuAD and PubMedQA.

Queries are translated by a small checkpoint of NLLB's architecture that knows a few sentences by
heart. It gets nearly everything else wrong, and the filters must say so.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.build import Built, build
from pipeline.plan_file import load_plan
from pipeline.records import LANGUAGES
from pipeline.scorer.score import score
from pipeline.stages.running import Engine
from pipeline.systems.choice import build_system
from pipeline.systems.retrieve import retrieve

PLAN = Path(__file__).parents[1] / "plans" / "open.toml"
# Smaller than the plan's own quotas, so that the tests stay within minutes.
SMALLER = [
    "tasks.qa.quota=320",
    "tasks.evidence.quota=320",
    *(f"{slot}.factor=1.25" for slot in ("tasks.qa", "tasks.evidence")),
    *(f"tiers.{tier}.factor=1.5" for tier in ("easy", "medium", "hard")),
]


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


def test_bm25_finds_tiers_harder_one_after_another(built: Built, tmp_path: Path) -> None:
    retrieve(built.folder, build_system("bm25", ()), tmp_path, subsets=_english_sets())
    (run,) = score(built.folder, [tmp_path]).runs
    scored = {part.subset.name: part.values["accuracy@1"].mean() for part in run.subsets}
    easy, medium, hard = (scored[name] for name in _english_sets())
    assert easy > medium > hard


def _english_sets() -> list[str]:
    return [f"concepts-{tier}-en" for tier in ("easy", "medium", "hard")]
