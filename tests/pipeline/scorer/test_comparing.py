"""Runs beside each other, from files to tables."""

import json
import random
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from pipeline.scorer.cli import main

QUERIES = 120
LANGUAGES = ("en", "de")


@pytest.fixture
def release(tmp_path: Path, small: ModuleType) -> Path:
    root: Path = small.write_manifest(tmp_path / "release")
    for language in LANGUAGES:
        small.write_subset(
            root, f"qa-{language}", {f"qa-{n}": {f"d{n}": 1} for n in range(QUERIES)}
        )
    return root


def write_run(folder: Path, hit: float, seed: int) -> Path:
    """A run that puts the right document first with a chance, else third."""
    draw = random.Random(seed)
    folder.mkdir()
    for language in LANGUAGES:
        lines = []
        for n in range(QUERIES):
            right, others = f"d{n}", [f"d{(n + step) % QUERIES}" for step in (1, 2)]
            ranked = [right, *others] if draw.random() < hit else [*others, right]
            lines += [f"qa-{n} Q0 {one} 0 {-at} x" for at, one in enumerate(ranked)]
        (folder / f"qa-{language}.trec").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    chances = {"good": 0.9, "poor": 0.4, "equal": 0.4}
    folders = [write_run(tmp_path / name, hit, place) for place, (name, hit) in
               enumerate(chances.items())]  # fmt: skip
    return [str(folder) for folder in folders]


def asked(capsys: pytest.CaptureFixture[str], release: Path, *arguments: str) -> str:
    assert main([str(release), *arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_what_differs_is_told_from_what_does_not(
    capsys: pytest.CaptureFixture[str], release: Path, runs: list[str]
) -> None:
    told = json.loads(asked(capsys, release, *runs, "--compare", "--json"))["comparison"]
    pairs = {(one["better"], one["other"]): one for one in told["differences"]}
    assert pairs["good", "poor"]["adjusted"] == pytest.approx(3e-4)
    assert pairs["good", "poor"]["difference"]["low"] > 0
    (equal,) = (one for names, one in pairs.items() if "good" not in names)
    assert equal["adjusted"] > 0.05
    assert equal["difference"]["mean"] >= 0
    assert equal["detectable"] == pytest.approx(2.8016 * equal["difference"]["error"], rel=1e-3)
    means = {one["run"]: one for one in told["means"]}
    assert means["good"]["low"] < means["good"]["mean"] < means["good"]["high"]


def test_tables_show_the_same(
    capsys: pytest.CaptureFixture[str], release: Path, runs: list[str]
) -> None:
    shown = asked(capsys, release, *runs, "--compare", "--intervals")
    assert "good - poor" in shown
    assert "p (Holm)" in shown
    assert asked(capsys, release, *runs, "--compare") == asked(capsys, release, *runs, "--compare")
    assert asked(capsys, release, *runs, "--intervals") != asked(
        capsys, release, *runs, "--intervals", "--seed", "1"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--compare"], "at least two runs"),
        (["--compat", "mteb", "--intervals"], "leave out --compare, --intervals"),
        (["--format", "latx"], "did you mean 'latex'"),
    ],
)
def test_what_cannot_be_asked(
    capsys: pytest.CaptureFixture[str],
    release: Path,
    runs: list[str],
    arguments: list[str],
    message: str,
) -> None:
    assert main([str(release), runs[0], *arguments]) == 2
    assert message in capsys.readouterr().err


def test_csv_has_every_value(
    capsys: pytest.CaptureFixture[str], release: Path, runs: list[str]
) -> None:
    lines = asked(capsys, release, runs[0], "--format", "csv", "--measure", "mrr@1").splitlines()
    assert lines[0] == "run,where,measure,value"
    assert {line.split(",")[1] for line in lines[1:]} == {
        *("qa-en", "qa-de", "qa macro", "qa micro", "overall"),
    }


def test_latex_marks_the_best(
    capsys: pytest.CaptureFixture[str], release: Path, runs: list[str]
) -> None:
    shown = asked(capsys, release, *runs, "--format", "latex", "--measure", "mrr@10")
    rows = [line for line in shown.splitlines() if line.endswith(r"\\")]
    assert r"\textbf" in next(row for row in rows if row.startswith("good"))
    assert sum(r"\textbf" in row for row in rows) == 1


def test_the_hub_takes_its_form(
    capsys: pytest.CaptureFixture[str], release: Path, runs: list[str]
) -> None:
    import huggingface_hub

    shown = yaml.safe_load(asked(capsys, release, runs[0], "--format", "eval-results"))
    entries = huggingface_hub.parse_eval_result_entries(shown)
    assert [entry.task_id for entry in entries] == ["qa-en", "qa-de"]
    assert 80 < entries[0].value < 100


def test_the_worst_language_and_the_spread_are_told(
    capsys: pytest.CaptureFixture[str], release: Path, tmp_path: Path
) -> None:
    run = tmp_path / "uneven"
    run.mkdir()
    (run / "qa-en.trec").write_text("".join(f"qa-{n} Q0 d{n} 1 1 x\n" for n in range(QUERIES)))
    (run / "qa-de.trec").write_text("".join(f"qa-{n} Q0 d{n} 1 1 x\n" for n in range(60)))
    (task,) = json.loads(asked(capsys, release, str(run), "--json"))["runs"]["uneven"][
        "tasks"
    ].values()
    assert task["worst_language"]["ndcg@10"] == "de"


def test_ties_that_decide_are_told(
    capsys: pytest.CaptureFixture[str], release: Path, tmp_path: Path
) -> None:
    run = tmp_path / "qa-en.trec"
    run.write_text("".join(f"qa-{n} Q0 {one} 1 0 x\n" for n in range(QUERIES)
                           for one in (f"d{n}", "d0x")))  # fmt: skip
    shown = asked(capsys, release, str(run), "--measure", "ndcg@10")
    assert "ties decide ndcg@10 in 100% of queries; averaged over them it is 0.8155" in shown
