"""A dataset repository of the Hub, through the Hub's own client."""

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    RepoFile,
    get_token,
)
from huggingface_hub.errors import RepositoryNotFoundError

from pipeline.publish.outgoing import Outgoing, PublishError
from pipeline.publish.remote import Proposal, Remote, Stored, Tree
from pipeline.publish.steps import (
    Action,
    Create,
    Merge,
    Propose,
    ReadBack,
    Restrict,
    Tag,
    Wish,
    Withdraw,
)

BRANCH = "main"
_DATASET = "dataset"


class Hub:
    """One repository; the token is the environment's or the login's, and is never looked at."""

    def __init__(self, repo: str, endpoint: str | None = None) -> None:
        """Of `repo`, as ORG/NAME; `endpoint` is the client's own unless it is given."""
        self.repo = repo
        self.proved: frozenset[str] = frozenset()
        self._api = HfApi(endpoint=endpoint, library_name="mmed-bench-ir")

    @property
    def address(self) -> str:
        """Where a person looks at it."""
        return f"{self._api.endpoint}/datasets/{self.repo}"

    def look(self, outgoing: Outgoing) -> Remote:
        """What it holds now."""
        try:
            info = self._api.dataset_info(self.repo, revision=BRANCH)
        except RepositoryNotFoundError:
            if not get_token():
                raise PublishError(
                    f"{self.repo}: not to be seen without a token; set HF_TOKEN or `hf auth login`"
                ) from None
            return Remote()
        refs = self._api.list_repo_refs(self.repo, repo_type=_DATASET)
        is_tagged = any(one.name == outgoing.tag for one in refs.tags)
        return Remote(
            exists=True,
            private=bool(info.private),
            gated=info.gated or "",
            head=info.sha or "",
            tree=self._tree(info.sha or BRANCH),
            tagged=self._tree(outgoing.tag) if is_tagged else None,
            proposals=() if is_tagged else tuple(self._proposals(outgoing)),
            proved=self.proved,
        )

    def take(self, step: Action, outgoing: Outgoing, wish: Wish) -> None:
        """Take one step."""
        match step:
            case Create():
                self._create(wish)
            case Restrict():
                self._restrict(wish)
            case Propose():
                self._propose(step, outgoing)
            case Withdraw(number, reason):
                self._api.change_discussion_status(
                    self.repo, number, "closed", comment=f"Closed: {reason}.", repo_type=_DATASET
                )
            case ReadBack(commit, revision):
                self._read_back(outgoing, revision)
                self.proved |= {commit}
            case Merge(number):
                self._api.merge_pull_request(self.repo, number, repo_type=_DATASET)
            case Tag(commit):
                self._api.create_tag(
                    self.repo, tag=outgoing.tag, revision=commit, repo_type=_DATASET
                )

    def _create(self, wish: Wish) -> None:
        self._api.create_repo(
            self.repo, repo_type=_DATASET, private=wish.private or None, exist_ok=True
        )

    def _restrict(self, wish: Wish) -> None:
        self._api.update_repo_settings(
            self.repo,
            private=wish.private or None,
            gated=wish.gated or None,  # type: ignore[arg-type]  # the command line has checked it
            repo_type=_DATASET,
        )

    def _propose(self, step: Propose, outgoing: Outgoing) -> None:
        additions = [
            CommitOperationAdd(path_in_repo=file.path, path_or_fileobj=file.local)
            for file in step.changes.uploads
        ]
        deletions = [CommitOperationDelete(path_in_repo=path) for path in step.changes.deletions]
        self._api.create_commit(
            self.repo,
            [*additions, *deletions],
            commit_message=outgoing.title,
            commit_description=f"build_hash {outgoing.build_hash}",
            parent_commit=step.parent,
            create_pr=True,
            repo_type=_DATASET,
        )

    def _read_back(self, outgoing: Outgoing, revision: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for file in outgoing.files:
                fetched = Path(
                    self._api.hf_hub_download(
                        self.repo,
                        file.path,
                        repo_type=_DATASET,
                        revision=revision,
                        local_dir=folder,
                    )
                )
                with fetched.open("rb") as opened:
                    found = hashlib.file_digest(opened, "sha256").hexdigest()
                fetched.unlink()
                if found != file.sha256:
                    raise PublishError(
                        f"{self.repo}, {revision}: {file.path} reads back as {found}, "
                        f"not {file.sha256}; nothing was merged or tagged"
                    )

    def _tree(self, revision: str) -> Tree:
        listed = self._api.list_repo_tree(
            self.repo, recursive=True, revision=revision, repo_type=_DATASET
        )
        return {
            one.path: Stored(one.blob_id, one.lfs.sha256 if one.lfs else "")
            for one in listed
            if isinstance(one, RepoFile)
        }

    def _proposals(self, outgoing: Outgoing) -> Iterator[Proposal]:
        """Open ones of this version; of this very build first, older before newer."""
        found = [
            one
            for one in self._api.get_repo_discussions(
                self.repo,
                repo_type=_DATASET,
                discussion_type="pull_request",
                discussion_status="open",
            )
            if one.title.startswith(outgoing.titles)
        ]
        for one in sorted(found, key=lambda one: (one.title != outgoing.title, one.num)):
            revision = f"refs/pr/{one.num}"
            commits = self._api.list_repo_commits(self.repo, repo_type=_DATASET, revision=revision)
            head, parent = [*(each.commit_id for each in commits), ""][:2]
            yield Proposal(one.num, one.title, head, parent, self._tree(revision))
