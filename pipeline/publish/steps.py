"""Which step comes next: a pure function of the release and of what the repository holds.

A proposal (a pull request of one commit) is opened upon the branch's head, read back, merged and
tagged. Whatever a former run left is recognised by what it holds, never by a note of ours.
"""

from dataclasses import dataclass, replace

from pipeline.publish.outgoing import Outgoing
from pipeline.publish.remote import Changes, Proposal, Remote, Stored, Tree, changes


@dataclass(frozen=True, slots=True)
class Wish:
    """How the release is to appear."""

    private: bool = False
    gated: str = ""  # "", "auto" or "manual": who asks for access gets it, or is looked at
    merging: bool = True  # False: leave the proposal for somebody to look at


@dataclass(frozen=True, slots=True)
class Create:
    """Create the repository."""

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return "create the repository"


@dataclass(frozen=True, slots=True)
class Restrict:
    """Make it private or gated, before anything is in it that needs this."""

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return "restrict who may see it"


@dataclass(frozen=True, slots=True)
class Propose:
    """Open a proposal of one commit upon `parent`."""

    parent: str
    changes: Changes

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        uploads, deletions = self.changes.uploads, self.changes.deletions
        size = sum(file.size for file in uploads)
        deleted = f", delete {len(deletions)}" if deletions else ""
        uploaded = f"upload {len(uploads)} files ({size:,} bytes)"
        return f"propose “{outgoing.title}” upon {self.parent}: {uploaded}{deleted}"


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Close a proposal that can no longer be merged as it was meant."""

    number: int
    reason: str

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return f"close proposal {self.number}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadBack:
    """Download all files of a commit and compare them with the release."""

    commit: str
    revision: str

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return f"read back and compare {len(outgoing.files)} files of {self.commit}"


@dataclass(frozen=True, slots=True)
class Merge:
    """Merge a proposal."""

    number: int

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return f"merge proposal {self.number}"


@dataclass(frozen=True, slots=True)
class Tag:
    """Tag a commit with the version."""

    commit: str

    def words(self, outgoing: Outgoing) -> str:
        """For a person."""
        return f"tag {self.commit} as {outgoing.tag}"


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left to do."""

    outcome: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """It cannot be done, and why."""

    reason: str


Action = Create | Restrict | Propose | Withdraw | ReadBack | Merge | Tag
Step = Action | Done | Refuse


def next_step(outgoing: Outgoing, remote: Remote, wish: Wish) -> Step:
    """The one step that is missing."""
    if not remote.exists:
        return Create()
    if remote.tagged is not None:
        return _tagged(outgoing, remote.tagged)
    if _is_laxer(remote, wish):
        return Restrict()
    if not changes(remote.tree, outgoing):
        return _proved(remote, remote.head, remote.head) or Tag(remote.head)
    for proposal in remote.proposals:
        return _with_proposal(outgoing, remote, proposal, wish)
    return Propose(remote.head, changes(remote.tree, outgoing))


def _tagged(outgoing: Outgoing, tree: Tree) -> Step:
    if not changes(tree, outgoing):
        return Done(f"{outgoing.tag} is published")
    return Refuse(
        f"{outgoing.tag} is there already and holds another build; a published version never "
        "changes: raise the plan's version and build again"
    )


def _is_laxer(remote: Remote, wish: Wish) -> bool:
    return (wish.private and not remote.private) or (bool(wish.gated) and not remote.gated)


def _proved(remote: Remote, commit: str, revision: str) -> ReadBack | None:
    return None if commit in remote.proved else ReadBack(commit, revision)


def _with_proposal(outgoing: Outgoing, remote: Remote, proposal: Proposal, wish: Wish) -> Step:
    if changes(proposal.tree, outgoing):
        return Withdraw(proposal.number, "it does not hold this release")
    if proposal.parent != remote.head:
        return Withdraw(proposal.number, "the branch has gone on since it was opened")
    unread = _proved(remote, proposal.head, f"refs/pr/{proposal.number}")
    if unread or wish.merging:
        return unread or Merge(proposal.number)
    return Done(f"proposal {proposal.number} waits to be merged; run again afterwards to tag it")


def after(outgoing: Outgoing, remote: Remote, step: Action, wish: Wish) -> Remote:  # noqa: PLR0911 - a line a step
    """What the repository will hold when nothing interferes: for a dry run, and for tests."""
    held = {file.path: Stored(file.blob, file.sha256) for file in outgoing.files}
    match step:
        case Create():
            return Remote(exists=True, private=wish.private, head="its first commit")
        case Restrict():
            return replace(remote, private=wish.private or remote.private, gated=wish.gated)
        case Propose(parent, _):
            opened = Proposal(0, outgoing.title, "the proposal", parent, held)
            return replace(remote, proposals=(opened,))
        case Withdraw(number, _):
            kept = tuple(one for one in remote.proposals if one.number != number)
            return replace(remote, proposals=kept)
        case ReadBack(commit, _):
            return replace(remote, proved=remote.proved | {commit})
        case Merge(number):
            [merged] = [one for one in remote.proposals if one.number == number]
            return replace(remote, head="the merge", tree=merged.tree, proposals=())
        case Tag():
            return replace(remote, tagged=remote.tree)
