"""A stand-in for the Hub on loopback: what its HTTP protocol needs for a dataset repository.

Written from the requests of the Hub's own client. Files of at least `LARGE` bytes go to large file
storage, the rest into the commit itself. Faults are planned beforehand: the first request that a
fault is for meets it.
"""

import base64
import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

LARGE = 4096
SLASH = "::"
TOKEN = "hf_a-token-that-nobody-may-see"
DATE = "2026-01-01T00:00:00.000Z"

RULES = [
    ("POST", "/api/repos/create", "create"),
    ("POST", "/api/validate-yaml", "validate"),
    ("GET", "/api/datasets/<org>/<name>/revision/<path:revision>", "info"),
    ("PUT", "/api/datasets/<org>/<name>/settings", "settings"),
    ("GET", "/api/datasets/<org>/<name>/refs", "refs"),
    ("GET", "/api/datasets/<org>/<name>/tree/<path:revision>", "tree"),
    ("GET", "/api/datasets/<org>/<name>/commits/<path:revision>", "commits"),
    ("POST", "/api/datasets/<org>/<name>/preupload/<path:revision>", "preupload"),
    ("POST", "/api/datasets/<org>/<name>/commit/<path:revision>", "commit"),
    ("POST", "/api/datasets/<org>/<name>/tag/<path:revision>", "tag"),
    ("GET", "/api/datasets/<org>/<name>/discussions", "discussions"),
    ("POST", "/api/datasets/<org>/<name>/discussions/<int:number>/<resource>", "discuss"),
    ("POST", "/datasets/<org>/<name>.git/info/lfs/objects/batch", "batch"),
    ("PUT", "/storage/<oid>", "store"),
    ("GET", "/datasets/<org>/<name>/resolve/<revision>/<path:path>", "resolve"),
]


@dataclass
class Commit:
    oid: str
    parent: str
    title: str
    files: dict[str, bytes]
    large: frozenset[str]


@dataclass
class PullRequest:
    number: int
    title: str
    head: str
    status: str = "open"


@dataclass
class Repository:
    branch: str
    commits: dict[str, Commit]
    private: bool = False
    gated: str | bool = False
    tags: dict[str, str] = field(default_factory=dict)
    pull_requests: list[PullRequest] = field(default_factory=list)

    def add(self, parent: str, title: str, files: dict[str, bytes], large: frozenset[str]) -> str:
        content = json.dumps(
            [parent, title, len(self.commits), sorted((p, oid_of(b)) for p, b in files.items())]
        )
        oid = hashlib.sha1(content.encode()).hexdigest()
        self.commits[oid] = Commit(oid, parent, title, files, large)
        return oid

    def at(self, revision: str) -> Commit:
        revision = revision.replace(SLASH, "/")
        numbered = {f"refs/pr/{one.number}": one.head for one in self.pull_requests}
        oid = {"main": self.branch, **self.tags, **numbered}.get(revision, revision)
        if oid not in self.commits:
            raise Coded(404, "RevisionNotFound")
        return self.commits[oid]

    def commit_to_main(self, files: dict[str, bytes]) -> None:
        """What somebody else does."""
        head = self.at("main")
        self.branch = self.add(head.oid, "by hand", {**head.files, **files}, head.large)


class Coded(Exception):
    """An error as the Hub tells it."""

    def __init__(self, status: int, code: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(code)
        told = {"X-Error-Code": code} if code else {}
        self.response = Response(status=status, headers={**told, **(headers or {})})


class Cut(Exception):
    """The connection breaks without an answer."""


def oid_of(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


Fault = Callable[["FakeHub", Request, Callable[[], Response]], Response]


class FakeHub:
    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.storage: dict[str, bytes] = {}
        self.planned: list[tuple[str, Fault]] = []
        self.requests: list[tuple[str, str]] = []  # method, endpoint; all were authorised
        self.lock = threading.RLock()
        self.url = ""
        self._rules = Map([Rule(path, endpoint=name, methods=[by]) for by, path, name in RULES])

    def plan(self, endpoint: str, *faults: Fault) -> None:
        """Let the next requests of an endpoint meet these, one each."""
        self.planned += [(endpoint, fault) for fault in faults]

    def count(self, endpoint: str) -> int:
        return sum(name == endpoint for _, name in self.requests)

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        # A revision may hold slashes, which the client escapes; WSGI would undo that.
        raw = environ["REQUEST_URI"].partition("?")[0]
        environ["PATH_INFO"] = unquote(raw.replace("%2F", SLASH))
        request = Request(environ)
        try:
            response = self._answer(request)
        except Coded as error:
            response = error.response
        except HTTPException as error:
            response = Response(error.description, status=error.code)
        except Cut:
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionAbortedError from None
        return response(environ, start_response)

    def _answer(self, request: Request) -> Response:
        endpoint, values = self._rules.bind_to_environ(request.environ).match()
        if endpoint != "store" and request.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise Coded(401, "RepoNotFound")
        fault = self._fault(endpoint)

        def act() -> Response:
            with self.lock:
                self.requests.append((request.method, endpoint))
                response: Response = getattr(self, f"on_{endpoint}")(request, **values)
                return response

        return fault(self, request, act) if fault else act()

    def _fault(self, endpoint: str) -> Fault | None:
        with self.lock:
            for place, (name, fault) in enumerate(self.planned):
                if name == endpoint:
                    del self.planned[place]
                    return fault
        return None

    def repo(self, org: str, name: str) -> Repository:
        if (repo := self.repositories.get(f"{org}/{name}")) is None:
            raise Coded(404, "RepoNotFound")
        return repo

    def on_create(self, request: Request) -> Response:
        asked = request.get_json()
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.repositories:
            raise Coded(409)
        made = Repository("", {}, private=asked.get("visibility") == "private")
        made.branch = made.add("", "initial commit", {".gitattributes": b""}, frozenset())
        self.repositories[name] = made
        return as_json({"url": f"{self.url}/datasets/{name}", "name": name})

    def on_validate(self, request: Request) -> Response:
        assert request.get_json()["content"]
        return as_json({"errors": [], "warnings": []})

    def on_info(self, _: Request, org: str, name: str, revision: str) -> Response:
        repo = self.repo(org, name)
        return as_json(
            {
                "id": f"{org}/{name}",
                "sha": repo.at(revision).oid,
                "private": repo.private,
                "gated": repo.gated,
            }
        )

    def on_settings(self, request: Request, org: str, name: str) -> Response:
        repo, asked = self.repo(org, name), request.get_json()
        repo.gated = asked.get("gated", repo.gated)
        repo.private = asked.get("visibility", "private" if repo.private else "") == "private"
        return as_json({})

    def on_refs(self, _: Request, org: str, name: str) -> Response:
        repo = self.repo(org, name)
        tags = [
            {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid}
            for tag, oid in repo.tags.items()
        ]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.branch}
        return as_json({"branches": [main], "converts": [], "tags": tags})

    def on_tree(self, _: Request, org: str, name: str, revision: str) -> Response:
        commit = self.repo(org, name).at(revision)
        return as_json(
            [
                {
                    "type": "file",
                    "path": path,
                    "size": len(content),
                    "oid": oid_of(content),
                    **({"lfs": lfs_of(content)} if path in commit.large else {}),
                }
                for path, content in sorted(commit.files.items())
            ]
        )

    def on_commits(self, _: Request, org: str, name: str, revision: str) -> Response:
        repo, found = self.repo(org, name), []
        oid = repo.at(revision).oid
        while oid:
            found.append(repo.commits[oid])
            oid = repo.commits[oid].parent
        return as_json(
            [
                {"id": one.oid, "authors": [], "date": DATE, "title": one.title, "message": ""}
                for one in found
            ]
        )

    def on_preupload(self, request: Request, org: str, name: str, revision: str) -> Response:
        commit = self.repo(org, name).at(revision)
        answers = []
        for file in request.get_json()["files"]:
            path, held = file["path"], commit.files.get(file["path"])
            is_large = file["size"] >= LARGE
            oid = None
            if held is not None:
                oid = hashlib.sha256(held).hexdigest() if path in commit.large else oid_of(held)
            answers.append(
                {
                    "path": path,
                    "uploadMode": "lfs" if is_large else "regular",
                    "shouldIgnore": False,
                    "oid": oid,
                }
            )
        return as_json({"files": answers})

    def on_batch(self, request: Request, org: str, name: str) -> Response:
        self.repo(org, name)
        objects = []
        for one in request.get_json()["objects"]:
            answer = {"oid": one["oid"], "size": one["size"]}
            if one["oid"] not in self.storage:
                href = f"{self.url}/storage/{one['oid']}"
                answer["actions"] = {"upload": {"href": href, "header": {}}}
            objects.append(answer)
        return as_json({"transfer": "basic", "objects": objects})

    def on_store(self, request: Request, oid: str) -> Response:
        content = request.get_data()
        if hashlib.sha256(content).hexdigest() != oid:
            raise Coded(400)
        self.storage[oid] = content
        return Response()

    def on_commit(self, request: Request, org: str, name: str, revision: str) -> Response:
        repo = self.repo(org, name)
        lines = [json.loads(line) for line in request.get_data().splitlines()]
        header = lines[0]["value"]
        parent = repo.at(revision)
        is_proposal = request.args.get("create_pr") == "1"
        if header.get("parentCommit", parent.oid) != parent.oid:
            raise Coded(412)
        files, large = dict(parent.files), set(parent.large)
        for line in lines[1:]:
            self._apply(line["key"], line["value"], files, large)
        oid = repo.add(parent.oid, header["summary"], files, frozenset(large))
        answer = {"commitUrl": f"{self.url}/datasets/{org}/{name}/commit/{oid}", "commitOid": oid}
        if is_proposal:
            number = len(repo.pull_requests) + 1
            repo.pull_requests.append(PullRequest(number, header["summary"], oid))
            answer["pullRequestUrl"] = f"{self.url}/datasets/{org}/{name}/discussions/{number}"
        else:
            repo.branch = oid
        return as_json(answer)

    def _apply(
        self, key: str, value: dict[str, Any], files: dict[str, bytes], large: set[str]
    ) -> None:
        path = value["path"]
        large.discard(path)
        if key == "file":
            files[path] = base64.b64decode(value["content"])
        elif key == "lfsFile":
            if value["oid"] not in self.storage:
                raise Coded(400)
            files[path] = self.storage[value["oid"]]
            large.add(path)
        elif key == "deletedFile":
            del files[path]
        else:
            raise NotFound(key)

    def on_discussions(self, _: Request, org: str, name: str) -> Response:
        found = [one for one in self.repo(org, name).pull_requests if one.status == "open"]
        listed = [
            {
                "title": one.title,
                "num": one.number,
                "author": {"name": "somebody"},
                "createdAt": DATE,
                "status": one.status,
                "repo": {"name": f"{org}/{name}", "type": "dataset"},
                "isPullRequest": True,
            }
            for one in found
        ]
        return as_json({"count": len(listed), "start": 0, "discussions": listed})

    def on_discuss(
        self, request: Request, org: str, name: str, number: int, resource: str
    ) -> Response:
        repo = self.repo(org, name)
        [found] = [one for one in repo.pull_requests if one.number == number]
        if resource == "merge":
            self._merge(repo, found)
        else:
            found.status = request.get_json()["status"]
        status = {"id": "0", "type": "status-change", "createdAt": DATE, "author": {"name": "a"}}
        return as_json({"newStatus": {**status, "data": {"status": found.status}}})

    def _merge(self, repo: Repository, found: PullRequest) -> None:
        """Whatever the proposal changed, upon whatever the branch holds by now."""
        proposed = repo.commits[found.head]
        base, head = repo.commits[proposed.parent], repo.at("main")
        changed = {
            path: content
            for path, content in proposed.files.items()
            if base.files.get(path) != content
        }
        gone = base.files.keys() - proposed.files.keys()
        files = {p: c for p, c in {**head.files, **changed}.items() if p not in gone}
        large = (head.large | proposed.large) & files.keys()
        repo.branch = repo.add(head.oid, found.title, files, frozenset(large))
        found.status = "merged"

    def on_tag(self, request: Request, org: str, name: str, revision: str) -> Response:
        repo, tag = self.repo(org, name), request.get_json()["tag"]
        if tag in repo.tags:
            raise Coded(409)
        repo.tags[tag] = repo.at(revision).oid
        return as_json({})

    def on_resolve(
        self, request: Request, org: str, name: str, revision: str, path: str
    ) -> Response:
        commit = self.repo(org, name).at(revision)
        if (content := commit.files.get(path)) is None:
            raise Coded(404, "EntryNotFound")
        etag = hashlib.sha256(content).hexdigest() if path in commit.large else oid_of(content)
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{etag}"'}
        response = Response(content, headers=headers, mimetype="application/octet-stream")
        response.headers["Content-Length"] = str(len(content))
        return response


def lfs_of(content: bytes) -> dict[str, Any]:
    return {
        "oid": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "pointerSize": 130,
    }


def as_json(value: object) -> Response:
    return Response(json.dumps(value), mimetype="application/json")


class _Quiet(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[FakeHub]:
    """A hub that answers on loopback while the block runs."""
    hub = FakeHub()
    server = make_server("127.0.0.1", 0, hub, threaded=True, request_handler=_Quiet)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
