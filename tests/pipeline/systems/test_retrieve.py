import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from pipeline.scorer.aggregate import aggregate
from pipeline.scorer.errors import RequestError
from pipeline.scorer.release import Document
from pipeline.scorer.score import score
from pipeline.systems.base import Asked, Hit, Index, System, SystemsError
from pipeline.systems.chance import Random
from pipeline.systems.choice import build_system
from pipeline.systems.retrieve import retrieve

CORPUS = {"qa-d1": "asthma of children", "qa-d2": "insulin and sugar", "qa-d3": "broken bones"}
NAMES = {"concept-1": "Asthma", "concept-2": "Asthma attack", "concept-3": "Hay fever"}
SHOWN = {"concepts-1": ["concept-3", "concept-1", "concept-2"]}


@pytest.fixture
def release(tmp_path: Path, small: ModuleType) -> Path:
    root: Path = small.write_manifest(tmp_path / "release")
    small.write_corpus(root, "qa", CORPUS)
    small.write_corpus(root, "concepts", NAMES)
    grades = {"qa-1": {"qa-d1": 1}, "qa-2": {"qa-d2": 1}}
    texts = {
        "en": {"qa-1": "Does asthma go away?", "qa-2": "What does insulin do?"},
        "ru": {"qa-1": "Проходит ли астма?", "qa-2": "Зачем нужен insulin?"},
    }
    for language, wordings in texts.items():
        small.write_subset(root, f"qa-{language}", grades, texts=wordings)
    for language, text in {"en": "asthma", "ru": "астма"}.items():
        small.write_subset(
            root,
            f"concepts-hard-{language}",
            {"concepts-1": {"concept-1": 1}},
            texts={"concepts-1": text},
            shown=SHOWN,
        )
    return root


class Counting(System):
    """Remembers what it was asked; answers nothing."""

    name: ClassVar[str] = "counting"

    def __init__(self) -> None:
        self.indexed: list[list[str]] = []
        self.asked: list[tuple[str, str]] = []

    def index(self, documents: Sequence[Document]) -> Index:
        self.indexed.append([document.document_id for document in documents])
        return CountingIndex(self)


class CountingIndex(Index):
    def __init__(self, system: Counting) -> None:
        self.system = system

    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        self.system.asked += [(query.query_id, query.language) for query in queries]
        return iter(())

    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        return self.search(queries, 0)


def test_each_corpus_is_indexed_once_and_sorted(release: Path, tmp_path: Path) -> None:
    system = Counting()
    names = ["concepts-hard-ru", "qa-ru", "concepts-hard-en", "qa-en"]
    retrieve(release, system, tmp_path / "runs", subsets=names)
    assert system.indexed == [sorted(CORPUS), sorted(NAMES)]
    assert system.asked == [
        ("qa-1", "en"),
        ("qa-2", "en"),
        ("qa-1", "ru"),
        ("qa-2", "ru"),
        ("concepts-1", "en"),
        ("concepts-1", "ru"),
    ]
    assert (tmp_path / "runs" / "qa-en.trec").read_text() == ""


def test_bm25_over_a_release_is_scored_as_it_should(release: Path, tmp_path: Path) -> None:
    pytest.importorskip("bm25s", reason="pip install 'mmed-bench-ir[systems]'")
    runs = tmp_path / "runs"
    counts = retrieve(release, build_system("bm25"), runs)
    assert counts == {"qa-en": 2, "qa-ru": 1, "concepts-hard-en": 1, "concepts-hard-ru": 1}
    assert sorted(path.name for path in runs.iterdir()) == sorted(f"{one}.trec" for one in counts)
    (scores,) = score(release, [runs]).runs
    assert scores.unscored == ()
    by_subset = {part.subset.name: part for part in scores.subsets}
    assert by_subset["qa-ru"].missing == ("qa-1",)
    assert by_subset["concepts-hard-en"].values["accuracy@1"].tolist() == [1.0]
    # No candidate shares a word with the Russian name: three ties, a guess among three.
    assert by_subset["concepts-hard-ru"].values["accuracy@1"].tolist() == [pytest.approx(1 / 3)]
    qa = aggregate(scores).tasks[0]
    assert qa.languages["en"]["ndcg@10"] > qa.languages["ru"]["ndcg@10"]


def test_a_run_has_six_columns_in_trec_order(release: Path, tmp_path: Path) -> None:
    retrieve(release, Random(1), tmp_path / "runs", subsets=["qa-en"], depth=2)
    lines = [line.split(" ") for line in (tmp_path / "runs/qa-en.trec").read_text().splitlines()]
    assert [(line[0], line[1], line[3], line[5]) for line in lines] == [
        (query, "Q0", rank, "random") for query in ("qa-1", "qa-2") for rank in ("1", "2")
    ]
    keys = [(line[0], -float(line[4])) for line in lines]
    assert keys == sorted(keys)


def test_the_same_system_writes_the_same_bytes(release: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        retrieve(release, Random(1), tmp_path / folder)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
        assert path.stat().st_size


def test_what_is_not_there_is_named(release: Path, tmp_path: Path, small: ModuleType) -> None:
    with pytest.raises(RequestError, match="no subset 'qa-rs'; did you mean 'qa-ru'"):
        retrieve(release, Random(), tmp_path / "runs", subsets=["qa-rs"])
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path))):
        retrieve(tmp_path, Random(), tmp_path / "runs")
    small.write_subset(release, "concepts-easy-en", {"concepts-2": {"concept-1": 1}}, shown=SHOWN)
    with pytest.raises(SystemsError, match="query concepts-2 is shown no candidates"):
        retrieve(release, Random(), tmp_path / "runs")
