"""The whole path: the sample's plan becomes a release that everyone can open and score."""

import itertools
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner

from pipeline.build import Built, build
from pipeline.cli import app
from pipeline.difficulty import measure_difficulty
from pipeline.plan_file import load_plan
from pipeline.rebuilding import rebuild
from pipeline.release.layout import ReleaseError, Subset, subsets
from pipeline.stages.running import Engine
from pipeline.systems.choice import build_system
from pipeline.systems.retrieve import retrieve
from splits.audit import verify

SAMPLE = Path(__file__).parents[2] / "pipeline" / "sample"
LANGUAGES = ("en", "de", "es", "fr", "ja", "ru", "zh")
FLOORS = {"qa": 60, "evidence": 40, "concepts": 20}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(load_plan("sample"), tmp_path_factory.mktemp("built"), Engine())


@pytest.fixture(scope="session")
def figures(built: Built, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict]]:
    """By system and subset: what scorer.pyz prints for its run."""
    found = {}
    for name in ("bm25", "random"):
        runs = tmp_path_factory.mktemp(name)
        retrieve(built.folder, build_system(name, ()), runs)
        command = [sys.executable, str(built.folder / "scorer.pyz"), str(runs), "--json"]
        found[name] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def test_release_verifies(built: Built) -> None:
    assert verify(built.folder) == []


def test_what_the_quotas_lack_is_told(built: Built) -> None:
    manifest = json.loads((built.folder / "manifest.json").read_text("utf-8"))
    assert manifest["shortfall"] == built.shortfall
    most: dict[str, int] = {}
    for entry in built.contents.subsets:
        slot = entry.subset.name.rpartition("-")[0]
        most[slot] = max(most.get(slot, 0), entry.queries)
    quotas = {
        "-".join(filter(None, at)): one.quota for at, one in load_plan("sample").quotas.items()
    }
    assert {slot: most[slot] + built.shortfall.get(slot, 0) for slot in most} == quotas


@pytest.mark.parametrize("subset", list(subsets(LANGUAGES)), ids=lambda subset: subset.name)
def test_every_subset_is_filled(built: Built, subset: Subset) -> None:
    counts = {entry.subset: entry.queries for entry in built.contents.subsets}
    assert counts[subset] >= FLOORS[subset.task]


def test_outside_check_finds_no_fault(built: Built, shared_data: Path) -> None:
    command = [sys.executable, str(shared_data.parent / "tools" / "check_release")]
    done = subprocess.run(
        [*command, str(built.folder)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert "\n0 faults, " in done.stdout


def test_a_release_is_repeated_from_its_own_manifest(built: Built) -> None:
    command = ["rebuild", "--check", str(built.folder), "--workers", "2"]
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == 0, ended.output
    assert f"build hash {built.build_hash}, expected {built.build_hash}" in ended.output
    assert "NOTE" not in ended.output
    assert "FAULT" not in ended.output


def test_another_input_is_told_before_anything_is_built(built: Built, tmp_path: Path) -> None:
    meta = Path(shutil.copytree(SAMPLE / "META", tmp_path / "META"))
    with (meta / "MRSTY.RRF").open("a", encoding="utf-8") as table:
        table.write((SAMPLE / "META" / "MRSTY.RRF").read_text("utf-8").splitlines(True)[0])
    with pytest.raises(ReleaseError, match=r"input umls/MRSTY\.RRF is another file"):
        rebuild(built.folder, tmp_path / "again", Engine(), [f"umls.meta={meta}"])
    assert not (tmp_path / "again").exists()


def test_a_release_is_not_repeated_upon_itself(built: Built) -> None:
    with pytest.raises(ReleaseError, match="the release itself lies there"):
        rebuild(built.folder, built.folder.parents[1], Engine())


def test_the_model_errs_and_the_filters_refuse_it(built: Built) -> None:
    """What is refused is real output of the sample's model, and most of its output is right."""
    judged = {}
    for path in (built.folder / "quality" / "verdicts").glob("*.parquet"):
        for row in pq.read_table(path).to_pylist():
            judged.setdefault((row["query-id"], path.stem), []).append(row["accepted"])
    for language in LANGUAGES[1:]:
        of_one = [all(found) for (_, code), found in judged.items() if code == language]
        assert 0.8 * len(of_one) <= sum(of_one) < len(of_one), language


def test_restricted_names_are_nowhere(built: Built) -> None:
    restricted = b"(restricted example)"
    for path in built.folder.rglob("*.parquet"):
        text = json.dumps(pq.read_table(path).to_pylist(), default=str).encode()
        assert restricted not in text, path


def test_shuffled_inputs_and_other_workers_give_the_same_hash(built: Built, tmp_path: Path) -> None:
    shuffled = tmp_path / "sample"
    shutil.copytree(SAMPLE, shuffled)
    _plant_restricted(shuffled / "META")  # what the gate refuses changes nothing either
    (shuffled / "META" / "MRFILES.RRF").unlink()  # which would tell of what was planted
    paths = [*shuffled.glob("META/*.RRF"), *shuffled.rglob("*.jsonl"), *shuffled.rglob("*.tsv")]
    for path in paths:
        _shuffle(path)
    assert len(paths) > 10
    plan = load_plan(
        "sample",
        [
            f"umls.meta={shuffled}/META",
            f"evidence.0.path={shuffled}/evidence/medquad",
            f"evidence.1.path={shuffled}/evidence/background",
            f"evidence.2.path={shuffled}/evidence/clinical",
            f'translation.reference=["{shuffled}/memory/curated.tsv"]',
        ],
    )
    again = build(plan, tmp_path / "build", Engine(workers=2))
    assert again.build_hash == built.build_hash


def _plant_restricted(meta: Path) -> None:
    """Definitions of every concept and edges between them, of a source of level 3."""
    lines = (meta / "MRCONSO.RRF").read_text("utf-8").splitlines()
    cuis = sorted({line.partition("|")[0] for line in lines})
    with (meta / "MRDEF.RRF").open("a", encoding="utf-8") as file:
        file.writelines(f"{cui}||||MMRESTRICTED|A (restricted example).|N||\n" for cui in cuis)
    with (meta / "MRREL.RRF").open("a", encoding="utf-8") as file:
        for one, other in itertools.pairwise(cuis):
            for kind in ("SY", "PAR"):
                file.write(f"{one}|||{kind}|{other}||||||MMRESTRICTED|MMRESTRICTED|||N||\n")


def _shuffle(path: Path) -> None:
    """Other rows first; a table's header stays."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    head = 1 if path.suffix == ".tsv" else 0
    rows = lines[head:]
    random.Random(path.name).shuffle(rows)
    path.write_text("".join(lines[:head] + rows), "utf-8")


def test_every_config_loads_in_datasets(built: Built, tmp_path: Path) -> None:
    from datasets import load_dataset

    card = (built.folder / "README.md").read_text("utf-8")
    front = yaml.safe_load(re.match(r"---\n(.*?)\n---\n", card, re.DOTALL).group(1))
    names = [config["config_name"] for config in front["configs"]]
    assert "qa-es-queries" in names
    assert len(names) == 14 * 3 + 21 * 4
    for name in names:
        rows = load_dataset(str(built.folder), name, split="test", cache_dir=str(tmp_path))
        assert len(rows) > 0, name


def test_language_gap_shows(figures: dict) -> None:
    """English far above random, Japanese and Chinese near it."""
    bm25, chance = (_ndcg(figures[name]) for name in ("bm25", "random"))
    for task in ("qa", "evidence"):
        assert bm25[f"{task}-en"] > chance[f"{task}-en"] + 0.4
        for language in ("ja", "zh"):
            assert bm25[f"{task}-{language}"] < 0.5 * bm25[f"{task}-en"]


def test_five_circles_of_sets_do_not_tell_tiers_apart_and_nobody_says_so(built: Built) -> None:
    """Whether tiers fall is tested on open data, which has enough sets; here chance decides."""
    found = measure_difficulty(built.folder, [build_system("bm25")])
    (english,) = (one for one in found.curves if one.language == "en")
    assert english.tiers["easy"].low < english.tiers["hard"].high
    assert not english.falls
    assert found.deals == {"bm25": 0}
    assert [fault for fault in found.faults if "finds" in fault] == []  # no shortcut does


def _ndcg(results: dict) -> dict[str, float]:
    (run,) = results["runs"].values()
    return {name: entry["values"].get("ndcg@10") for name, entry in run["subsets"].items()}


def test_readme_shows_this_very_release(built: Built) -> None:
    """After a change of the sample or of what decides its bytes: make examples."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    assert built.build_hash in readme
