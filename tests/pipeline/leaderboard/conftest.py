"""A small release, and runs that answer it well, badly, and in part."""

from pathlib import Path
from types import ModuleType

import pytest

QUERIES = 12
EVIL = "</script><b>&\u2028 fever"


@pytest.fixture
def release(tmp_path: Path, small: ModuleType) -> Path:
    root: Path = small.write_manifest(tmp_path / "release")
    small.write_corpus(root, "qa", {f"d{place}": f"text {place}" for place in range(QUERIES)})
    small.write_corpus(root, "concepts", {f"c{place}": f"name {place}" for place in range(QUERIES)})
    for language in ("en", "de"):
        grades = {f"qa-{place}": {f"d{place}": 1} for place in range(QUERIES)}
        texts = {query: f"{EVIL} {language} {query}" for query in grades}
        core = frozenset(grades)
        small.write_subset(root, f"qa-{language}", grades, texts=texts, core=core)
        for at, tier in enumerate(("easy", "hard")):
            own = {f"concepts-{tier}-{one}": {f"c{one}": 1} for one in range(4 * at, 4 * at + 4)}
            shown = {query: [f"c{4 * at + one}" for one in range(4)] for query in own}
            small.write_subset(root, f"concepts-{tier}-{language}", own, shown=shown, core=core)
    return root


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """`good` is right in English and mostly in German, `poor` seldom, `part` answers qa-en."""
    found = []
    for name, right in (("good", 11), ("poor", 2), ("part", 6)):
        folder = tmp_path / name
        folder.mkdir()
        for subset in _subsets() if name != "part" else ["qa-en"]:
            lines = [line for place in range(QUERIES) for line in _lines(subset, place, right)]
            (folder / f"{subset}.trec").write_text("".join(lines), "utf-8")
        found.append(folder)
    return found


def _subsets() -> list[str]:
    names = ("qa", "concepts-easy", "concepts-hard")
    return [f"{name}-{language}" for name in names for language in ("en", "de")]


def _lines(subset: str, place: int, right: int) -> list[str]:
    if subset.startswith("qa"):
        best = place if place < right - 2 * subset.endswith("de") else (place + 1) % QUERIES
        return [f"qa-{place} Q0 d{best} 1 2.0 x\n", f"qa-{place} Q0 d{(best + 5) % 12} 2 1.0 x\n"]
    start = 4 * subset.startswith("concepts-hard")
    if not start <= place < start + 4:
        return []
    best = place if place % 4 < right / 3 else start + (place + 1) % 4
    query = f"{subset.rpartition('-')[0]}-{place}"
    return [f"{query} Q0 c{one} 1 {float(one == best)} x\n" for one in range(start, start + 4)]
