"""What one parent of very many children, and one word in very many names, cost in mining."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from pipeline.records import Concept

NAMES, CHILDREN = 200_000, 50_000
PART = 10_000  # concepts of a part of the index
GOLDS, SIZE, SEED = 200, 9, 1
SYLLABLES = ("bal", "dor", "fen", "gil", "hum", "kor", "lim", "nar")


def figures(workshop: Workshop) -> list[Figure]:
    """The parts of the index, the index, and golds that have both the parent and the word."""
    run = workshop.measure({"hot keys": workshop.ours("hot_keys:mine_hot", workshop.folder)})[
        "hot keys"
    ]
    what = f"{NAMES:,} names with one word, {CHILDREN:,} children of one parent"
    found = run.answer
    return [
        *process_figures(what, run),
        Figure(f"{what}: parts, CPU", run.seconds["parts"], "s"),
        Figure(f"{what}: index, CPU", run.seconds["index"], "s"),
        Figure(f"{what}: CPU for a gold", run.seconds["mine"] / GOLDS * 1e3, "ms"),
        Figure(f"{what}: hard circles of {GOLDS} founders", found["hard"], "circles"),
        Figure(f"{what}: candidates beyond a cap, a gold", found["cut"] / GOLDS, "concepts"),
        Figure(f"{what}: keys of which a sample is kept", found["sampled"], "keys"),
    ]


def mine_hot(folder: str) -> dict[str, int]:
    """Write parts, put them together, and mine children of the one parent."""
    from umls_tools.confusion.index import ConceptIndex
    from umls_tools.confusion.mine import Rules, mine
    from umls_tools.confusion.parts import part_of, read_part, write_part
    from umls_tools.confusion.tiers import TIERS

    paths = []
    concepts = _concepts()
    for _ in range(0, NAMES, PART):
        batch = list(islice(concepts, PART))
        with timed("parts"):
            paths.append(str(Path(folder, f"part-{len(paths)}.arrow")))
            write_part(paths[-1], part_of(batch))
    with timed("index"):
        index = ConceptIndex.from_parts([read_part(path) for path in paths])
    tiers = {name: tier() for name, tier in TIERS.items()}
    with timed("mine"):
        golds = (f"C{number:07d}" for number in range(0, CHILDREN, CHILDREN // GOLDS))
        mined = [mine(index, gold, tiers, Rules(SIZE, SEED)) for gold in golds]
    return {
        "hard": sum(one.tier == "hard" for found in mined for one in found.circles),
        "cut": sum(dict(found.excluded)["beyond_cap"] for found in mined),
        "sampled": index.names.sampled,
    }


def _concepts() -> "Iterator[Concept]":
    from pipeline.records import Concept, Name, Relation

    edge = (Relation("parent", f"C{NAMES:07d}", "ONE"),)
    for number in range(NAMES):
        texts = f"tablet {_spell(number)}", f"{_spell(number + 7 * NAMES)} pill"
        names = (Name(text, "en", "ONE", "PT", f"A{text}", 0, preferred=False) for text in texts)
        edges = edge if number < CHILDREN else ()
        yield Concept(f"C{number:07d}", tuple(names), ("T121",), (), edges)


def _spell(number: int) -> str:
    return "".join(SYLLABLES[int(digit)] for digit in f"{number + 8**5:o}")
