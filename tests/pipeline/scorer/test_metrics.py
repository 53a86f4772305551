"""Values against those of trec_eval; `golden/` holds what pytrec_eval-terrier 0.5 gave."""

import csv
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scorer.errors import RequestError
from pipeline.scorer.metrics import METRICS, parse_measure
from pipeline.scorer.ranked import Ranked
from pipeline.scorer.score import SubsetScores, score

GOLDEN = Path(__file__).with_name("golden")
ANSWERS_TO_FOUR_QUERIES = """\
q1 Q0 dA 1 0.5 x
q1 Q0 dB 2 0.5 x
q1 Q0 dC 3 0.5 x
q1 Q0 dD 4 0.5 x
q2 Q0 dB 1 3 x
q2 Q0 dA 2 2 x
q3 Q0 dA 1 1 x
"""
FOUR_QUERIES = {
    "q1": {"dA": 3, "dB": 1, "dC": 0},
    "q2": {"dA": 1},
    "q3": {"dA": 0},
    "q4": {"dZ": 2},
}


def scored(release: Path, run: Path, *measures: str) -> SubsetScores:
    (only,) = score(release, [run], measures=measures).runs[0].subsets
    return only


def test_the_example_that_tools_disagree_on_gets_trec_evals_column(
    tmp_path: Path, small: ModuleType
) -> None:
    release = small.write_manifest(tmp_path / "release")
    small.write_subset(release, "qa-en", FOUR_QUERIES)
    run = tmp_path / "qa-en.trec"
    run.write_text(ANSWERS_TO_FOUR_QUERIES)
    part = scored(release, run, "ndcg@10", "mrr@10", "map@10", "recall@10")
    means = {name: round(float(values.mean()), 4) for name, values in part.values.items()}
    assert means == {"ndcg@10": 0.2811, "mrr@10": 0.2083, "map@10": 0.2292, "recall@10": 0.5}
    assert part.missing == ("q4",)
    assert part.without_relevant == ("q3",)


def test_every_query_has_the_values_of_trec_eval(tmp_path: Path, small: ModuleType) -> None:
    release = small.write_manifest(tmp_path / "release")
    grades: dict[str, dict[str, int]] = {}
    for line in (GOLDEN / "qrels.txt").read_text().splitlines():
        query, _, document, grade = line.split()
        grades.setdefault(query, {})[document] = int(grade)
    small.write_subset(release, "qa-en", grades)
    run = tmp_path / "qa-en.trec"
    run.write_bytes((GOLDEN / "run.trec").read_bytes())
    with (GOLDEN / "values.tsv").open() as file:
        expected = {row.pop("query-id"): row for row in csv.DictReader(file, delimiter="\t")}
    measures = list(next(iter(expected.values())))
    part = scored(release, run, *measures, "mrr@10")
    for place, query in enumerate(part.judgements.queries):
        for measure in measures:
            wanted = float(expected[query][measure]) if query in expected else 0.0
            assert part.values[measure][place] == pytest.approx(wanted, abs=1e-12), (query, measure)
    assert part.values["mrr@10"].mean() == pytest.approx(0.3368055555555555, abs=1e-12)
    assert part.missing == ("q03", "q09")
    assert part.without_relevant == ("q07",)
    assert part.ignored == 1


@pytest.mark.parametrize(
    ("scores", "chance"),
    [
        ({"gold": 2.0, "b": 1.0, "c": 1.0}, 1.0),
        ({"gold": 1.0, "b": 1.0, "c": 1.0}, 1 / 3),
        ({"gold": 1.0, "b": 1.0, "c": 0.5}, 1 / 2),
        ({"gold": 1.0, "b": 2.0, "c": 0.5}, 0.0),
        ({"b": 2.0}, 0.0),
        ({"gold": -5.0}, 1.0),
    ],
)
def test_accuracy_is_the_chance_under_random_ties(
    tmp_path: Path, small: ModuleType, scores: dict[str, float], chance: float
) -> None:
    release = small.write_manifest(tmp_path / "release")
    shown = {"q": ["b", "c", "gold"]}
    small.write_subset(release, "concepts-hard-en", {"q": {"gold": 1}}, shown=shown)
    run = tmp_path / "concepts-hard-en.trec"
    run.write_text("".join(f"q Q0 {one} 1 {value} x\n" for one, value in scores.items()))
    assert scored(release, run).values["accuracy@1"] == pytest.approx([chance])


def one_query(gains: list[float], relevant: int) -> Ranked:
    found = np.array([gains])
    return Ranked(
        gains=found,
        ideal=np.array([sorted(gains, reverse=True)]),
        relevant=np.array([float(relevant)]),
        first_relevant=np.array([0.0]),
        judged=(found > 0).astype(float),
        tied=found,
        retrieved=np.array([float(len(gains))]),
    )


@pytest.mark.parametrize(
    ("measure", "gains", "relevant", "value"),
    [
        ("ndcg@1", [0, 1], 1, 0.0),
        ("ndcg@2", [0, 1], 1, 1 / math.log2(3)),
        ("ndcg@2", [1, 3], 2, (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        ("mrr@1", [0, 1], 1, 0.0),
        ("mrr@2", [0, 1], 1, 0.5),
        ("map@2", [1, 1], 4, 0.5),
        ("map@3", [0, 2, 1], 2, (1 / 2 + 2 / 3) / 2),
        ("recall@3", [0, 2, 1], 5, 0.4),
        ("recall@2", [0, 0], 0, 0.0),
        ("capped_recall@2", [1, 0], 5, 0.5),
        ("capped_recall@3", [1, 0, 1], 2, 1.0),
        ("precision@4", [1, 0, 2], 5, 0.5),
        ("success@2", [0, 3], 4, 1.0),
        ("success@1", [0, 3], 4, 0.0),
        ("judged@5", [0, 3], 4, 0.5),
        ("ndcg_exp@2", [1, 3], 2, (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))),
    ],
)
def test_measures_by_hand(measure: str, gains: list[float], relevant: int, value: float) -> None:
    assert parse_measure(measure).values(one_query(gains, relevant)) == pytest.approx([value])


@given(
    st.lists(st.integers(0, 3), min_size=10, max_size=10),
    st.sampled_from(sorted(set(METRICS) - {"accuracy"})),
    st.integers(1, 9),
)
def test_a_better_document_moved_up_never_lowers_a_measure(
    gains: list[int], metric: str, place: int
) -> None:
    measure = parse_measure(f"{metric}@10")
    relevant = sum(gain > 0 for gain in gains)
    before = measure.values(one_query([float(gain) for gain in gains], relevant))
    if gains[place] > gains[place - 1]:
        gains[place - 1], gains[place] = gains[place], gains[place - 1]
    after = measure.values(one_query([float(gain) for gain in gains], relevant))
    assert 0 <= before[0] <= after[0] + 1e-12
    assert after[0] <= 1 + 1e-12


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndgc@10", "did you mean 'ndcg'"),
        ("ndcg", "expected a rank after @"),
        ("ndcg@0", "expected a rank after @"),
        ("recall@ten", "expected a rank after @"),
        ("accuracy@5", "first rank"),
    ],
)
def test_unknown_measures_are_named(name: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        parse_measure(name)
