import dataclasses
import gzip
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.evidence.base import reject
from pipeline.evidence.beir import Beir
from pipeline.evidence.pubmed import PubMed, settle
from pipeline.plan import Source
from pipeline.records import Passage, Reject
from pipeline.stages.evidence import ReadEvidence, Unit, keep_one, read_dated

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]
Found = tuple[str, Passage | Reject]


def passage(
    passage_id: str,
    text: str = "Some text.",
    tasks: tuple[str, ...] = ("qa",),
    **more: tuple[str, ...],
) -> Passage:
    plain = Passage(passage_id, "", text, (), (), "test", "CC0-1.0", "", tasks)
    return dataclasses.replace(plain, **more)


TWIN = passage("p1", "Some text.", tasks=("evidence",))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([("a/x.json", passage("p1"))], [passage("p1")]),
        # two files hold it, or one file is read for two tasks
        (
            [("a/x.json", passage("p1")), ("b/y.json", TWIN)],
            [passage("p1", tasks=("evidence", "qa")), reject("p1", "repeated_id", "b/y")],
        ),
        (
            [("a/x.json", passage("p1")), ("a/x.json", TWIN)],
            [passage("p1", tasks=("evidence", "qa")), reject("p1", "repeated_id", "a/x")],
        ),
        # it only fills a corpus where nothing else has it whole
        (
            [("a/x.json", passage("p1", fills=("qa",))), ("b/y.json", TWIN)],
            [
                passage("p1", tasks=("evidence", "qa"), fills=("qa",)),
                reject("p1", "repeated_id", "b/y"),
            ],
        ),
        # what says something else is there for no task
        (
            [("b/y.json", TWIN), ("a/x.json", passage("p1", "Other."))],
            [passage("p1", "Other."), reject("p1", "repeated_id", "b/y")],
        ),
    ],
)
def test_of_passages_with_one_id_one_is_kept(
    found: list[tuple[str, Passage]], expected: list[Passage | Reject]
) -> None:
    for order in itertools.permutations(found):
        assert list(keep_one(("p1", order))) == expected


# Revisions


def gone(key: str = "pubmed-1", reason: str = "deleted", detail: str = "") -> Reject:
    return reject(key, reason, detail)


OLD, NEW = passage("pubmed-1", "Old."), passage("pubmed-1", "New.")
FIRST, SECOND, THIRD = "base/pubmed25n0001.xml.gz", "new/pubmed25n1300.xml", "new/pubmed25n1301.xml"
OVER = gone(reason="superseded", detail="pubmed25n0001")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([(FIRST, OLD)], [OLD]),
        ([(FIRST, gone())], [gone()]),
        ([(FIRST, OLD), (SECOND, NEW)], [OVER, NEW]),
        ([(FIRST, OLD), (SECOND, gone())], [OVER, gone()]),
        ([(FIRST, OLD), (SECOND, gone(reason="retracted"))], [OVER, gone(reason="retracted")]),
        ([(FIRST, gone(reason="no_abstract")), (SECOND, NEW)], [OVER, NEW]),
        (
            [(FIRST, OLD), (SECOND, gone()), (THIRD, NEW)],
            [OVER, gone(reason="superseded", detail="pubmed25n1300"), NEW],
        ),
        # read once for a whole corpus, once to fill one
        (
            [(FIRST, OLD), (FIRST, dataclasses.replace(OLD, fills=("qa",)))],
            [OLD, reject("pubmed-1", "repeated_id", "pubmed25n0001")],
        ),
        # the same file read for two tasks: there once, not superseded
        (
            [(FIRST, OLD), (FIRST, dataclasses.replace(OLD, tasks=("evidence",)))],
            [
                dataclasses.replace(OLD, tasks=("evidence", "qa")),
                gone(reason="repeated_id", detail="pubmed25n0001"),
            ],
        ),
        (
            [(FIRST, OLD), (SECOND, dataclasses.replace(NEW, tasks=("evidence",)))],
            [OVER, dataclasses.replace(NEW, tasks=("evidence", "qa"))],
        ),
        # what one file holds is its own affair
        (
            [(FIRST, gone("pubmed-1.1", "superseded")), (FIRST, gone("pubmed-1.1", "superseded"))],
            [gone("pubmed-1.1", "superseded")] * 2,
        ),
    ],
)
def test_the_last_file_has_the_last_word(
    found: list[Found], expected: list[Passage | Reject]
) -> None:
    for order in itertools.permutations(found):
        assert list(settle(order)) == expected


def test_namesakes_in_two_folders_are_settled_the_same_way() -> None:
    pair = [("a/x.xml", OLD), ("b/x.xml", NEW)]
    assert list(settle(pair)) == list(settle(pair[::-1])) != []


def citation(pmid: int, text: str) -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>T."
        f"</ArticleTitle><Abstract><AbstractText>{text}</AbstractText></Abstract>"
        "<Language>eng</Language></Article></MedlineCitation></PubmedArticle>"
    )


def delete(*pmids: int) -> str:
    return f"<DeleteCitation>{''.join(f'<PMID>{one}</PMID>' for one in pmids)}</DeleteCitation>"


def write_pubmed(path: Path, *content: str) -> str:
    xml = f"<PubmedArticleSet>{''.join(content)}</PubmedArticleSet>".encode()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(xml) if path.suffix == ".gz" else xml)
    return str(path)


def test_evidence_is_read_with_its_revisions(
    tmp_path: Path, run_graph: RunGraph, counts: Counts
) -> None:
    first = write_pubmed(
        tmp_path / "base" / "pubmed25n0001.xml.gz",
        *(citation(1, "One."), citation(2, "Two."), citation(3, "Three."), citation(4, "")),
    )
    second = write_pubmed(
        tmp_path / "daily" / "pubmed25n1300.xml", citation(1, "One, revised."), delete(2, 9)
    )
    corpus = tmp_path / "beir" / "corpus.jsonl"
    corpus.parent.mkdir()
    lines = [{"_id": "a", "title": "", "text": "A."}, {"_id": "b", "title": "", "text": ""}]
    corpus.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    pubmed = [
        Source("baseline", PubMed(), str(tmp_path / "base"), ("qa",)),
        Source("daily", PubMed(), str(tmp_path / "daily"), ("evidence",)),
    ]
    beir = Source("beir", Beir(), str(corpus), ("qa",))
    units = [Unit(pubmed[0], first), Unit(pubmed[1], second), Unit(beir, str(corpus))]

    def lay_out(graph: beam.Pipeline) -> Laid:
        passages, questions, rejects = graph | ReadEvidence(units)
        return {"passages": passages, "questions": questions, "rejects": rejects}

    found = run_graph(lay_out)
    assert [(one.passage_id, one.text, one.tasks) for one in found["passages"]] == [
        ("beir-beir-a", "A.", ("qa",)),
        ("pubmed-1", "One, revised.", ("evidence", "qa")),
        ("pubmed-3", "Three.", ("qa",)),
    ]
    assert found["questions"] == []
    assert [(one.key, one.reason, one.detail) for one in found["rejects"]] == [
        ("beir-beir-b", "no_text", ""),
        ("pubmed-1", "superseded", "pubmed25n0001"),
        ("pubmed-2", "deleted", ""),
        ("pubmed-2", "superseded", "pubmed25n0001"),
        ("pubmed-4", "no_abstract", ""),
        ("pubmed-9", "deleted", ""),
    ]
    assert {one.stage for one in found["rejects"]} == {"read evidence"}
    # every record is given or left out; files are no records
    assert counts["read evidence", "in"] == len(found["passages"]) + len(found["rejects"])
    assert counts["read evidence", "out"] == len(found["passages"])
    assert counts["read evidence", "note: units"] == len(units)
    units.reverse()
    assert run_graph(lay_out) == found


def test_only_passages_can_be_revised(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "A."}\n', "utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "Why?"}\n', "utf-8")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n", "utf-8")
    source = Source("beir", Beir(), str(tmp_path), ("qa",))
    *_, asked = Beir().units(sorted(map(str, tmp_path.rglob("*"))))
    with pytest.raises(ValueError, match="no rule says how it is revised"):
        list(read_dated(Unit(source, asked)))


@pytest.mark.parametrize(("size", "fills"), [(0, ()), (500, ("evidence",))])
def test_a_source_of_distractors_only_fills_corpora(
    size: int, fills: tuple[str, ...], run_graph: RunGraph, counts: Counts, tmp_path: Path
) -> None:
    write_beir(tmp_path)
    source = Source("more", Beir("CC0-1.0"), str(tmp_path), ("evidence",), size)
    units = [Unit(source, name) for name in source.reader.units(paths_under(tmp_path))]

    def lay_out(graph: beam.Pipeline) -> Laid:
        passages, questions, rejects = graph | ReadEvidence(units)
        return {"passages": passages, "questions": questions, "rejects": rejects}

    found = run_graph(lay_out)
    assert [(one.tasks, one.fills) for one in found["passages"]] == [(("evidence",), fills)]
    assert len(found["questions"]) == (0 if size else 1)
    assert [one.reason for one in found["rejects"]] == ["question_of_distractors"] * bool(size)


def paths_under(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


def write_beir(folder: Path) -> None:
    (folder / "qrels").mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "Mites itch."}')
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "What itches?"}')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
