"""A release in a folder of any file system that fsspec knows: local, s3://, gs://, abfs://."""

import hashlib
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline.publish.outgoing import Outgoing, OutgoingFile, PublishError
from pipeline.release.layout import MANIFEST

_BLOCK = 1 << 20
_EXTRAS = "install the file system's own package beside fsspec: s3fs, gcsfs or adlfs"


def copy_release(outgoing: Outgoing, target: str) -> str:
    """Copy the release to ``target/VERSION`` and say what came of it.

    The manifest goes last: a folder with a manifest is whole. Files that are there already are
    read and kept where their bytes are right, so that a copy that was cut short goes on.

    Raises:
        PublishError: Another build of this version is there, or a copied file reads back wrong.
    """
    files, folder = _opened(target, outgoing)
    *data, manifest = sorted(outgoing.files, key=lambda file: (file.path == MANIFEST, file.path))
    if _holds(files, folder, manifest):
        return f"{folder} is published"
    if files.exists(f"{folder}/{MANIFEST}"):
        raise PublishError(
            f"{folder}: holds another build of {outgoing.version}; a published version never "
            "changes: raise the plan's version and build again"
        )
    copied = sum(_copied(files, folder, file) for file in (*data, manifest))
    return f"{folder} is published; {copied} of {len(outgoing.files)} files were copied"


def missing_files(outgoing: Outgoing, target: str) -> list[OutgoingFile]:
    """The files that `copy_release` would copy."""
    files, folder = _opened(target, outgoing)
    return [file for file in outgoing.files if not _holds(files, folder, file)]


def _opened(target: str, outgoing: Outgoing) -> tuple[Any, str]:
    from fsspec.core import url_to_fs  # noqa: PLC0415 - an optional dependency

    try:
        files, root = url_to_fs(target)
    except (ImportError, ValueError) as error:
        raise PublishError(f"{target}: {error}; {_EXTRAS}") from error
    _refuse_within(target, files, root, outgoing)
    return files, f"{root.rstrip('/')}/{outgoing.version}"


def _refuse_within(target: str, files: Any, root: str, outgoing: Outgoing) -> None:  # noqa: ANN401
    """A release that held its own copy would be none any more."""
    [release] = [file.local.resolve().parent for file in outgoing.files if file.path == MANIFEST]
    if "file" in files.protocol and Path(root).resolve().is_relative_to(release):
        raise PublishError(f"{target}: within the release, which must stay as it is; go elsewhere")


def _copied(files: Any, folder: str, file: OutgoingFile) -> bool:  # noqa: ANN401 - fsspec has no types
    if _holds(files, folder, file):
        return False
    path = f"{folder}/{file.path}"
    files.makedirs(str(PurePosixPath(path).parent), exist_ok=True)
    files.put_file(str(file.local), path)
    if not _holds(files, folder, file):
        raise PublishError(f"{path}: does not read back as it was written; run the command again")
    return True


def _holds(files: Any, folder: str, file: OutgoingFile) -> bool:  # noqa: ANN401
    path = f"{folder}/{file.path}"
    if not files.exists(path) or files.size(path) != file.size:
        return False
    digest = hashlib.sha256()
    with files.open(path, "rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest() == file.sha256
