"""What `mmed-bench describe` says of evidence: rows of tables for people, or JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.evidence import READERS, EvidenceError, Reader
from pipeline.evidence.describing import Seen, look
from pipeline.evidence.guessing import guess_reader
from pipeline.settings import PlanError, choose
from pipeline.stages.filesystems import list_files, open_file

_MOST = 12  # details of a reason that are shown; the rest are added up

Sheet = tuple[str, tuple[str, ...], list[tuple[str, ...]]]  # title, head, rows


def is_release(path: str) -> bool:
    """Whether a folder is a release and no evidence; what is not there is neither."""
    return Path(path, "manifest.json").is_file()


def look_at(given: Sequence[str], reader: str) -> tuple[tuple[str, ...], Seen]:
    """What files and folders hold, read by one reader or each by the one it looks made for.

    Gives the readers' names beside it. Raises PlanError for what is not there or what no reader
    knows.
    """
    sources = [_source(path, reader) for path in given]
    seen = look([(found, units) for _, found, units in sources], open_file)
    return tuple(name for name, _, _ in sources), seen


def evidence_sheets(seen: Seen) -> Iterator[Sheet]:
    """The tables: what is kept, in alphabetical order, and what is not, most of it first."""
    kept: list[tuple[str, ...]] = [
        (name, f"{number:,}") for name, number in sorted(seen.kept.items())
    ]
    yield "Evidence", ("what", "number"), kept or [("nothing", "0")]
    if seen.left_out:
        yield "Left out", ("reason", "number", "of these"), _reasons(seen)


def evidence_json(readers: Sequence[str], seen: Seen) -> dict[str, Any]:
    """The same for a machine."""
    return {
        "readers": list(readers),
        "units": seen.units,
        "records": seen.records,
        "kept": dict(sorted(seen.kept.items())),
        "left_out": dict(sorted(seen.left_out.items())),
        "details": {reason: dict(sorted(found.items())) for reason, found in seen.details.items()},
    }


def _source(path: str, reader: str) -> tuple[str, Reader, tuple[str, ...]]:
    listing = list_files(path)
    try:
        name = reader or guess_reader(listing, open_file)
        found = choose(READERS, name, "--reader")()
        return name, found, found.units(listing)
    except EvidenceError as error:
        raise PlanError(f"{path}: {error}") from error


def _reasons(seen: Seen) -> list[tuple[str, ...]]:
    ordered = sorted(seen.left_out.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(reason, f"{number:,}", _details(seen, reason)) for reason, number in ordered]


def _details(seen: Seen, reason: str) -> str:
    found = sorted(seen.details.get(reason, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{detail} {number:,}" for detail, number in found[:_MOST]]
    rest = sum(number for _, number in found[_MOST:])
    return ", ".join([*shown, *([f"others {rest:,}"] if rest else [])])
