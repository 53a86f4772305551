"""Which files a reader works on, and the ids of what it finds there."""

import posixpath
import re
from collections.abc import Iterable, Sequence

from pipeline.evidence.base import EvidenceError

_SEPARATOR = "\n"
_ESCAPED = re.compile(r"[^A-Za-z0-9_-]")
_HYPHEN = ".2d"
_NUMBER = re.compile(r"([0-9]+)")
_COMPRESSED = ".gz"


def named(listing: Iterable[str], *endings: str) -> list[str]:
    """The sorted paths that end so, compressed or not; hidden files are none of ours."""
    wanted = tuple(ending + tail for ending in endings for tail in ("", _COMPRESSED))
    return sorted(
        path
        for path in listing
        if path.endswith(wanted) and not posixpath.basename(path).startswith(".")
    )


def choose(reader: str, listing: Sequence[str], *endings: str) -> tuple[str, ...]:
    """One unit for each file that ends so, in order of path."""
    chosen = named(listing, *endings)
    if not chosen:
        expected = " or ".join("*" + ending for ending in endings)
        raise EvidenceError(
            f"{reader}: no {expected} among {len(listing)} files; "
            "name the folder that holds them, or the file itself"
        )
    refuse_namesakes(reader, chosen)
    return tuple(chosen)


def refuse_namesakes(reader: str, paths: Iterable[str]) -> None:
    """Raise when two files would give the same ids: ids hold a file's folder and name."""
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(place(path), path)
        if other != path:
            raise EvidenceError(
                f"{reader}: {other} and {path} would give the same ids; "
                "rename a folder or leave one out"
            )


def bundle(files: Iterable[str]) -> str:
    """One unit made of several files that only mean something together."""
    return _SEPARATOR.join(files)


def paths(unit: str) -> tuple[str, ...]:
    """The files that a unit is made of, the leading one first."""
    return tuple(unit.split(_SEPARATOR))


def folder(path: str) -> str:
    """The name of the folder that a file stands in, without the folders above it."""
    return posixpath.basename(posixpath.dirname(path))


def stem(path: str) -> str:
    """A file's name without its ending, and without that of its compression."""
    return posixpath.splitext(posixpath.basename(path).removesuffix(_COMPRESSED))[0]


def numbered(path: str) -> tuple[str | int, ...]:
    """A file's name for sorting, with its numbers as numbers: n9999 comes before n10000."""
    return tuple(int(part) if part.isdecimal() else part for part in _NUMBER.split(stem(path)))


def place(path: str) -> str:
    """A file's folder and name, the same wherever the data is kept."""
    return f"{folder(path)}/{stem(path)}"


def source_id(reader: str, path: str, key: str) -> str:
    """The id of a question: reader, place of its file, key inside the file."""
    return f"{reader}:{place(path)}:{key}"


def passage_id(source: str, *parts: str) -> str:
    """An id of ``[A-Za-z0-9._-]+`` that differs whenever one of the parts does.

    Other characters, and the full stop, are written as a full stop and the two hexadecimal
    digits of each of their bytes; so is the hyphen in all parts but the last, since it divides
    the parts. ``trec-covid`` and ``ug7v899j`` give ``beir-trec.2dcovid-ug7v899j``.
    """
    escaped = [_ESCAPED.sub(_as_bytes, part) for part in parts]
    leading = [part.replace("-", _HYPHEN) for part in escaped[:-1]]
    return "-".join([source, *leading, escaped[-1]])


def _as_bytes(match: re.Match[str]) -> str:
    return "".join(f".{byte:02x}" for byte in match[0].encode())
