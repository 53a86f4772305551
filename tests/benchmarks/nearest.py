"""How many of the nearest names are found, how fast, and how that grows with the names.

The names are those of `made_names`: real ones to 48,347, beyond them recombined from their words.
They are asked in the order of their texts, so that neighbours find the same lists in the cache.
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
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
    small, large = workshop.prepare("nearest:prepare", meta / "META", workshop.folder)
    exact = {size: workshop.folder / f"exact-{size}.npz" for size in (SMALL, LARGE)}
    ours = {
        (reach, size): workshop.ours(
            "nearest:search_all", path, reach, _found(workshop, reach, size)
        )
        for reach in REACHES
        for size, path in ((SMALL, small), (LARGE, large))
    }
    peer = workshop.peer("peers_nearest:sparse_dot_topn_nearest", small, exact[SMALL], SIZE + 1, 1)
    sampled = workshop.peer(
        "peers_nearest:sparse_dot_topn_nearest", large, exact[LARGE], SIZE + 1, LARGE // SAMPLE
    )
    keyed = {f"{reach} {size}": command for (reach, size), command in ours.items()}
    runs = workshop.measure({**keyed, "exact": peer, "sampled": sampled})
    found = process_figures(f"sparse_dot_topn, exact, {SMALL:,} names", runs["exact"])
    for reach in REACHES:
        for size in (SMALL, LARGE):
            run, what = runs[f"{reach} {size}"], f"{reach.lower()} reach, {size:,} names"
            cpu = _whole(run.seconds, size)
            found += [
                Figure(f"{what}: CPU", cpu, "s", HOUR if size == LARGE else None),
                Figure(f"{what}: of that the index", run.seconds["index"], "s"),
                Figure(f"{what}: peak memory", run.peak / 1e6, "MB"),
                *_quality(workshop, what, reach, size, exact[size]),
            ]
        cpus = [_whole(runs[f"{reach} {size}"].seconds, size) for size in (SMALL, LARGE)]
        grown = math.log(cpus[1] / cpus[0]) / math.log(LARGE / SMALL)
        found.append(Figure(f"{reach.lower()} reach: exponent", grown, "power", EXPONENTS[reach]))
        found.append(
            ratio(
                f"{reach.lower()} reach, {SMALL:,} names: CPU to sparse_dot_topn's",
                cpus[0],
                runs["exact"].seconds["search"],
                0.2 if reach == "GROWING" else None,
            )
        )
    return found


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


def _quality(workshop: Workshop, what: str, reach: str, size: int, exact: Path) -> list[Figure]:
    answer = workshop.prepare("nearest:compare", _found(workshop, reach, size), exact, size)
    wanted = RECALL if reach == "GROWING" else 0.0
    return [
        Figure(
            f"{what}: share of the ten nearest missed", 1 - answer["recall"], "share", 1 - wanted
        ),
        Figure(f"{what}: cosines lost", 1 - answer["scores"], "share", 1 - _least(reach, size)),
    ]


def _least(reach: str, size: int) -> float:
    """The least score ratio wanted; the growing reach is held to it where the peer is compared."""
    return SCORES[reach] if size == SMALL or reach == "CONSTANT" else SCORES["CONSTANT"]


def _whole(seconds: "dict[str, float] | object", size: int) -> float:
    """CPU of all names: what was asked of the larger list is a share of it."""
    times: dict[str, float] = dict(seconds)  # type: ignore[call-overload]
    return times["index"] + times["search"] * (SHARE if size == LARGE else 1)


def _found(workshop: Workshop, reach: str, size: int) -> Path:
    return workshop.folder / f"found-{reach}-{size}.npz"
