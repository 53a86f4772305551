from pathlib import Path
from types import ModuleType

import pytest

from pipeline.scorer.errors import RequestError
from pipeline.scorer.release import Document
from pipeline.settings import PlanError
from pipeline.systems.base import Asked, Hit, SystemsError
from pipeline.systems.choice import build_system
from pipeline.systems.fusion import Rrf
from pipeline.systems.retrieve import retrieve

DOCUMENTS = [Document(f"d{number}", "", "text") for number in range(1, 5)]
RUNS = {
    "one": {
        "qa-en": {"q1": {"d1": 9.0, "d2": 5.0, "d3": 5.0}, "q2": {"d1": 1.0}},
        "qa-ru": {"q1": {"d4": 1.0}},
    },
    "two": {"qa-en": {"q1": {"d2": 0.2, "d1": 0.1, "d9": 0.05}}},
}


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    for name, subsets in RUNS.items():
        (tmp_path / name).mkdir()
        for subset, queries in subsets.items():
            lines = [
                f"{query} Q0 {document} 1 {score} {name}\n"
                for query, scores in queries.items()
                for document, score in scores.items()
            ]
            (tmp_path / name / f"{subset}.trec").write_text("".join(lines))
    return [str(tmp_path / name) for name in RUNS]


def fused(runs: list[str], language: str, depth: int = 9, k: float = 60.0) -> list[Hit]:
    index = Rrf(tuple(runs), k).index(DOCUMENTS)
    return list(index.search([Asked("q1", "", language), Asked("q2", "", language)], depth))


def test_ranks_are_added_up(runs: list[str]) -> None:
    found = {(hit.query_id, hit.document_id): hit.score for hit in fused(runs, "en")}
    assert found == pytest.approx(
        {
            # Of the tied documents d3 comes first: by id, descending.
            ("q1", "d1"): 1 / 61 + 1 / 62,
            ("q1", "d2"): 1 / 63 + 1 / 61,
            ("q1", "d3"): 1 / 62,
            ("q2", "d1"): 1 / 61,
        }
    )
    assert [hit.document_id for hit in fused(runs, "en", 2)] == ["d1", "d2", "d1"]


def test_languages_are_kept_apart(runs: list[str]) -> None:
    assert [(hit.query_id, hit.document_id) for hit in fused(runs, "ru")] == [("q1", "d4")]


def test_k_is_a_setting(runs: list[str]) -> None:
    assert fused(runs, "ru", k=0.0)[0].score == 1.0


def test_candidates_that_no_run_has_get_nothing(runs: list[str]) -> None:
    index = Rrf(tuple(runs)).index(DOCUMENTS)
    hits = index.rerank([Asked("q1", "", "en")], {"q1": ["d4", "d3"]})
    assert [(hit.document_id, hit.score) for hit in hits] == [("d4", 0.0), ("d3", 1 / 62)]


def test_what_cannot_be_fused_is_named(runs: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemsError, match="two runs or more"):
        Rrf((runs[0],)).index(DOCUMENTS)
    with pytest.raises(RequestError, match="no such run"):
        Rrf((runs[0], str(tmp_path / "three"))).index(DOCUMENTS)
    with pytest.raises(PlanError, match="k: -1"):
        build_system("rrf", ["k=-1"])


def test_runs_of_a_release_are_fused(small: ModuleType, tmp_path: Path) -> None:
    root: Path = small.write_manifest(tmp_path / "release")
    small.write_corpus(root, "qa", {"qa-d1": "asthma of children", "qa-d2": "insulin"})
    small.write_subset(root, "qa-en", {"qa-1": {"qa-d1": 1}}, texts={"qa-1": "children asthma"})
    folders = [str(tmp_path / name) for name in ("tfidf", "random")]
    for folder in folders:
        retrieve(root, build_system(Path(folder).name), Path(folder))
    listed = ", ".join(f'"{folder}"' for folder in folders)
    system = build_system("rrf", [f"runs=[{listed}]"])
    assert retrieve(root, system, tmp_path / "fused") == {"qa-en": 1}
    first = (tmp_path / "fused" / "qa-en.trec").read_text().splitlines()[0]
    assert first.split()[2] in ("qa-d1", "qa-d2")
