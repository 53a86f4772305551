import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.scorer.cli import main
from pipeline.scorer.pyz import write_pyz

HEAVY = ("apache_beam", "pandas", "scipy", "torch", "typer", "rich")


@pytest.fixture
def release(tmp_path: Path, small: ModuleType) -> Path:
    root: Path = small.write_manifest(tmp_path / "release")
    small.write_subset(root, "qa-en", {"qa-1": {"d1": 1}, "qa-2": {"d2": 1}})
    write_pyz(root / "scorer.pyz")
    return root


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "qa-en.trec"
    path.write_text("qa-1 Q0 d1 1 1.0 x\nqa-2 Q0 d1 1 1.0 x\n")
    return path


def start(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    # Isolated: neither the working folder nor the environment adds modules; site-packages do.
    command = [sys.executable, "-I", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_a_release_scores_with_the_file_that_lies_in_it(release: Path, run: Path) -> None:
    done = start(str(release / "scorer.pyz"), str(run), "--json", cwd=run.parent)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["runs"]["qa-en"]["subsets"]["qa-en"]["values"]["ndcg@10"] == 0.5
    assert found["signature"].startswith("mmed-bench-scorer:")
    assert done.stderr == ""


def test_another_release_can_be_named(release: Path, run: Path, tmp_path: Path) -> None:
    lonely = tmp_path / "elsewhere" / "scorer.pyz"
    lonely.parent.mkdir()
    write_pyz(lonely)
    done = start(str(lonely), str(run), cwd=run.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert "name the folder of a release" in done.stderr
    done = start(str(lonely), str(run), "--release", str(release), cwd=run.parent)
    assert done.returncode == 0, done.stderr
    assert "qa macro" in done.stdout


def test_the_packed_scorer_loads_itself_and_nothing_heavy(release: Path, run: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(release / "scorer.pyz")!r})
from pipeline.scorer.cli import main
assert "scorer.pyz" in sys.modules["pipeline"].__file__, sys.modules["pipeline"].__file__
assert not {{"numpy", "pyarrow"}} & set(sys.modules)
assert main([{str(release)!r}, {str(run)!r}]) == 0
assert {{"numpy", "pyarrow"}} <= set(sys.modules)
heavy = set({HEAVY!r}) & {{name.partition(".")[0] for name in sys.modules}}
assert not heavy, heavy
ours = [name for name in sys.modules if name.startswith("pipeline.")]
assert all(name.startswith("pipeline.scorer") for name in ours), ours
"""
    done = start("-c", code, cwd=run.parent)
    assert done.returncode == 0, done.stderr


def test_the_packed_scorer_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    digests = set()
    for name in ("a.pyz", "b.pyz"):
        write_pyz(tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1
    with zipfile.ZipFile(tmp_path / "a.pyz") as archive:
        names = archive.namelist()
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert names == sorted(names)
    assert {"__main__.py", "pipeline/__init__.py", "pipeline/scorer/metrics.py"} <= set(names)
    assert all(name.startswith(("pipeline/scorer/", "pipeline/__", "__main__")) for name in names)


def test_table_and_per_query_file(
    release: Path, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = tmp_path / "values.tsv"
    arguments = [str(release), "--per-query", str(values), str(run), "--measure", "mrr@10"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "run qa-en",
        "",
        "subset    queries  missing  mrr@10",
        "qa-en           2        0  0.5000",
    ]
    assert values.read_text() == (
        "run\tsubset\tquery-id\tmeasure\tvalue\n"
        "qa-en\tqa-en\tqa-1\tmrr@10\t1.0\n"
        "qa-en\tqa-en\tqa-2\tmrr@10\t0.0\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{release}"], 2, "required: RUN"),
        (["{release}", "{run}", "--measure", "bpref@10"], 2, "unknown measure 'bpref@10'"),
        (["{release}", "{run}", "--subset", "qa-fr"], 2, "no subset 'qa-fr'"),
        (["{release}", "{run}", "--wrong"], 2, "--wrong"),
        (["{release}", "nowhere.trec"], 2, "nowhere.trec: no such run"),
        (["nowhere", "{run}"], 2, "nowhere: no manifest.json"),
        (["{release}", "{bad}"], 1, "qa-en.trec:1: 2 fields, expected 6"),
        (["{release}", "{run}", "--per-query", "{release}"], 1, "directory"),
        (["--help"], 0, ""),
    ],
)
def test_exit_codes(
    release: Path,
    run: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    bad = tmp_path / "bad" / "qa-en.trec"
    bad.parent.mkdir()
    bad.write_text("not a\n")
    filled = [one.format(release=release, run=run, bad=bad) for one in arguments]
    assert main(filled) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert bool(captured.out) == (code == 0)
