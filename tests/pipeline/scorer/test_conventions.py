"""Other tools' figures: FACTS' one example with its five answers, and the tools themselves."""

import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scorer.aggregate import average, subset_means
from pipeline.scorer.codes import encode_strings
from pipeline.scorer.conventions import convention
from pipeline.scorer.errors import RequestError
from pipeline.scorer.metrics import parse_measure
from pipeline.scorer.ranked import lay_over
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import Judgements
from pipeline.scorer.score import score

QRELS = {
    "q1": {"dA": 3, "dB": 1, "dC": 0},
    "q2": {"dA": 1},
    "q3": {"dA": 0},
    "q4": {"dZ": 2},
}
RUN = {
    "q1": {"dA": 0.5, "dB": 0.5, "dC": 0.5, "dD": 0.5},
    "q2": {"dB": 3.0, "dA": 2.0},
    "q3": {"dA": 1.0},
}
MEASURES = ("ndcg@10", "mrr@10", "map@10", "recall@10")
ANSWERS = {
    "trec_eval": (0.2811, 0.2083, 0.2292, 0.5),
    "mteb": (0.3748, 0.2778, 0.3056, 0.6667),
    "beir": (0.3748, 0.3750, 0.3056, 0.6667),
    "ir_measures": (0.2811, 0.3750, 0.2292, 0.5),
    "ranx": (0.4077, 0.3750, 0.3750, 0.5),
}
Answers = dict[str, dict[str, float]]


def means(
    folder: Path, small: ModuleType, qrels: dict, run: Answers, measures: tuple[str, ...], tool: str
) -> dict[str, float]:
    release = small.write_manifest(folder / "release")
    small.write_subset(release, "qa-en", qrels)
    lines = [
        f"{query} Q0 {one} 0 {value!r} x\n"
        for query, found in run.items()
        for one, value in found.items()
    ]
    path = folder / "qa-en.trec"
    path.write_text("".join(lines))
    (part,) = score(release, [path], measures=measures, compat=tool).runs[0].subsets
    return dict(subset_means(part))


@pytest.mark.parametrize("tool", ANSWERS)
def test_every_cell_of_the_table(tmp_path: Path, small: ModuleType, tool: str) -> None:
    found = means(tmp_path, small, QRELS, RUN, MEASURES, tool)
    assert tuple(round(found[measure], 4) for measure in MEASURES) == ANSWERS[tool]


def test_the_signature_names_the_tool(tmp_path: Path, small: ModuleType) -> None:
    release = small.write_manifest(tmp_path / "release")
    small.write_subset(release, "qa-en", QRELS)
    run = tmp_path / "qa-en.trec"
    run.write_text("q1 Q0 dA 1 1 x\n")
    signature = score(release, [run], compat="mteb").signature
    assert signature.endswith("compat:mteb")
    with pytest.raises(RequestError, match="did you mean 'mteb'"):
        score(release, [run], compat="mtebb")


ids = st.sampled_from([f"d{place}" for place in range(12)])
graded = st.dictionaries(ids, st.integers(0, 3), min_size=1, max_size=6)
# Multiples of an eighth: the same in 32 bits, and often tied.
answers = st.dictionaries(ids, st.integers(-40, 40).map(lambda n: n / 8), min_size=1, max_size=12)
queries = st.sampled_from([f"q{place}" for place in range(4)])


def in_memory(qrels: dict, run: Answers, measure: str, tool: str) -> float:
    """What a measure comes to, without files."""
    judged = [(query, one, grade) for query, of in qrels.items() for one, grade in of.items()]
    found = [(query, one, value) for query, of in run.items() for one, value in of.items()]
    judgements = Judgements(*columns(judged), np.zeros(len(qrels), bool))
    way = convention(tool, measure)
    ranked = lay_over(Ranking("memory", *columns(found)), judgements, 5, way)
    values = parse_measure(measure).values(ranked)
    answered = np.array([query in run for query in judgements.queries])
    return average(values if way.counts_missing else np.where(answered, values, np.nan))


def columns(rows: list[tuple[str, str, float]]) -> tuple:
    queries, query_codes = encode_strings([query for query, _, _ in rows])
    documents, document_codes = encode_strings([one for _, one, _ in rows])
    values = np.array([value for _, _, value in rows], np.float64)
    return queries, documents, query_codes, document_codes, values


THEIRS = {
    "ndcg@5": "ndcg_cut_5",
    "map@5": "map_cut_5",
    "recall@5": "recall_5",
    "precision@5": "P_5",
    "success@5": "success_5",
}
NAMED = {"ndcg@5": "nDCG@5", "mrr@5": "RR@5", "map@5": "AP@5", "judged@5": "Judged@5"}


@settings(max_examples=1000, deadline=None)
@given(
    qrels=st.dictionaries(queries, graded, min_size=1),
    run=st.dictionaries(queries, answers, min_size=1),
)
def test_pytrec_eval_and_ir_measures_agree_on_random_runs(qrels: dict, run: Answers) -> None:
    import ir_measures
    import pytrec_eval

    shared = [query for query in run if query in qrels]
    if not shared:
        return
    evaluated = pytrec_eval.RelevanceEvaluator(qrels, set(THEIRS.values())).evaluate(run)
    for measure, name in THEIRS.items():
        values = [evaluated[query][name] for query in shared]
        ours = in_memory(qrels, run, measure, "mteb")
        assert ours == pytest.approx(sum(values) / len(values), abs=1e-9), measure
    parsed = {measure: ir_measures.parse_measure(name) for measure, name in NAMED.items()}
    told = ir_measures.calc_aggregate(list(parsed.values()), qrels, run)
    for measure, name in parsed.items():
        ours = in_memory(qrels, run, measure, "ir_measures")
        assert ours == pytest.approx(told[name], abs=1e-9), measure


@given(
    qrels=st.dictionaries(queries, graded, min_size=1),
    run=st.dictionaries(queries, answers, min_size=1),
    tool=st.sampled_from(sorted(ANSWERS)),
)
def test_few_and_many_judged_are_found_alike(qrels: dict, run: Answers, tool: str) -> None:
    """Where a query has many, they are looked up instead of compared."""
    measures = ("ndcg@5", "map@5", "judged@5", "accuracy@1")
    compared = [in_memory(qrels, run, measure, tool) for measure in measures]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.scorer.ranked._FEW", 0)
        assert [in_memory(qrels, run, measure, tool) for measure in measures] == compared


@given(run=st.dictionaries(queries, answers, min_size=1), seed=st.integers(0, 9))
def test_runs_in_order_and_out_of_order_are_ranked_alike(run: Answers, seed: int) -> None:
    """A run that stands in its order already is not sorted again."""
    rows = [(query, one, value) for query, of in run.items() for one, value in of.items()]
    ordered = sorted(rows, key=lambda row: row[1], reverse=True)
    ordered.sort(key=lambda row: (row[0], -row[2]))
    mixed = list(rows)
    random.Random(seed).shuffle(mixed)
    qrels = {query: {"d1": 1, "d2": 2} for query in run}
    judged = [(query, one, grade) for query, of in qrels.items() for one, grade in of.items()]
    judgements = Judgements(*columns(judged), np.zeros(len(qrels), bool))
    first, second = (
        lay_over(Ranking("memory", *columns(given)), judgements, 5) for given in (ordered, mixed)
    )
    for name in ("gains", "judged", "tied", "first_relevant", "retrieved"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
