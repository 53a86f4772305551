"""trec_eval's own reader takes the qrels, and finds the values that our scorer finds."""

from pathlib import Path

import pytest

from pipeline.scorer.score import score

RUN = """\
qa-1 Q0 p12 1 3.0 x
qa-1 Q0 p1 2 2.0 x
qa-2 Q0 p11 1 9.5 x
qa-2 Q0 p13 2 8.0 x
qa-2 Q0 p10 3 7.5 x
qa-3 Q0 p10 1 1.0 x
qa-4 Q0 p12 1 0.5 x
qa-4 Q0 p13 2 0.5 x
"""
MEASURES = {
    "ndcg@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "mrr@10": "recip_rank",
    "map@10": "map_cut_10",
}


def test_pytrec_eval_agrees_with_the_scorer(release: Path, exports: Path, tmp_path: Path) -> None:
    import pytrec_eval

    (tmp_path / "qa-de.trec").write_text(RUN)
    ours = score(release, [tmp_path / "qa-de.trec"], measures=list(MEASURES)).runs[0].subsets[0]
    with (exports / "trec" / "qa-de" / "qrels.txt").open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
    theirs = evaluator.evaluate(pytrec_eval.parse_run(RUN.splitlines()))
    assert list(ours.judgements.queries) == sorted(theirs) == ["qa-1", "qa-2", "qa-3", "qa-4"]
    for measure, name in MEASURES.items():
        values = [theirs[query][name] for query in ours.judgements.queries]
        assert list(ours.values[measure]) == pytest.approx(values, abs=1e-6), measure
    assert 0 < min(ours.values["ndcg@10"][[0, 1, 3]]) < 1


def test_candidates_are_a_run(release: Path, exports: Path) -> None:
    """All that may be ranked is there: in a run of ties the gold is found half of the time."""
    run = exports / "trec" / "concepts-hard-de" / "candidates.trec"
    scores = score(release, [run], subset="concepts-hard-de").runs[0].subsets[0]
    assert list(scores.values["accuracy@1"]) == [0.5]
