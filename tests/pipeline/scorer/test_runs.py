import gzip
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.runs import Run, read_run
from pipeline.scorer.trec import read_trec

GOOD = "q1 Q0 d1 1 2.5 tag\n"


def rows(ranking: Ranking) -> set[tuple[str, str, float]]:
    pairs = list(ranking.pairs())
    found = {(*pair, float(one)) for pair, one in zip(pairs, ranking.scores, strict=True)}
    assert len(found) == len(pairs)
    return found


def rows_of(path: Path) -> dict[str, set[tuple[str, str, float]]]:
    return {subset: rows(ranking) for subset, ranking in read_run(Run("run", path))}


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 d1 1 2.5 tag\nq2 Q0 d1 1 -1e-3 tag\n",
        "q1 Q0 d1 1 2.5 tag\r\nq2 Q0 d1 1 -1e-3 tag",
        "q1\tQ0\td1\t1\t2.5\ttag\nq2\tQ0\td1\t1\t-1e-3\ttag\n",
        "q1  Q0 d1\t1 2.5 tag\n\n q2 Q0 d1 1 -1e-3 tag \n",
        "\ufeffq1 Q0 d1 1 2.5 tag\nq2 Q0 d1 1 -1e-3 tag\n",
    ],
)
def test_every_usual_spelling_of_a_run_reads_alike(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(text.encode())
    assert rows(read_trec(path)) == {("q1", "d1", 2.5), ("q2", "d1", -1e-3)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 Q0 d2 2 nan tag", "score 'nan' is no finite number"),
        ("q1 Q0 d2 2 inf tag", "score 'inf' is no finite number"),
        ("q1 Q0 d2 2 1e999 tag", "score '1e999' is no finite number"),
        ("q1 Q0 d2 2 1_0 tag", "score '1_0' is no finite number"),
        ("q1 Q0 d2 2 high tag", "score 'high' is no finite number"),
        ("q1 Q0 d1 2 1.5 tag", "document d1 is ranked again for query q1"),
        ("q1 Q0 d2 2 1.5", "5 fields, expected 6"),
        ("q1 Q0  2 1.5 tag", "5 fields, expected 6"),
        ("q1 Q0 d2 2 1.5 my tag", "7 fields, expected 6"),
        (" Q0 d2 2 1.5 tag", "5 fields, expected 6"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "run.trec"
    path.write_text(f"{GOOD}\n{line}\nq3 Q0 d1 1 1 tag\n")
    with pytest.raises(ScorerError, match=f"{re.escape(str(path))}:3: {message}"):
        read_trec(path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(GOOD.encode() + b"q1 Q0 d\xff 2 1 tag\n")
    with pytest.raises(ScorerError, match="trec:2: not UTF-8"):
        read_trec(path)


def test_a_truncated_archive_is_an_error_not_a_short_run(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"q{i} Q0 d1 1 1 x\n" for i in range(999)).encode())
    path = tmp_path / "qa-en.trec.gz"
    path.write_bytes(whole[:-20])
    with pytest.raises(ScorerError, match="cannot be read whole"):
        read_trec(path)
    path.write_bytes(whole)
    assert len(read_trec(path).queries) == 999


ids = st.text("abcXYZ019._-é中", min_size=1, max_size=5)
answers = st.dictionaries(st.tuples(ids, ids), st.floats(-1e9, 1e9), max_size=20)


@given(answers)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[tuple[str, str], float]
) -> None:
    folder = tmp_path_factory.mktemp("run")
    lines = [f"{query} Q0 {one} 1 {value!r} x\n" for (query, one), value in scores.items()]
    (folder / "plain.trec").write_text("".join(lines), "utf-8")
    (folder / "wide.trec").write_text("".join(lines).replace(" ", "  "), "utf-8")
    expected = {(*pair, value) for pair, value in scores.items()}
    assert rows(read_trec(folder / "plain.trec")) == expected
    assert rows(read_trec(folder / "wide.trec")) == expected


def test_a_folder_holds_a_file_for_each_subset(tmp_path: Path) -> None:
    (tmp_path / "qa-en.trec").write_text(GOOD)
    (tmp_path / "qa-de.trec.gz").write_bytes(gzip.compress(GOOD.encode()))
    (tmp_path / "evidence-ja.trec").write_text("")
    (tmp_path / "notes.txt").write_text("not a run")
    one = {("q1", "d1", 2.5)}
    assert rows_of(tmp_path) == {"evidence-ja": set(), "qa-de": one, "qa-en": one}
    (tmp_path / "qa-de.trec").write_text(GOOD)
    with pytest.raises(ScorerError, match=r"keep one of them"):
        rows_of(tmp_path)


def test_a_single_file_answers_the_subset_it_is_named_after_or_that_is_named(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bm25.trec"
    path.write_text(GOOD)
    assert list(rows_of(path)) == ["bm25"]
    assert [name for name, _ in read_run(Run("run", path, "qa-fr"))] == ["qa-fr"]
    with pytest.raises(RequestError, match="names its subsets itself"):
        list(read_run(Run("run", tmp_path, "qa-fr")))


def test_what_is_not_there_is_a_wrong_request(tmp_path: Path) -> None:
    for path in (tmp_path / "no-such-folder", tmp_path / "qa-en.trec", tmp_path):
        with pytest.raises(RequestError, match=re.escape(str(path))):
            rows_of(path)


def parquet(path: Path, **changes: pa.Array) -> Path:
    columns = {
        "subset": pa.array(["qa-en", "qa-de", "qa-en"]),
        "query-id": pa.array(["q1", "q1", "q1"]).dictionary_encode(),
        "corpus-id": pa.array(["d1", "d1", "d2"], pa.large_string()),
        "score": pa.array([1, 2, 3], pa.float32()),
    }
    columns |= {name.replace("_", "-"): values for name, values in changes.items()}
    pq.write_table(pa.table(columns), path)
    return path


def test_a_parquet_file_names_the_subset_of_each_row(tmp_path: Path) -> None:
    assert rows_of(parquet(tmp_path / "run.parquet")) == {
        "qa-de": {("q1", "d1", 2.0)},
        "qa-en": {("q1", "d1", 1.0), ("q1", "d2", 3.0)},
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": pa.array([1.0, 2.0, float("nan")])}, r"row 3 \(query q1, document d2\): score"),
        ({"corpus_id": pa.array(["d1"] * 3)}, r"row 3 \(query q1, document d1\): document is"),
        ({"score": pa.array([1.0, None, 2.0])}, "column score has null values"),
        ({"query_id": pa.array([[1], [2], [3]])}, r"column query-id is list.*, expected string"),
    ],
)
def test_a_bad_parquet_row_is_named(
    tmp_path: Path, changes: dict[str, pa.Array], message: str
) -> None:
    with pytest.raises(ScorerError, match=message):
        rows_of(parquet(tmp_path / "run.parquet", **changes))


def test_a_parquet_file_must_be_one_and_have_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table({"query-id": ["q1"]}), path)
    with pytest.raises(ScorerError, match="no column subset, corpus-id, score; there are query-id"):
        rows_of(path)
    path.write_bytes(b"not Parquet")
    with pytest.raises(ScorerError, match="cannot be read as Parquet"):
        rows_of(path)
