"""What a corpus was encoded to, kept under the hash of all that it came from."""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]
_CHUNK = 1 << 20
_logger = logging.getLogger("mmed-bench")


def content_key(parts: Any) -> str:  # noqa: ANN401
    """SHA-256 of anything that can be written as JSON."""
    written = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def kept(folder: str, key: str, make: Callable[[], Arrays]) -> Arrays:
    """The arrays under that key, made where they are not there or not whole.

    Each array is a file ``KEY.NAME.npy``; ``KEY.json``, written last, has the hash of each.
    An empty `folder` keeps nothing.
    """
    if not folder:
        return make()
    root = Path(folder)
    found = _read(root, key)
    if found is None:
        _write(root, key, make())
        found = _read(root, key)
    if found is None:
        raise OSError(f"{root}: what was written cannot be read again; name another cache")
    return found


def _read(root: Path, key: str) -> Arrays | None:
    listed = root / f"{key}.json"
    if not listed.is_file():
        return None
    try:
        hashes = json.loads(listed.read_text("utf-8"))
        paths = {name: root / f"{key}.{name}.npy" for name in hashes}
        if all(_hash(path) == hashes[name] for name, path in paths.items()):
            return {name: np.load(path, mmap_mode="r") for name, path in paths.items()}
    except (OSError, ValueError, AttributeError):
        pass  # told below: whatever is wrong with it, it is made anew
    _logger.warning("%s: damaged; encoding the corpus anew", listed)
    return None


def _write(root: Path, key: str, arrays: Arrays) -> None:
    root.mkdir(parents=True, exist_ok=True)
    hashes = {}
    for name, array in sorted(arrays.items()):
        path = root / f"{key}.{name}.npy"
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with temporary.open("wb") as file:
            np.save(file, np.ascontiguousarray(array), allow_pickle=False)
        hashes[name] = _hash(temporary)
        temporary.replace(path)
    listed = root / f"{key}.json"
    temporary = listed.with_name(f".{listed.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(hashes, sort_keys=True) + "\n", "utf-8")
    temporary.replace(listed)


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
