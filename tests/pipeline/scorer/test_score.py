from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pipeline.scorer.aggregate import aggregate
from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.report import per_query_rows, render_table, to_json
from pipeline.scorer.score import score

ONE_EACH = {"qa-1": {"d1": 1}, "qa-2": {"d2": 1}, "qa-3": {"d3": 1}}
SHOWN = {"concepts-1": ["c1", "c2"], "concepts-2": ["c3", "c4"]}
GOLDS = {"concepts-1": {"c1": 1}, "concepts-2": {"c4": 1}}


@pytest.fixture
def release(tmp_path: Path, small: ModuleType) -> Path:
    root: Path = small.write_manifest(tmp_path / "release")
    core = frozenset({"qa-1", "qa-2"})
    for language in ("de", "en", "ja"):
        small.write_subset(root, f"qa-{language}", ONE_EACH, core=core)
    for tier in ("hard", "easy"):
        small.write_subset(root, f"concepts-{tier}-en", GOLDS, core=frozenset(GOLDS), shown=SHOWN)
    return root


def write_run(folder: Path, **found: dict[str, str]) -> Path:
    """Subset (with _ for -) → query → the document ranked first and only."""
    folder.mkdir(exist_ok=True)
    for subset, answers in found.items():
        lines = [f"{query} Q0 {document} 1 1.0 x\n" for query, document in answers.items()]
        (folder / f"{subset.replace('_', '-')}.trec").write_text("".join(lines))
    return folder


def test_means_weigh_subsets_queries_languages_and_tiers(release: Path, tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run",
        qa_en={"qa-1": "d1", "qa-2": "d2", "qa-3": "d3"},
        qa_de={"qa-1": "d1", "qa-2": "d1", "qa-3": "d3"},
        qa_ja={"qa-3": "d3"},
        concepts_easy_en={"concepts-1": "c1", "concepts-2": "c4"},
        concepts_hard_en={"concepts-1": "c1", "concepts-2": "c3"},
    )
    means = aggregate(score(release, [run]).runs[0])
    qa, concepts = means.tasks
    assert qa.macro["recall@10"] == pytest.approx((1 + 2 / 3 + 1 / 3) / 3)
    assert qa.micro["recall@10"] == pytest.approx(6 / 9)
    assert {name: one["recall@10"] for name, one in qa.languages.items()} == pytest.approx(
        {"en": 1.0, "de": 2 / 3, "ja": 1 / 3}
    )
    # Over the parallel core, qa-1 and qa-2: en 1, de 1/2, ja 0.
    assert qa.gap["recall@10"] == pytest.approx(1 - (0.5 + 0.0) / 2)
    assert {name: one["accuracy@1"] for name, one in concepts.tiers.items()} == {
        "easy": 1.0,
        "hard": 0.5,
    }
    assert concepts.gap == {}
    assert means.overall["ndcg@10"] == pytest.approx((2 / 3 + 0.75) / 2)
    assert "recall@10" not in means.overall
    assert means.languages["en"]["mrr@10"] == pytest.approx((1 + 0.75) / 2)


def test_macro_and_micro_differ_where_subsets_do(tmp_path: Path, small: ModuleType) -> None:
    release = small.write_manifest(tmp_path / "release")
    small.write_subset(release, "qa-en", ONE_EACH)
    small.write_subset(release, "qa-fr", {"qa-1": {"d1": 1}})
    run = write_run(tmp_path / "run", qa_en={}, qa_fr={"qa-1": "d1"})
    (qa,) = aggregate(score(release, [run]).runs[0]).tasks
    assert (qa.macro["mrr@10"], qa.micro["mrr@10"]) == (0.5, 0.25)
    assert qa.gap == {}


def test_what_a_run_lacks_is_listed_not_averaged(release: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", qa_en={"qa-1": "d1", "other": "d1"})
    results = score(release, [run])
    (scores,) = results.runs
    assert scores.unscored == ("qa-de", "qa-ja", "concepts-easy-en", "concepts-hard-en")
    (part,) = scores.subsets
    assert part.missing == ("qa-2", "qa-3")
    assert part.ignored == 1
    (task,) = aggregate(scores).tasks
    assert task.absent == 2
    text = render_table(results)
    assert "because the run has no such file: qa-de, qa-ja" in text
    assert "qa-en: 2 queries are not answered and count as 0" in text


def test_strangers_are_refused(release: Path, tmp_path: Path) -> None:
    with pytest.raises(ScorerError, match="query concepts-1 is not shown document c3"):
        score(release, [write_run(tmp_path / "a", concepts_easy_en={"concepts-1": "c3"})])
    with pytest.raises(ScorerError, match=r"none of its queries \(other, …\) is in qa-en"):
        score(release, [write_run(tmp_path / "b", qa_en={"other": "d1"})])
    with pytest.raises(RequestError, match="no subset 'qa-dee'; did you mean 'qa-de'"):
        score(release, [write_run(tmp_path / "c", qa_dee={"qa-1": "d1"})])
    with pytest.raises(RequestError, match="name the folder of a release"):
        score(tmp_path, [write_run(tmp_path / "d", qa_de={"qa-1": "d1"})])


def test_ties_go_to_the_greater_id_wherever_they_stand(release: Path, tmp_path: Path) -> None:
    rows = ["qa-1 Q0 d0 1 1 x", "qa-1 Q0 d1 2 1 x", "qa-1 Q0 d9 3 1 x", "qa-1 Q0 d10 4 1 x"]
    for order in (rows, rows[::-1]):
        path = tmp_path / "qa-en.trec"
        path.write_text("\n".join(order))
        (part,) = score(release, [path], measures=["mrr@10"]).runs[0].subsets
        # d9 > d10 > d1 > d0 as strings: d10 stands before d1.
        assert part.values["mrr@10"].tolist() == [pytest.approx(1 / 3), 0, 0]


def test_runs_are_told_apart_by_name_or_path(release: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_run(tmp_path / folder / "run", qa_en={"qa-1": "d1"})
    paths = [tmp_path / folder / "run" for folder in ("a", "b")]
    assert [run.name for run in score(release, paths).runs] == [str(path) for path in paths]
    assert [run.name for run in score(release, paths[:1]).runs] == ["run"]
    with pytest.raises(RequestError, match="named twice"):
        score(release, [paths[0], paths[0]])


def test_signature_says_what_a_number_rests_on(release: Path, tmp_path: Path) -> None:
    qa = write_run(tmp_path / "qa", qa_en={"qa-1": "d1"})
    assert score(release, [qa]).signature == (
        "mmed-bench-scorer:0.1.0|release:01234567|ndcg@10:linear|ties:docid-desc|missing:0"
    )
    concepts = write_run(tmp_path / "concepts", concepts_easy_en={"concepts-1": "c1"})
    assert "|accuracy@1:ties-averaged|" in score(release, [concepts]).signature


def test_json_and_per_query_rows_hold_unrounded_values(release: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", qa_en={"qa-1": "d1"})
    results = score(release, [run], measures=["mrr@10"])
    found = to_json(results)["runs"]["run"]
    assert found["subsets"]["qa-en"] == {
        "queries": 3,
        "parallel_core": 2,
        "values": {"mrr@10": 1 / 3},
        "ties": {},
        "missing": ["qa-2", "qa-3"],
        "without_relevant": [],
        "ignored": 0,
    }
    assert list(per_query_rows(results)) == [
        ("run", "qa-en", "qa-1", "mrr@10", "1.0"),
        ("run", "qa-en", "qa-2", "mrr@10", "0.0"),
        ("run", "qa-en", "qa-3", "mrr@10", "0.0"),
    ]


def test_order_of_lines_does_not_matter(release: Path, tmp_path: Path) -> None:
    numbers = np.arange(60)
    lines = [f"qa-{n % 3 + 1} Q0 d{n // 3} 1 {n * 7 % 5} x" for n in numbers]
    tables = []
    for order in (numbers, numbers[::-1], numbers * 7 % 60):
        path = tmp_path / "qa-en.trec"
        path.write_text("\n".join(lines[place] for place in order))
        tables.append(render_table(score(release, [path])))
    assert len(set(tables)) == 1
    assert "0.0000  " not in tables[0].splitlines()[3]


def test_no_gap_is_shown_without_a_sign(tmp_path: Path, small: ModuleType) -> None:
    release = small.write_manifest(tmp_path / "release")
    core = frozenset(ONE_EACH)
    for language in ("en", "de", "fr", "ja"):
        small.write_subset(release, f"qa-{language}", ONE_EACH, core=core)
    alike = {f"qa_{language}": {"qa-1": "d1"} for language in ("en", "de", "fr", "ja")}
    results = score(release, [write_run(tmp_path / "run", **alike)])
    (line,) = (one for one in render_table(results).splitlines() if one.startswith("qa gap"))
    assert set(line.split()[2:]) == {"0.0000"}
