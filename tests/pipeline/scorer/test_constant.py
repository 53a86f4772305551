"""Who cannot tell documents apart gets what a blind guess gets, in whatever order all stands."""

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pipeline.scorer.score import SubsetScores, score

DOCUMENTS, QUERIES, DEPTH = 100, 400, 10
CHANCE_OF_NDCG = sum(1 / math.log2(rank + 1) for rank in range(1, DEPTH + 1)) / DOCUMENTS
Naming = Callable[[int], str]

NAMINGS: dict[str, Naming] = {
    "by place": lambda place: f"d{place:03d}",
    "backwards": lambda place: f"d{999 - place}",
    "by hash": lambda place: blake2b(str(place).encode(), digest_size=6).hexdigest(),
    "by another hash": lambda place: blake2b(f"x{place}".encode(), digest_size=6).hexdigest(),
}
ORDERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "as they are": list,
    "turned round": lambda rows: list(rows)[::-1],
    "shuffled": lambda rows: [rows[at] for at in np.random.default_rng(5).permutation(len(rows))],
}


def constant(folder: Path, release: Path, subset: str, rows: list[str]) -> SubsetScores:
    run = folder / f"{subset}.trec"
    run.write_text("".join(rows), "utf-8")
    (only,) = score(release, [run]).runs[0].subsets
    return only


def gold_of(query: int) -> int:
    """The document that answers a query, as good as drawn."""
    return int.from_bytes(blake2b(f"q{query}".encode(), digest_size=4).digest()) % DOCUMENTS


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("size", [2, 7, 10])
def test_one_over_the_candidates_in_confusion_sets(
    tmp_path: Path, small: ModuleType, size: int, naming: str, order: str
) -> None:
    release = small.write_manifest(tmp_path / "release")
    name, sets = NAMINGS[naming], [f"q{place}" for place in range(20)]
    shown = {one: [name(place * size + at) for at in range(size)] for place, one in enumerate(sets)}
    grades = {one: {shown[one][gold_of(at) % size]: 1} for at, one in enumerate(sets)}
    small.write_subset(release, "concepts-hard-en", grades, shown=shown)
    rows = [f"{one} Q0 {document} 1 0.25 x\n" for one in sets for document in shown[one]]
    part = constant(tmp_path, release, "concepts-hard-en", ORDERS[order](rows))
    assert part.values["accuracy@1"] == pytest.approx([1 / size] * len(sets))


@pytest.mark.parametrize("naming", NAMINGS)
def test_near_chance_in_a_corpus(tmp_path: Path, small: ModuleType, naming: str) -> None:
    """Ties are broken by id there, so a query's value is a draw; over their orders it is chance."""
    release = small.write_manifest(tmp_path / "release")
    names = [NAMINGS[naming](place) for place in range(DOCUMENTS)]
    queries = [f"q{place}" for place in range(QUERIES)]
    grades = {query: {names[gold_of(place)]: 1} for place, query in enumerate(queries)}
    small.write_subset(release, "qa-en", grades)
    rows = [f"{query} Q0 {document} 1 0.25 x\n" for query in queries for document in names]
    found = [constant(tmp_path, release, "qa-en", change(rows)) for change in ORDERS.values()]
    values = found[0].values["ndcg@10"]
    assert all((one.values["ndcg@10"] == values).all() for one in found)
    error = float(values.std(ddof=1)) / math.sqrt(QUERIES)
    assert float(values.mean()) == pytest.approx(CHANCE_OF_NDCG, abs=4 * error)
    assert found[0].tied["ndcg@10"].mean == pytest.approx(CHANCE_OF_NDCG, abs=1e-9)
    assert error < CHANCE_OF_NDCG / 4  # enough queries for "near" to mean something
