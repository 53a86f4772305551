"""Publishing against a hub that fails in every way that the real one is known to."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pipeline.publish.hub import Hub
from pipeline.publish.outgoing import PublishError, read_outgoing
from pipeline.publish.place import Trouble
from pipeline.publish.publishing import publish, rehearse
from pipeline.publish.steps import Wish
from pipeline.publish.trouble import HUB, explained, pause_after

REPO = "our-org/our-bench"
Standin = Any  # the module of the fake is loaded by its path
Asked = Any  # a request of werkzeug
Answer = Any  # its response
Act = Callable[[], Answer]
Faults = list[tuple[str, Callable[..., Answer]]]


def answer(status: int, **headers: str) -> Callable[..., Any]:
    """A fault: the request is not looked at."""

    def fault(hub: Standin, _request: Asked, _act: Act) -> Answer:
        import werkzeug

        del hub
        return werkzeug.Response(status=status, headers=headers)

    return fault


def answer_after(status: int) -> Callable[..., Any]:
    """A fault: it takes effect, and the answer says that it did not."""

    def fault(_hub: Standin, _request: Asked, act: Act) -> Answer:
        import werkzeug

        act()
        return werkzeug.Response(status=status)

    return fault


def somebody_commits(hub: Standin, _request: Asked, act: Act) -> Answer:
    hub.repositories[REPO].commit_to_main({"CITATION.cff": b"by hand"})
    return act()


def cut(_hub: Standin, request: Asked, _act: Act) -> Answer:
    request.stream.read(100)
    raise sys.modules["fake_hub"].Cut


def run(
    hub: Standin, release: Path, wish: Wish | None = None, waits: list[float] | None = None
) -> str:
    trouble = Trouble(pause_after, explained, (waits if waits is not None else []).append)
    return publish(read_outgoing(release), Hub(REPO, hub.url), wish or Wish(), trouble)


def require_published(hub: Standin, release: Path, version: str = "1.0.0") -> None:
    """The one right state: the tag holds the release, by one commit of it."""
    repo, outgoing = hub.repositories[REPO], read_outgoing(release)
    held = repo.at(f"v{version}").files
    assert {file.path: file.local.read_bytes() for file in outgoing.files}.items() <= held.items()
    assert repo.at("main").files == held
    reached, oid = [], repo.branch
    while oid:
        reached.append(repo.commits[oid].title)
        oid = repo.commits[oid].parent
    assert reached.count(outgoing.title) == 1
    assert not [one for one in repo.pull_requests if one.status == "open"]


FAULTS = {
    "none": [],
    "rate limit": [("commit", answer(429, **{"Retry-After": "7"}))],
    "error before the commit": [("commit", answer(500))],
    "error after the commit": [("commit", answer_after(500))],
    "error after the merge": [("discuss", answer_after(502))],
    "error after the tag": [("tag", answer_after(500))],
    "error after creating": [("create", answer_after(503))],
    "somebody commits before": [("commit", somebody_commits)],
    "somebody commits while it is read back": [("resolve", somebody_commits)],
    "somebody commits before the merge": [("discuss", somebody_commits)],
    "a cut upload": [("store", cut)],
    "upload cut again and again": [("store", cut)] * 7,
    "everything at once": [
        ("create", answer_after(503)),
        ("store", cut),
        ("commit", somebody_commits),
        ("commit", answer(429)),
        ("commit", answer_after(500)),
        ("discuss", answer_after(502)),
        ("tag", answer(500)),
        ("tag", answer_after(500)),
    ],
}


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
def test_faults_that_pass_are_outlived(
    hub: Standin,
    write_release: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    faults: Faults,
) -> None:
    # The client's own pauses between its tries.
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)
    release = write_release()
    for endpoint, fault in faults:
        hub.plan(endpoint, fault)
    assert run(hub, release) == "v1.0.0 is published"
    assert hub.planned == []
    require_published(hub, release)
    commits, tags = hub.count("commit"), hub.count("tag")
    assert run(hub, release) == "v1.0.0 is published"
    assert (hub.count("commit"), hub.count("tag")) == (commits, tags)


def test_a_rate_limit_is_waited_for_as_long_as_it_says(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    waits: list[float] = []
    hub.plan("commit", answer(429, **{"Retry-After": "7"}), answer(429))
    run(hub, write_release(), waits=waits)
    assert waits == [7.0, 2.0]


def test_what_somebody_else_committed_stays(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    hub.plan("commit", somebody_commits)
    run(hub, write_release())
    assert hub.repositories[REPO].at("v1.0.0").files["CITATION.cff"] == b"by hand"


@pytest.mark.parametrize(
    ("status", "told"),
    [(403, "may not write here"), (401, "the token is not valid"), (400, "400")],
)
def test_a_refusal_is_told_at_once_and_mended_by_running_again(
    hub: Standin, write_release: Callable[..., Path], fake_hub: ModuleType, status: int, told: str
) -> None:
    waits: list[float] = []
    hub.plan("commit", answer(status))
    release = write_release()
    with pytest.raises(PublishError, match=told) as caught:
        run(hub, release, waits=waits)
    assert fake_hub.TOKEN not in str(caught.value)
    assert waits == []
    assert hub.repositories[REPO].tags == {}
    run(hub, release)
    require_published(hub, release)


def test_a_server_that_stays_broken_is_given_up(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    release = write_release()
    hub.plan("tag", *[answer(500)] * 7)
    waits: list[float] = []
    with pytest.raises(PublishError, match="500"):
        run(hub, release, waits=waits)
    assert waits == [1, 2, 4, 8, 16, 32]
    run(hub, release)
    require_published(hub, release)


def test_a_file_that_reads_back_otherwise_is_not_merged(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    def garbled(_hub: Standin, _request: Asked, act: Act) -> Answer:
        response = act()
        response.set_data(response.get_data()[:-1] + b"?")
        return response

    hub.plan("resolve", lambda _hub, _request, act: act(), garbled)
    release = write_release()
    with pytest.raises(PublishError, match=r"README\.md reads back as"):
        run(hub, release)
    repo = hub.repositories[REPO]
    assert (repo.tags, repo.at("main").files.keys()) == ({}, {".gitattributes"})
    run(hub, release)
    require_published(hub, release)


def test_a_published_version_never_changes(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    run(hub, write_release())
    other = write_release({"README.md": b"another", "data/a.parquet": b"1"})
    with pytest.raises(PublishError, match="raise the plan's version"):
        run(hub, other)


def test_a_new_version_replaces_the_former_and_leaves_no_data_of_it(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    run(hub, write_release())
    hub.repositories[REPO].commit_to_main({"notes.txt": b"by hand", "data/old.parquet": b"1"})
    newer = write_release({"README.md": b"---\n---\n2", "data/a.parquet": b"x" * 5000}, "1.1.0")
    run(hub, newer)
    assert hub.repositories[REPO].at("main").files.keys() == {
        *(".gitattributes", "README.md", "data/a.parquet", "manifest.json", "notes.txt"),
        "overlap.json",
    }
    assert set(hub.repositories[REPO].tags) == {"v1.0.0", "v1.1.0"}


def test_a_proposal_waits_for_whoever_merges_it(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    release, wish = write_release(), Wish(merging=False)
    assert run(hub, release, wish).startswith("proposal 1 waits")
    repo = hub.repositories[REPO]
    assert repo.tags == {}
    assert run(hub, release, wish).startswith("proposal 1 waits")
    assert len(repo.pull_requests) == 1
    hub._merge(repo, repo.pull_requests[0])
    assert run(hub, release, wish) == "v1.0.0 is published"
    require_published(hub, release)


def test_private_and_gated_before_there_is_anything_to_see(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    seen: list[tuple[bool, Any]] = []

    def look(hub: Standin, _request: Asked, act: Act) -> Answer:
        seen.append((hub.repositories[REPO].private, hub.repositories[REPO].gated))
        return act()

    hub.plan("commit", look)
    run(hub, write_release(), Wish(private=True, gated="manual"))
    assert seen == [(True, "manual")]


def test_a_dry_run_says_what_happens_and_writes_nothing(
    hub: Standin, write_release: Callable[..., Path]
) -> None:
    release = write_release()
    outgoing = read_outgoing(release)
    lines = list(rehearse(outgoing, Hub(REPO, hub.url), Wish(), HUB))
    assert hub.repositories == {}
    assert [line.partition(" ")[0] for line in lines if not line.startswith(" ")] == [
        *("create", "propose", "read", "merge", "read", "tag"),
        "v1.0.0",
    ]
    assert sum(line.startswith("  upload") for line in lines) == len(outgoing.files) == 5
    assert {method for method, _ in hub.requests} <= {"GET", "HEAD"}


def test_without_a_token_it_says_where_one_comes_from(
    hub: Standin, write_release: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(PublishError, match="HF_TOKEN"):
        run(hub, write_release())


@pytest.mark.usefixtures("hub")
def test_a_dry_run_without_a_server_is_told(write_release: Callable[..., Path]) -> None:
    nobody = Hub(REPO, "http://127.0.0.1:9")
    with pytest.raises(PublishError, match=f"{REPO}: .*refused"):
        list(rehearse(read_outgoing(write_release()), nobody, Wish(), HUB))
