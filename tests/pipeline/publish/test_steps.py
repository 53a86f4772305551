"""The next step, for every state that a repository can be found in."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.publish.outgoing import Outgoing, OutgoingFile
from pipeline.publish.remote import Proposal, Remote, Stored, changes
from pipeline.publish.steps import (
    Create,
    Done,
    Merge,
    Propose,
    ReadBack,
    Refuse,
    Restrict,
    Step,
    Tag,
    Wish,
    Withdraw,
    after,
    next_step,
)

FILES = tuple(
    OutgoingFile(path, Path(path), 1, f"sha-{path}", f"blob-{path}")
    for path in ("README.md", "data/a.parquet", "manifest.json")
)
RELEASE = Outgoing("1.2.0", "0" * 64, "open", FILES)
WHOLE = {file.path: Stored(file.blob) for file in FILES}
LARGE = {file.path: Stored("pointer", file.sha256) for file in FILES}
OTHER = {"README.md": Stored("another"), "data/old.parquet": Stored("old")}
BY_HAND = {**WHOLE, "notes.txt": Stored("notes")}


def proposal(tree: dict[str, Stored], parent: str = "h", head: str = "p") -> Proposal:
    return Proposal(3, RELEASE.title, head, parent, tree)


def remote(**fields: object) -> Remote:
    return Remote(**{"exists": True, "head": "h", **fields})  # type: ignore[arg-type]


STATES: list[tuple[str, Remote, Wish, Step]] = [
    ("nothing", Remote(), Wish(), Create()),
    ("public, and wished private", remote(), Wish(private=True), Restrict()),
    ("open, and wished gated", remote(private=True), Wish(gated="auto"), Restrict()),
    ("empty", remote(), Wish(), Propose("h", changes({}, RELEASE))),
    ("former", remote(tree=OTHER), Wish(), Propose("h", changes(OTHER, RELEASE))),
    ("merged", remote(tree=WHOLE), Wish(), ReadBack("h", "h")),
    ("merged, in large files", remote(tree=LARGE), Wish(), ReadBack("h", "h")),
    ("merged and read", remote(tree=BY_HAND, proved=frozenset("h")), Wish(), Tag("h")),
    ("tagged", remote(tagged=WHOLE, tree=OTHER), Wish(), Done("v1.2.0 is published")),
    ("proposed", remote(proposals=(proposal(WHOLE),)), Wish(), ReadBack("p", "refs/pr/3")),
    (
        "proposed and read",
        remote(proposals=(proposal(WHOLE),), proved=frozenset("p")),
        Wish(),
        Merge(3),
    ),
    (
        "proposed otherwise",
        remote(proposals=(proposal(OTHER),)),
        Wish(),
        Withdraw(3, "it does not hold this release"),
    ),
    (
        "proposed upon a former head",
        remote(proposals=(proposal(WHOLE, parent="g"),), proved=frozenset("p")),
        Wish(),
        Withdraw(3, "the branch has gone on since it was opened"),
    ),
]


@pytest.mark.parametrize(("held", "wish", "step"), [one[1:] for one in STATES], ids=lambda _: "")
def test_the_step_that_is_missing(held: Remote, wish: Wish, step: Step) -> None:
    assert next_step(RELEASE, held, wish) == step


def test_another_build_under_the_tag_is_refused() -> None:
    assert isinstance(next_step(RELEASE, remote(tagged=OTHER), Wish()), Refuse)


def test_only_what_a_former_release_left_behind_is_deleted() -> None:
    tree = {**WHOLE, "data/b.parquet": Stored("b"), "quality/x": Stored("x"), "a": Stored("a")}
    assert changes(tree, RELEASE).deletions == ("data/b.parquet", "quality/x")


trees = st.sampled_from([{}, WHOLE, LARGE, OTHER, BY_HAND])
remotes = st.builds(
    Remote,
    exists=st.booleans(),
    private=st.booleans(),
    gated=st.sampled_from(["", "auto"]),
    head=st.sampled_from(["g", "h"]),
    tree=trees,
    tagged=st.none() | trees,
    proposals=st.lists(
        st.builds(
            Proposal,
            st.integers(1, 5),
            st.just(RELEASE.title),
            st.sampled_from(["p", "q"]),
            st.sampled_from(["g", "h"]),
            trees,
        ),
        max_size=3,
        unique_by=lambda one: one.number,
    ).map(tuple),
    proved=st.frozensets(st.sampled_from(["g", "h", "p", "q"])),
)
wishes = st.builds(Wish, st.booleans(), st.sampled_from(["", "auto"]), st.booleans())


@given(held=remotes, wish=wishes)
def test_every_state_leads_to_an_end(held: Remote, wish: Wish) -> None:
    for _ in range(12):
        step = next_step(RELEASE, held, wish)
        if isinstance(step, Refuse):
            assert held.tagged is not None
            return
        if isinstance(step, Done):
            assert held.tagged is not None or not wish.merging
            return
        held = after(RELEASE, held, step, wish)
    raise AssertionError(held)
