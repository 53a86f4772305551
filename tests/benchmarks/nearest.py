"""How many of the nearest names are found, how fast, and how that grows with the names.

The names are those of `made_names`: real ones to 48,347, beyond them recombined from their words.
They are asked in the order of their texts, so that neighbours find the same lists in the cache.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import (
    MEGABYTE,
    Figure,
    Run,
    Workshop,
    process_figures,
    ratio,
)
from tests.benchmarks.reading import open_data
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SMALL, LARGE = 100_000, 1_000_000
SIZE = 10
SAMPLE = 1_000  # names of LARGE for which the exact answer is computed
STRETCH, SHARE = 512, 50  # of LARGE every so manieth stretch of so many names is asked
HOUR = 3_600.0
REACHES = ("GROWING", "CONSTANT")
RECALL, SCORES = 0.95, {"GROWING": 0.995, "CONSTANT": 0.99}
EXPONENTS = {"GROWING": 1.4, "CONSTANT": 1.1}
CLOSE = 1e-4  # the peer's floats are single


def figures(workshop: Workshop) -> list[Figure]:
    """Recall, score ratio and CPU at both sizes, and the exponent from one to the other."""
    meta = open_data("openmeta")
    if meta is None:
        return []
    paths = workshop.prepare("nearest:prepare", meta / "META", workshop.folder)
    lists = dict(zip((SMALL, LARGE), paths, strict=True))
    runs = workshop.measure({**_searches(workshop, lists), **_products(workshop, lists)})
    found = process_figures(f"sparse_dot_topn, exact, {SMALL:,} names", runs[f"exact {SMALL}"])
    for reach in REACHES:
        for size in lists:
            found += _of_one(workshop, reach, size, runs[f"{reach} {size}"])
        found += _growth(reach, runs)
    return found


def _searches(workshop: Workshop, lists: Mapping[int, str]) -> dict[str, list[str]]:
    return {
        f"{reach} {size}": workshop.ours(
            "nearest:search_all", path, reach, _found(workshop, reach, size)
        )
        for reach in REACHES
        for size, path in lists.items()
    }


def _products(workshop: Workshop, lists: Mapping[int, str]) -> dict[str, list[str]]:
    """The exact answers: of the smaller list all, of the larger one a sample."""
    job = "peers_nearest:sparse_dot_topn_nearest"
    return {
        f"exact {size}": workshop.peer(job, lists[size], _exact(workshop, size), SIZE + 1, every)
        for size, every in ((SMALL, 1), (LARGE, LARGE // SAMPLE))
    }


def _of_one(workshop: Workshop, reach: str, size: int, run: Run) -> list[Figure]:
    what = f"{reach.lower()} reach, {size:,} names"
    answer = workshop.prepare(
        "nearest:compare", _found(workshop, reach, size), _exact(workshop, size), size
    )
    lost = 1 - (SCORES[reach] if size == SMALL else SCORES["CONSTANT"])
    missed = 1 - RECALL if reach == "GROWING" else None
    return [
        Figure(f"{what}: CPU", _whole(run, size), "s", HOUR if size == LARGE else None),
        Figure(f"{what}: of that the index", run.seconds["index"], "s"),
        Figure(f"{what}: peak memory", run.peak / MEGABYTE, "MB"),
        Figure(f"{what}: share of the ten nearest missed", 1 - answer["recall"], "share", missed),
        Figure(f"{what}: share of cosines lost", 1 - answer["scores"], "share", lost),
    ]


def _growth(reach: str, runs: Mapping[str, Run]) -> list[Figure]:
    small, large = (_whole(runs[f"{reach} {size}"], size) for size in (SMALL, LARGE))
    grown = math.log(large / small) / math.log(LARGE / SMALL)
    exact = runs[f"exact {SMALL}"].seconds["search"]
    part = 0.2 if reach == "GROWING" else None
    name = f"{reach.lower()} reach"
    return [
        Figure(f"{name}: exponent of CPU", grown, "power", EXPONENTS[reach]),
        ratio(f"{name}, {SMALL:,} names: CPU to sparse_dot_topn's", small, exact, part),
    ]


def prepare(meta: str, folder: str) -> list[str]:
    """Write both lists of names, sorted, one a line."""
    from tests.benchmarks.names import made_names

    names = made_names(Path(meta), LARGE)
    paths = [Path(folder) / f"names-{size}.txt" for size in (SMALL, LARGE)]
    for path, size in zip(paths, (SMALL, LARGE), strict=True):
        path.write_text("".join(f"{name}\n" for name in sorted(names[:size])), "utf-8")
    return [str(path) for path in paths]


def search_all(names_path: str, reach: str, found_path: str) -> int:
    """Index the names and search for each; of many names, for those of some stretches.

    The answers to the names that the peer is asked for are written, too.
    """
    import numpy as np

    from umls_tools.confusion.keys import hashed
    from umls_tools.confusion.nearest import names as settings
    from umls_tools.confusion.nearest.building import index_names
    from umls_tools.confusion.nearest.search import Search

    names = Path(names_path).read_text("utf-8").splitlines()
    with timed("index"):
        order = np.fromiter(map(hashed, names), np.uint64, len(names))
        search = Search(index_names(names, order, getattr(settings, reach)))
    step = STRETCH * (SHARE if len(names) == LARGE else 1)
    with timed("search"):
        for first in range(0, len(names), step):
            for _ in search.nearest(names[first : first + STRETCH], SIZE + 1):
                pass
    asked = names[:: len(names) // SAMPLE]
    answers = list(search.nearest(asked, SIZE + 1))
    places, cosines = np.full((len(asked), SIZE + 1), -1), np.zeros((len(asked), SIZE + 1))
    for row, near in enumerate(answers):
        places[row, : len(near.places)] = near.places
        cosines[row, : len(near.places)] = near.cosines
    np.savez(found_path, places=places, cosines=cosines)
    return len(names)


def compare(found_path: str, exact_path: str, size: str) -> dict[str, float]:
    """Recall and score ratio of the answers for the sample, each name itself left out.

    A name that is as near as the last of the exact ones is right, whichever of the equals it is.
    """
    import numpy as np

    found, exact = np.load(found_path), np.load(exact_path)
    step = int(size) // SAMPLE
    own = np.arange(SAMPLE) * step
    rows = slice(None) if len(exact["places"]) == SAMPLE else slice(None, None, step)
    ours = _without(found["places"], found["cosines"], own)
    theirs = _without(exact["places"][rows], exact["cosines"][rows], own)
    there = theirs > 0
    least = np.where(there, theirs, 1).min(axis=1) - CLOSE
    right = np.minimum(((ours >= least[:, None]) & (ours > 0)).sum(axis=1), there.sum(axis=1))
    return {
        "recall": float(right.sum() / there.sum()),
        "scores": float(ours.sum() / theirs.sum()),
    }


def _without(
    places: "npt.NDArray[np.int64]",
    cosines: "npt.NDArray[np.float64]",
    own: "npt.NDArray[np.int64]",
) -> "npt.NDArray[np.float64]":
    """Cosines of the nearest ones but the name itself, the greatest first."""
    import numpy as np

    others = np.where((places == own[:, None]) | (places < 0), 0.0, cosines)
    return -np.sort(-others, axis=1)[:, :SIZE]


def _whole(run: Run, size: int) -> float:
    """CPU of all names, in seconds: of the larger list only a share is asked."""
    return run.seconds["index"] + run.seconds["search"] * (SHARE if size == LARGE else 1)


def _found(workshop: Workshop, reach: str, size: int) -> Path:
    return workshop.folder / f"found-{reach}-{size}.npz"


def _exact(workshop: Workshop, size: int) -> Path:
    return workshop.folder / f"exact-{size}.npz"
