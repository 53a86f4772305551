import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import app
from pipeline.release.contents import list_files
from pipeline.release.manifest import build_manifest, to_json
from pipeline.release.writing import write_shards
from pipeline.schemas import QUERIES, to_table
from splits.audit import audit

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "pipeline" / "sample"
COMMANDS = (
    *("build", "check", "describe", "verify", "explain", "lint", "memory", "publish", "retrieve"),
    *("diff", "hydrate", "rebuild", "score"),
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


BLANK: dict[str, Any] = dict.fromkeys(QUERIES.names, "") | {"sabs": [], "max_srl": 0}


ASKED = {
    "qa": ("", "Why do bones break?", "Warum brechen Knochen?", "p1"),
    "evidence": ("", "Does aspirin thin the blood?", "Hilft Aspirin?", "p2"),
    "concepts": ("hard/", "the itch", "Krätze", "concept-C0000003"),
}
PLAN = """name = "small"
version = "1.0.0"
seed = 1
profile = "open"
languages = ["en", "de"]
umls.release = "2025AB"
"""
ABSENT = {
    f"concepts-{tier}-{language}": f"the plan has no tier {tier}"
    for tier in ("easy", "medium")
    for language in ("en", "de")
}
CORPORA = {
    "qa": [("p1", "Text one.", "C0000001")],
    "evidence": [("p2", "Text two.", "C0000002")],
    "concepts": [
        ("concept-C0000003", "scabies", "C0000003"),
        ("concept-C0000004", "head lice", "C0000004"),
    ],
}


def write_subset(root: Path, task: str, place: str, text: str, relevant: str) -> None:
    id_, language = f"{task}-1", place[-2:]
    query = BLANK | {"_id": id_, "text": text, "language": language, "source_id": f"s {task}"}
    query |= {"origin": "source", "parallel_core": True, "cuis": [CORPORA[task][0][2]]}
    query |= {"origin": "umls", "sabs": ["MSH"]} if task == "concepts" else {}
    qrel = {"query-id": id_, "corpus-id": relevant, "score": 1}
    write_shards(to_table("queries", [query]), root, f"data/{task}/queries/{place}")
    write_shards(to_table("qrels", [qrel]), root, f"data/{task}/qrels/{place}")
    if task == "concepts":
        ranked = {"query-id": id_, "corpus-ids": [id_ for id_, _, _ in CORPORA[task]]}
        write_shards(to_table("top_ranked", [ranked]), root, f"data/{task}/top_ranked/{place}")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks of one query in English and German, sealed as a build seals it."""
    root = tmp_path_factory.mktemp("small") / "1.0.0"
    for task, documents in CORPORA.items():
        licence = "UMLS SRL 0" if task == "concepts" else "CC0-1.0"
        rows = [
            {"_id": id_, "title": "", "text": text, "cuis": [cui], "source": "MSH",
             "licence": licence, "url": ""}
            for id_, text, cui in documents
        ]  # fmt: skip
        write_shards(to_table("corpus", rows), root, f"data/{task}/corpus")
        tier, english, german, relevant = ASKED[task]
        write_subset(root, task, f"{tier}en", english, relevant)
        write_subset(root, task, f"{tier}de", german, relevant)
    (root / "overlap.json").write_text(to_json(audit(root)), "utf-8")
    (root / "quality").mkdir()
    for name in ("LICENSE.md", "README.md", "eval.yaml", "scorer.pyz", "quality/report.html"):
        (root / name).write_text(name, "utf-8")
    (root / "croissant.json").write_text("{}", "utf-8")
    identity = {"name": "small", "title": "Small", "version": "1.0.0", "profile": "open",
                "umls_release": "2025AB", "languages": ["en", "de"], "seed": 1, "plan": PLAN,
                "shortfall": {}, "sources": {"MSH": 0}}  # fmt: skip
    manifest = build_manifest(identity, [], list_files(root), [], ABSENT)
    (root / "manifest.json").write_text(to_json(manifest), "utf-8")
    return root


def test_help_lists_the_commands() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    assert all(f"\n  {command} " in shown.stdout for command in COMMANDS)
    assert run().exit_code == 2  # nothing was asked


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert "usage" in shown.stdout.lower()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "nowhere.toml"), "error: nowhere.toml: no such plan file; bundled: "),
        (("build", "nowhere.toml"), "error: nowhere.toml: no such plan file; bundled: "),
        (("check", "sample", "--set", "sed=1"), "error: plan: unknown key 'sed'; did you mean"),
        (("check", "sample", "--set", "seed"), "error: --set seed: expected key=value"),
        (("check", "sample", "--set", "umls.meta=/nowhere"), "error: /nowhere: no such file"),
        (("build", "sample", "--set", "umls.max_srl=9"), "error: umls.max_srl: 9 lets text in"),
        (("describe", "/nowhere"), "error: /nowhere: no such file or folder"),
        (("describe", ROOT / "docs"), "docs: no file that a reader would know"),
        (("describe", ROOT / "README.md", "--reader", "medquat"), "did you mean 'medquad'"),
        (
            ("describe", ROOT / "README.md", "--reader", "medquad"),
            "medquad: no *.xml among 1 files",
        ),
        (("verify", "/nowhere"), "error: /nowhere: no manifest.json; name the folder"),
        (("retrieve", "/nowhere"), "/nowhere"),
        (("check",), "Missing argument 'PLAN'"),
        (("chek", "sample"), "No such command 'chek'"),
        (("build", "sample", "--workers", "0"), "'--workers'"),
    ],
)
def test_a_wrong_request_is_told_on_stderr(arguments: tuple[object, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_a_plan_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("check", "sample")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "umls/MRCONSO.RRF" in done.stdout
    assert "concepts-hard" in done.stdout
    assert "nothing was run" in done.stdout
    assert re.search(r"GER \(de\) +1,114 +1 +0 +0 +9 +0 +0 +0 +1,104 +564 ", done.stdout)
    assert re.search(r"MMRESTRICTEDJPN +8 .* 3 ", done.stdout)
    assert list(tmp_path.iterdir()) == []


def test_a_check_can_be_read_by_a_machine() -> None:
    done = run("check", "sample", "--json", "--set", "tasks.qa.quota=7")
    assert done.exit_code == 0
    loaded = json.loads(done.stdout)
    assert loaded["plan"] == "sample"
    assert loaded["quotas"]["qa"] == 7
    assert "umls/MRCONSO.RRF" in loaded["inputs"]
    assert loaded["bytes"] > 0
    gate = loaded["gate"]
    assert (gate["max_srl"], gate["ordered"]) == (0, True)
    assert gate["languages"]["JPN"] == {
        **{"atoms": 877, "suppressed": 1, "kept": 868},
        **{"restricted": {"3": 8}, "concepts": 564},
    }
    assert gate["sources"]["MMRESTRICTED"]["level"] == 3
    assert gate["sources"]["MMRESTRICTED"]["kept"] == 0


def test_damaged_data_falls_short(tmp_path: Path) -> None:
    memory = tmp_path / "memory.tsv"
    memory.write_text("no header\n", "utf-8")
    done = run("check", "sample", "--set", f'translation.memory=["{memory}"]')
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {memory}:1: the header must be")
    assert done.stderr.count("\n") == 1


def test_a_release_is_described(release: Path) -> None:
    done = run("describe", release)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Small 1.0.0, profile open" in done.stdout
    assert "absent  concepts-easy-en: the plan has no tier easy" in done.stdout


def test_evidence_is_described() -> None:
    folder = SAMPLE / "evidence"
    done = run("describe", folder / "medquad", folder / "clinical")
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(r"^passages +\d+ *$", done.stdout, re.MULTILINE)
    assert done.stdout.rstrip().endswith("read by medquad, beir")
    loaded = json.loads(run("describe", folder / "medquad", "--json").stdout)
    assert loaded["readers"] == ["medquad"]
    assert loaded["records"] == loaded["kept"]["passages"] + loaded["kept"]["questions"]


def test_a_description_can_be_read_by_a_machine(release: Path) -> None:
    loaded = json.loads(run("describe", release, "--json").stdout)
    names = ("qa", "concepts-hard", "evidence")
    assert loaded["queries"] == {f"{n}-{language}": 1 for n in names for language in ("en", "de")}
    assert loaded["documents"] == {"qa": 1, "evidence": 1, "concepts": 2}
    assert loaded["absent"] == ABSENT
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    assert loaded["build_hash"] == manifest["build_hash"]


def test_a_release_verifies_until_it_is_touched(release: Path, tmp_path: Path) -> None:
    done = run("verify", release)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "0 faults\n", "")
    touched = tmp_path / "touched"
    subprocess.run(["cp", "-r", str(release), str(touched)], check=True)
    (touched / "overlap.json").write_text("{}", "utf-8")
    done = run("verify", touched)
    assert done.exit_code == 1
    *faults, last = done.stdout.splitlines()
    assert faults
    assert all(fault.startswith("FAULT ") for fault in faults)
    assert last == f"{len(faults)} faults"


def test_a_damaged_manifest_falls_short(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{", "utf-8")
    for command in ("describe", "verify"):
        assert run(command, tmp_path).exit_code == 1


def test_an_unknown_system_is_a_wrong_request(release: Path, tmp_path: Path) -> None:
    done = run("retrieve", release, "--system", "bm52", "--output", tmp_path / "runs")
    assert done.exit_code == 2
    assert "did you mean 'bm25'" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_the_installed_command_is_the_same() -> None:
    command = [sys.executable, "-m", "pipeline.cli", "check", "nowhere.toml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: nowhere.toml: no such plan file")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_wrong_plan_need_not_wait_for_beam(command: str) -> None:
    code = f"""
import sys
from typer.testing import CliRunner
from pipeline.cli import app
done = CliRunner().invoke(app, [{command!r}, "sample", "--set", "sed=1"])
print(done.exit_code, "apache_beam" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2 False\n"
