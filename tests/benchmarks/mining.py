"""How fast confusion sets are mined, how large the index is, and what bounds the work."""

from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import hot_keys, nearest
from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
from tests.benchmarks.reading import SAMPLE, concepts_of, open_data
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from umls_tools.confusion.index import ConceptIndex

GOLDS = 300
SIZE, SEED = 9, 20260624
GROUPS = ("DISO", "CHEM", "PROC")


def figures(workshop: Workshop) -> list[Figure]:
    """All tiers of some golds, against a search for look-alikes among all names by rapidfuzz."""
    meta = _meta()
    names, golds = workshop.prepare("mining:prepare", meta, workshop.folder)
    runs = workshop.measure(
        {
            "mine": workshop.ours("mining:mine_all", meta, workshop.folder),
            "rapidfuzz": workshop.peer("peers:rapidfuzz_nearest", names, golds, SIZE),
        }
    )
    ours, peer = runs.values()
    found, seconds = ours.answer, ours.seconds
    return [
        *process_figures(f"index {found['concepts']:,} concepts, mine {GOLDS} golds", ours),
        Figure("index: CPU", seconds["index"], "s"),
        Figure("index: file", found["bytes"] / 1e6, "MB"),
        Figure("choose golds: CPU", seconds["golds"], "s"),
        Figure("sets of three tiers in 1 s of CPU", found["sets"] / seconds["mine"], "sets/s"),
        *process_figures(f"rapidfuzz, {GOLDS} golds among {peer.answer['names']:,} names", peer),
        ratio(
            "CPU of mining three tiers, to rapidfuzz's nearest names",
            seconds["mine"],
            peer.seconds["search"],
        ),
        *hot_keys.figures(workshop),
        *nearest.figures(workshop),
    ]


def prepare(meta: str, folder: str) -> tuple[str, str]:
    """Write the names shown of all concepts, and those of the golds, one a line."""
    from umls_tools.confusion.index import ConceptIndex

    index = ConceptIndex.build(concepts_of(meta))
    names = (index.name(node) for node in range(len(index)) if not index.bar(node))
    chosen = (index.name(index.node(gold)) for gold in _golds(index))
    paths = Path(folder) / "names.txt", Path(folder) / "golds.txt"
    for path, lines in zip(paths, (names, chosen), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines if line), "utf-8")
    return str(paths[0]), str(paths[1])


def mine_all(meta: str, folder: str) -> dict[str, int]:
    """Index, save, load and mine, as the graph does."""
    from umls_tools.confusion.index import ConceptIndex
    from umls_tools.confusion.mine import mine
    from umls_tools.confusion.tiers import TIERS

    concepts = concepts_of(meta)
    path = Path(folder) / "concepts.arrow"
    with timed("index"):
        ConceptIndex.build(concepts).save(str(path))
    index = ConceptIndex.load(str(path))
    with timed("golds"):
        chosen = _golds(index)
    tiers = {name: tier() for name, tier in TIERS.items()}
    with timed("mine"):
        sets = sum(len(mine(index, gold, tiers, SIZE, SEED).sets) for gold in chosen)
    return {"concepts": len(concepts), "sets": sets, "bytes": path.stat().st_size}


def _meta() -> Path:
    found = open_data("openmeta")
    return SAMPLE / "META" if found is None else found / "META"


def _golds(index: "ConceptIndex") -> list[str]:
    from umls_tools.confusion.mine import golds

    return golds(index, GOLDS, SEED, GROUPS)
