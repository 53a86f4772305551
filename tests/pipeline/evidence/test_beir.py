import gzip
import io
import json
import random
from collections.abc import Callable, Mapping

import pytest

from pipeline.evidence import Evidence, EvidenceError, Reader
from pipeline.evidence.beir import Beir
from pipeline.evidence.units import paths
from pipeline.records import Passage, Question, Reject, Relevance

ReadAll = Callable[[Reader, Mapping[str, str | bytes]], list[Evidence]]

CORPUS = '{"_id": "d1", "title": "T", "text": "One."}\n{"_id": 2, "text": "Two."}\n'
QUERIES = '{"_id": "q1", "text": "First?"}\n{"_id": 2, "text": "Second?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t2\t1\n2\t2\t1\n"


def files(**changed: str | bytes) -> dict[str, str | bytes]:
    named: dict[str, str | bytes] = {
        "corpus.jsonl": CORPUS,
        "queries.jsonl": QUERIES,
        "qrels/test.tsv": QRELS,
    }
    named |= {name.replace("__", "/").replace("_", "."): text for name, text in changed.items()}
    return {f"data/nf/{name}": text for name, text in named.items()}


def questions(found: list[Evidence]) -> dict[str, tuple[Relevance, ...]]:
    return {one.source_id: one.relevant for one in found if isinstance(one, Question)}


def rejects(found: list[Evidence]) -> list[tuple[str, str, str]]:
    return [(one.key, one.reason, one.detail) for one in found if isinstance(one, Reject)]


USUAL = {
    "beir:nf:q1": (Relevance("beir-nf-2", 1), Relevance("beir-nf-d1", 2)),
    "beir:nf:2": (Relevance("beir-nf-2", 1),),
}


def test_a_dataset(read_all: ReadAll) -> None:
    found = read_all(Beir(), files())
    unknown = "LicenseRef-unknown"
    assert found == [
        Passage("beir-nf-d1", "T", "One.", (), (), "beir/nf", unknown, ""),
        Passage("beir-nf-2", "", "Two.", (), (), "beir/nf", unknown, ""),
        Question("beir:nf:2", "Second?", "en", (), (), USUAL["beir:nf:2"], "beir/nf", unknown),
        Question("beir:nf:q1", "First?", "en", (), (), USUAL["beir:nf:q1"], "beir/nf", unknown),
    ]


@pytest.mark.parametrize(
    "qrels",
    [
        QRELS,
        QRELS.partition("\n")[2],
        "\ufeff" + QRELS.replace("\n", "\r\n"),
        QRELS.replace("\n", "\n\n").rstrip(),
        QRELS.replace("\t2\n", "\t2.0\n").replace("\t1\n", "\t1.0\n"),
        QRELS + "q1\td1\t1\n2\t2\t1\n",
        "Query-ID\tCorpus-ID\tScore\n" + QRELS.partition("\n")[2],
    ],
    ids=["header", "no header", "mark", "blank", "decimal", "repeated", "capitals"],
)
def test_forms_of_qrels(read_all: ReadAll, qrels: str) -> None:
    assert questions(read_all(Beir(), files(qrels__test_tsv=qrels))) == USUAL


def test_compressed_files_give_the_same(read_all: ReadAll) -> None:
    packed = {f"{name}.gz": gzip.compress(str(text).encode()) for name, text in files().items()}
    assert read_all(Beir(), packed) == read_all(Beir(), files())


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        ("q1\td1\t0", ("beir:nf:q1", "not_relevant", "beir-nf-d1")),
        ("q1\td1\t-1", ("beir:nf:q1", "not_relevant", "beir-nf-d1")),
        ("q9\td1\t1", ("beir:nf:q9", "dangling_qrels", "beir-nf-d1")),
    ],
)
def test_judgements_that_lead_nowhere_are_counted(
    read_all: ReadAll, row: str, lost: tuple[str, str, str]
) -> None:
    found = read_all(Beir(), files(qrels__test_tsv=f"q1\t2\t1\n2\t2\t1\n{row}\n"))
    assert rejects(found) == [lost]
    assert questions(found)["beir:nf:q1"] == (Relevance("beir-nf-2", 1),)


def test_queries_without_judgement_are_counted(read_all: ReadAll) -> None:
    found = read_all(Beir(), files(qrels__test_tsv="q1\td1\t1\n"))
    assert rejects(found) == [("beir:nf:2", "no_relevant_passage", "")]


def test_a_query_may_be_called_like_a_document(read_all: ReadAll) -> None:
    found = read_all(Beir(), files())
    assert "beir:nf:2" in questions(found)
    assert "beir-nf-2" in {one.passage_id for one in found if isinstance(one, Passage)}


def test_empty_texts_are_counted(read_all: ReadAll) -> None:
    found = read_all(
        Beir(),
        files(
            corpus_jsonl=CORPUS + '{"_id": "d3", "title": "T", "text": " "}\n',
            queries_jsonl=QUERIES.replace("First?", ""),
        ),
    )
    assert rejects(found) == [("beir-nf-d3", "no_text", ""), ("beir:nf:q1", "no_question", "")]


def test_repeated_ids_keep_the_same_record_in_any_order(read_all: ReadAll) -> None:
    rows = [{"_id": "d1", "text": text} for text in ("B", "A", "A")] + [{"_id": "d2", "text": "C"}]
    outcomes = set()
    for seed in range(6):
        random.Random(seed).shuffle(rows)
        content = "".join(json.dumps(row) + "\n" for row in rows)
        found = read_all(Beir(), {"x/lone.jsonl": content})
        kept = sorted((one.passage_id, one.text) for one in found if isinstance(one, Passage))
        outcomes.add((tuple(kept), tuple(rejects(found))))
    lost = ("beir-lone-d1", "repeated_id", "")
    assert outcomes == {((("beir-lone-d1", "A"), ("beir-lone-d2", "C")), (lost, lost))}


def test_repeated_queries_are_counted(read_all: ReadAll) -> None:
    found = read_all(Beir(), files(queries_jsonl=QUERIES + QUERIES))
    assert questions(found) == USUAL
    assert rejects(found) == [("beir:nf:2", "repeated_id", ""), ("beir:nf:q1", "repeated_id", "")]


def test_metadata(read_all: ReadAll) -> None:
    row = {
        "_id": "a b",
        "text": "One.",
        "cuis": ["C0000009"],
        "metadata": {
            "cuis": ["C0000002", "C0000001"],
            "mesh": ["D2", "D1"],
            "source": "S",
            "url": "http://x.org",
            "licence": "CC0-1.0",
            "other": 3,
        },
    }
    (found,) = read_all(Beir(), {"x/lone.jsonl": json.dumps(row)})
    assert found == Passage(
        "beir-lone-a.20b",
        "",
        "One.",
        ("C0000001", "C0000002"),
        ("D1", "D2"),
        "S",
        "CC0-1.0",
        "http://x.org",
    )


def test_a_corpus_may_stand_alone(read_all: ReadAll) -> None:
    found = read_all(Beir(licence="CC0-1.0"), {"data/nf/corpus.jsonl": CORPUS})
    assert [one.licence for one in found if isinstance(one, Passage)] == ["CC0-1.0"] * 2


def test_splits_choose_among_the_qrels(read_all: ReadAll) -> None:
    both = files(qrels__train_tsv="q1\td1\t3\n2\td1\t1\n")
    assert questions(read_all(Beir(splits=("test",)), both)) == USUAL
    assert questions(read_all(Beir(), both))["beir:nf:q1"] == (
        Relevance("beir-nf-2", 1),
        Relevance("beir-nf-d1", 3),
    )
    units = Beir().units(sorted(both))
    assert [file.rpartition("/nf/")[2] for file in paths(units[1])] == [
        "queries.jsonl",
        "qrels/test.tsv",
        "qrels/train.tsv",
    ]


def test_the_language_of_the_queries(read_all: ReadAll) -> None:
    found = read_all(Beir(language="ja"), files())
    assert {one.language for one in found if isinstance(one, Question)} == {"ja"}
    with pytest.raises(EvidenceError, match="'jp', expected one of"):
        Beir(language="jp")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"corpus_jsonl": CORPUS + '{"text": "Three."}\n'}, "corpus.jsonl:3: the _id is None"),
        ({"corpus_jsonl": '{"_id": 1.5, "text": "x"}\n'}, "corpus.jsonl:1: the _id is 1.5"),
        ({"corpus_jsonl": '{"_id": true, "text": "x"}\n'}, "corpus.jsonl:1: the _id is True"),
        ({"corpus_jsonl": '{"_id": " ", "text": "x"}\n'}, "corpus.jsonl:1: the _id is ' '"),
        ({"corpus_jsonl": CORPUS + '{"_id": "d3"}\n'}, "corpus.jsonl:3: no 'text'"),
        ({"corpus_jsonl": CORPUS + '{"_id": 3, "text": 3}\n'}, "corpus.jsonl:3: 'text' is a int"),
        (
            {"corpus_jsonl": '{"_id": 3, "text": "x", "cuis": ["12"]}\n'},
            "corpus.jsonl:1: '12' is no CUI",
        ),
        ({"corpus_jsonl": ""}, "corpus.jsonl: the file holds no record"),
        ({"qrels__test_tsv": "q1\td1\tx\n"}, "test.tsv:1: the score 'x' is not a whole"),
        ({"qrels__test_tsv": QRELS + "q1\td1\t1.5\n"}, "test.tsv:5: the score '1.5'"),
        ({"qrels__test_tsv": QRELS + "q1\td1\tnan\n"}, "test.tsv:5: the score 'nan'"),
        ({"qrels__test_tsv": QRELS + "q1\td1\tinf\n"}, "test.tsv:5: the score 'inf'"),
        ({"qrels__test_tsv": QRELS + "q1\td1\t1e300\n"}, "test.tsv:5: the score '1e300' is not"),
        ({"qrels__test_tsv": QRELS + "q1\td1\t2147483648\n"}, "test.tsv:5: .*at most 2147483647"),
        ({"qrels__test_tsv": QRELS + "q1\td1\n"}, "test.tsv:5: 2 columns"),
        ({"qrels__test_tsv": QRELS + "q1\td1\t\n"}, "test.tsv:5: the score ''"),
        ({"qrels__test_tsv": QRELS + "\td1\t1\n"}, "test.tsv:5: an empty id"),
        ({"qrels__test_tsv": "query-id\tcorpus-id\tscore\n"}, "test.tsv: the file holds no judge"),
    ],
)
def test_damage_comes_before_the_first_record(
    read_all: ReadAll, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(EvidenceError, match=message):
        read_all(Beir(), files(**changed))


def test_nothing_is_given_of_a_corpus_that_breaks_at_its_end() -> None:
    content = (CORPUS + "{").encode()
    with pytest.raises(EvidenceError, match=r"corpus.jsonl:3"):
        next(Beir().read("x/corpus.jsonl", lambda path: io.BytesIO(content)))


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        (["x/queries.jsonl"], "queries without a corpus.jsonl"),
        (["x/corpus.jsonl", "y/queries.jsonl"], "y/queries.jsonl: queries without"),
        (["x/corpus.jsonl", "x/queries.jsonl"], r"no x/qrels/\*.tsv"),
        (["x/corpus.jsonl", "x/queries.jsonl", "y/qrels/test.tsv"], r"no x/qrels/\*.tsv"),
        (["x/corpus.jsonl", "x/corpus.jsonl.gz"], "would give the same ids"),
        (["x/lone.jsonl", "y/lone.jsonl"], "x/lone.jsonl and y/lone.jsonl would give the same ids"),
    ],
)
def test_folders_that_make_no_dataset(listing: list[str], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        Beir().units(listing)


def test_an_unknown_split_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"no data/nf/qrels/dev.tsv; .*\['test'\]"):
        Beir(splits=("dev",)).units(sorted(files()))
