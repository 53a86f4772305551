"""The command itself: what it refuses, what it shows, and that a killed one goes on."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.publish.gate import require_publishable
from pipeline.publish.outgoing import PublishError, read_outgoing

REPO = "our-org/our-bench"
Standin = Any  # the module of the fake is loaded by its path
Answer = Any


def command(release: Path, *options: str) -> list[str]:
    return [*(sys.executable, "-m", "pipeline.cli", "publish"), str(release), *options]


def environment(hub: Standin, fake_hub: ModuleType, home: Path) -> dict[str, str]:
    told = {"HF_ENDPOINT": hub.url, "HF_TOKEN": fake_hub.TOKEN, "HF_HUB_DISABLE_XET": "1"}
    return {**os.environ, **told, "HF_HOME": str(home)}


@pytest.mark.parametrize("point", ["commit", "resolve", "discuss", "tag"])
def test_killed_at_any_step_and_run_again(
    hub: Standin, fake_hub: ModuleType, sound: Path, tmp_path: Path, point: str
) -> None:
    """The kill comes when the request has arrived; it takes effect, and nobody reads the answer."""
    run = command(sound, "--repo", REPO)
    env = environment(hub, fake_hub, tmp_path / "home")
    arrived, killed = threading.Event(), threading.Event()

    def wait(_hub: Standin, _request: object, act: Callable[[], Answer]) -> Answer:
        arrived.set()
        assert killed.wait(60)
        return act()

    hub.plan(point, wait)
    process = subprocess.Popen(run, env=env, stderr=subprocess.DEVNULL)
    assert arrived.wait(60)
    process.kill()
    process.wait()
    killed.set()
    ended = subprocess.run(run, env=env, capture_output=True, text=True, check=True)
    assert "v1.0.0 is published" in ended.stdout
    assert fake_hub.TOKEN not in ended.stdout + ended.stderr
    repo, outgoing = hub.repositories[REPO], read_outgoing(sound)
    titles = [commit.title for commit in repo.commits.values()]
    assert titles.count(outgoing.title) == 2  # the proposal's, and its merge
    assert repo.tags == {"v1.0.0": repo.branch}
    held = repo.at("v1.0.0").files
    assert {file.path: file.local.read_bytes() for file in outgoing.files} == {
        path: held[path] for path in held if path != ".gitattributes"
    }


def test_a_dry_run_prints_every_file(
    hub: Standin, fake_hub: ModuleType, sound: Path, tmp_path: Path
) -> None:
    ended = subprocess.run(
        command(sound, "--repo", REPO, "--dry-run"),
        env=environment(hub, fake_hub, tmp_path / "home"),
        capture_output=True,
        text=True,
        check=True,
    )
    for file in read_outgoing(sound).files:
        assert f"{file.sha256} {file.size:>12,} {file.path}" in ended.stdout
    assert hub.repositories == {}


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "local texts": ({"profile": "local"}, "may not be passed on"),
    "a fault that verify finds": ({"version": "one"}, "version"),
}


@pytest.mark.parametrize(("said", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_release_with_faults_is_not_published(
    audited: ModuleType, sound: Path, tmp_path: Path, said: dict[str, str], reason: str
) -> None:

    release = Path(shutil.copytree(sound, tmp_path / "release"))
    audited.reseal(release, audited.fields(release) | said)
    with pytest.raises(PublishError, match=reason):
        require_publishable(release, read_outgoing(release))


def test_a_release_that_lint_finds_fault_with_is_not_published(
    audited: ModuleType, sound: Path, tmp_path: Path
) -> None:

    release = Path(shutil.copytree(sound, tmp_path / "release"))
    (release / "README.md").write_text("no card", "utf-8")
    audited.reseal(release, audited.fields(release))
    with pytest.raises(PublishError, match=r"card README\.md"):
        require_publishable(release, read_outgoing(release))


def test_a_release_without_fault_may_go_out(sound: Path) -> None:
    require_publishable(sound, read_outgoing(sound))


@pytest.mark.parametrize("options", [[], ["--repo", REPO, "--to", "shelf"]])
def test_one_place_must_be_named(sound: Path, options: list[str]) -> None:
    ended = CliRunner().invoke(app, ["publish", str(sound), *options])
    assert ended.exit_code == 2
    assert "either --repo ORG/NAME or --to URL" in ended.output


def test_a_folder_gets_the_release(sound: Path, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    rehearsed = CliRunner().invoke(app, ["publish", str(sound), "--to", str(shelf), "--dry-run"])
    assert len(rehearsed.output.splitlines()) == len(read_outgoing(sound).files)
    ended = CliRunner().invoke(app, ["publish", str(sound), "--to", str(shelf)])
    assert ended.exit_code == 0, ended.output
    assert (shelf / "1.0.0" / "manifest.json").is_file()
