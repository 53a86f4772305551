"""Whether every subset that a release must have is there whole, or told to be absent."""

from collections.abc import Iterator
from pathlib import Path

from splits.audit.manifest import MANIFEST, REMEDY, Manifest

TIERS = ("easy", "medium", "hard")
TASKS = {"qa": ("",), "concepts": TIERS, "evidence": ("",)}  # with the tiers of each


def subset_faults(root: Path, manifest: Manifest) -> Iterator[str]:
    """Subsets that are missing, half there, unknown, or both there and told to be absent."""
    absent = manifest.mapping("absent")
    expected = dict(_expected(manifest.languages))
    for name, (task, place) in expected.items():
        kinds = ("queries", "qrels", *(("top_ranked",) if task == "concepts" else ()))
        held = [kind for kind in kinds if _holds(root / "data" / task / kind / place)]
        if held and name in absent:
            there = f"data/{task}/{held[0]}/{place}"
            yield f"{MANIFEST}: {name} is told to be absent, but {there} is there; {REMEDY}"
        elif not held and name not in absent:
            yield f"{name}: not there, and {MANIFEST} does not list it as absent; {REMEDY}"
        for kind in sorted(set(kinds) - set(held)) if held else ():
            yield f"data/{task}/{kind}/{place}: missing, while the subset {name} is there; {REMEDY}"
    for name in sorted(absent.keys() - expected.keys()) if manifest.languages else ():
        yield f"{MANIFEST}: absent names {name!r}, which is no subset of its languages"
    for task in TASKS:
        if not _holds(root / "data" / task / "corpus"):
            yield f"data/{task}/corpus: missing; {REMEDY}"
    yield from _strangers(root, {place for _, place in expected.values()})


def _expected(languages: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Name of each subset, with its task and its place below a kind of table."""
    for task, tiers in TASKS.items():
        for tier in tiers:
            for language in languages:
                parts = [part for part in (tier, language) if part]
                yield "-".join((task, *parts)), (task, "/".join(parts))


def _holds(folder: Path) -> bool:
    return any(folder.glob("*.parquet"))


def _strangers(root: Path, places: set[str]) -> Iterator[str]:
    """Folders of tables that are of none of the manifest's subsets."""
    for task in TASKS:
        for kind in ("queries", "qrels", "top_ranked"):
            base = root / "data" / task / kind
            found = {path.parent.relative_to(base).as_posix() for path in base.rglob("*.parquet")}
            for place in sorted(found - places) if places else ():
                yield f"data/{task}/{kind}/{place}: none of the subsets of {MANIFEST}; {REMEDY}"
