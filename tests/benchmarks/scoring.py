"""How fast a run is scored, and how soon the scorer is there."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio, require_equal
from tests.benchmarks.meta import Dice
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    import pyarrow as pa

QUERIES, DEPTH = 10_000, 100
DOCUMENTS = 49_999  # a prime, so that steps of any length come round to each
RELEVANT = 3
SEED = 20260624
SUBSET = "qa-en"
GOAL_IMPORT = 0.25  # seconds until the scorer is there, with numpy and Arrow
GOAL_TO_PYTREC_EVAL, GOAL_TO_IR_MEASURES = 0.6, 1 / 4

Grades = dict[str, dict[str, int]]


def figures(workshop: Workshop) -> list[Figure]:
    """Five measures of one run, whole processes from files to means; peers read TREC files."""
    folder = workshop.folder
    workshop.prepare("scoring:prepare", folder)
    release, qrels, trec = folder / "release", folder / "qrels.txt", folder / f"{SUBSET}.trec"
    runs = workshop.measure(
        {
            "Parquet": workshop.ours("scoring:score_run", release, folder / "run.parquet"),
            "TREC": workshop.ours("scoring:score_run", release, trec),
            "pytrec_eval": workshop.peer("peers:pytrec_eval_score", qrels, trec),
            "ir_measures": workshop.peer("peers:ir_measures_score", qrels, trec),
            "import": workshop.ours("scoring:import_scorer"),
        }
    )
    parquet, from_trec, pytrec_eval, ir_measures, imported = runs.values()
    require_equal("scoring", *(run.answer for run in list(runs.values())[:4]))
    size = f"{QUERIES:,} x {DEPTH}"
    return [
        *process_figures(f"score {size}, Parquet", parquet),
        *process_figures(f"score {size}, TREC", from_trec),
        *process_figures(f"pytrec_eval, {size}", pytrec_eval),
        *process_figures(f"ir_measures, {size}", ir_measures),
        ratio("CPU: Parquet, to pytrec_eval", parquet.cpu, pytrec_eval.cpu, GOAL_TO_PYTREC_EVAL),
        ratio("CPU: Parquet, to ir_measures", parquet.cpu, ir_measures.cpu, GOAL_TO_IR_MEASURES),
        ratio("CPU: TREC, to pytrec_eval", from_trec.cpu, pytrec_eval.cpu),
        ratio("CPU: TREC, to ir_measures", from_trec.cpu, ir_measures.cpu),
        ratio("peak memory: TREC, to pytrec_eval", from_trec.peak, pytrec_eval.peak),
        Figure("import of pipeline.scorer: CPU", imported.seconds["package"], "s"),
        Figure("import of all that scoring needs: CPU", imported.seconds["all"], "s", GOAL_IMPORT),
    ]


def prepare(folder: str) -> None:
    """Write a release's part, its qrels once more as TREC has them, and a run in both formats."""
    root, release = Path(folder), Path(folder) / "release"
    rankings = dict(_rankings())
    grades = {query: _grades(query, ranked) for query, ranked in rankings.items()}
    _write_release(release, grades)
    with (root / "qrels.txt").open("w") as file:
        file.writelines(
            f"{q} 0 {d} {grade}\n" for q, of in grades.items() for d, grade in of.items()
        )
    rows = [
        (query, document, DEPTH - place + 0.25)
        for query, ranked in rankings.items()
        for place, document in enumerate(ranked[:DEPTH])
    ]
    with (root / f"{SUBSET}.trec").open("w") as file:
        file.writelines(f"{query} Q0 {doc} 0 {score} bench\n" for query, doc, score in rows)
    _write_run(root / "run.parquet", rows)


def score_run(release: str, run: str) -> dict[str, float]:
    """Score and take means, as the command does."""
    from pipeline.scorer.report import to_json
    from pipeline.scorer.score import score

    results = score(Path(release), [Path(run)])
    to_json(results)
    values = results.runs[0].subsets[0].values["ndcg@10"]
    return {"ndcg@10": round(float(values.mean()), 6)}


def import_scorer() -> None:
    """Import the package alone, then what the command imports before it reads a file."""
    with timed("package"):
        importlib.import_module("pipeline.scorer")
    with timed("all"):
        for module in ("pipeline.scorer.score", "pipeline.scorer.report", "pyarrow.parquet"):
            importlib.import_module(module)


def _rankings() -> Iterator[tuple[str, list[str]]]:
    """For each query twice as many documents as a run gives, the best first."""
    for number in range(QUERIES):
        dice = Dice(SEED, f"query {number}")
        start, step = dice.below(DOCUMENTS), 1 + dice.below(DOCUMENTS - 1)
        places = ((start + step * place) % DOCUMENTS for place in range(2 * DEPTH))
        yield f"qa-{number:05d}", [f"qa-document-{place:05d}" for place in places]


def _grades(query: str, ranked: list[str]) -> dict[str, int]:
    dice = Dice(SEED, f"grades of {query}")
    return {dice.of(ranked): 1 + dice.below(2) for _ in range(RELEVANT)}


def _write_release(root: Path, grades: Grades) -> None:
    import pyarrow as pa

    from pipeline.schemas import QRELS

    qrels = [
        {"query-id": query, "corpus-id": document, "score": grade}
        for query, of_query in grades.items()
        for document, grade in sorted(of_query.items())
    ]
    queries = pa.table({"_id": list(grades), "parallel_core": [True] * len(grades)})
    task, language = SUBSET.split("-")
    _write(root / "data" / task / "qrels" / language, pa.Table.from_pylist(qrels, QRELS))
    _write(root / "data" / task / "queries" / language, queries)
    (root / "manifest.json").write_text(json.dumps({"build_hash": "0" * 64}), "utf-8")


def _write_run(path: Path, rows: list[tuple[str, str, float]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    queries, documents, scores = (list(column) for column in zip(*rows, strict=True))
    columns = {"query-id": queries, "corpus-id": documents, "score": scores}
    pq.write_table(pa.table({"subset": [SUBSET] * len(rows), **columns}), path)


def _write(folder: Path, table: "pa.Table") -> None:
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / "test-00000-of-00001.parquet")
