import dataclasses
import itertools
from collections import Counter

import pyarrow as pa
import pytest

from pipeline.records import (
    Concept,
    Distractor,
    JudgedQuery,
    Name,
    Passage,
    Query,
    Reject,
    Relevance,
    Taint,
    Translation,
    Verdict,
    Wording,
)
from pipeline.schemas import (
    SCHEMAS,
    SORT_KEYS,
    concept_row,
    corpus_row,
    qrels_rows,
    query_row,
    reject_row,
    set_rows,
    to_table,
    top_ranked_row,
    verdict_rows,
    wording_of,
)
from qa_filters.figures import as_rows


def concept(cui: str) -> Concept:
    return Concept(cui, (Name(f"name of {cui}", "en", "SAB", "PT", "A1", 0, True),), ("T047",))


QUERY = Query(
    query_id="qa-1",
    task="qa",
    stratum="",
    source_id="s1",
    source="test",
    origin="source",
    original=Wording("Why?", "en", ("B",), 1),
    natives=(Wording("Warum?", "de", ("A", "C"), 3),),
    concepts=(concept("C2"), concept("C1")),
    relevant=(Relevance("p2", 1), Relevance("p1", 2)),
    licence="CC0-1.0",
)
SET = dataclasses.replace(QUERY, query_id="concepts-1", task="concepts", stratum="hard")
MACHINE = Translation("Warum?", "de", "mt", "nllb", "600M", "abc", "Why then?", -0.5, ("x",))
NATIVE = Translation("Warum?", "de", "umls")
AS_ASKED = Translation("Why?", "en", "source")
VERDICTS = (Verdict("copy", 0.5, True), Verdict("length", float("nan"), False))


@pytest.mark.parametrize(
    ("translation", "expected"),
    [(AS_ASKED, QUERY.original), (NATIVE, QUERY.natives[0]), (MACHINE, QUERY.original)],
)
def test_a_translation_has_the_sources_of_its_original(
    translation: Translation, expected: Wording
) -> None:
    assert wording_of(QUERY, translation) == expected
    row = query_row(JudgedQuery(QUERY, translation, ()), parallel_core=True)
    assert (tuple(row["sabs"]), row["max_srl"]) == (expected.sabs, expected.max_srl)


@pytest.mark.parametrize(("query", "cuis"), [(QUERY, ["C1", "C2"]), (SET, ["C2"])])
def test_a_set_is_about_its_gold_alone(query: Query, cuis: list[str]) -> None:
    row = query_row(JudgedQuery(query, MACHINE, ()), parallel_core=False)
    assert row == {
        "_id": query.query_id,
        "text": "Warum?",
        "language": "de",
        "cuis": cuis,
        "source_id": "s1",
        "origin": "mt",
        "engine": "nllb",
        "model": "600M",
        "revision": "abc",
        "back_translation": "Why then?",
        "sabs": ["B"],
        "max_srl": 1,
        "parallel_core": False,
    }


@pytest.mark.parametrize(
    ("taint", "expected"),
    [
        (Taint(), (["B"], 1)),
        (Taint(("A", "B"), 0), (["A", "B"], 1)),
        (Taint(("C",), 3), (["B", "C"], 3)),
    ],
)
def test_a_row_is_as_restricted_as_all_that_it_rests_on(
    taint: Taint, expected: tuple[list[str], int]
) -> None:
    query = dataclasses.replace(SET, taint=taint)
    row = query_row(JudgedQuery(query, MACHINE, ()), parallel_core=False)
    assert (row["sabs"], row["max_srl"]) == expected


def test_every_verdict_is_a_row() -> None:
    rows = verdict_rows(JudgedQuery(SET, MACHINE, VERDICTS), released=True)
    assert [(row["filter"], row["accepted"], row["released"]) for row in rows] == [
        ("copy", True, True),
        ("length", False, True),
    ]
    assert {(row["task"], row["tier"]) for row in rows} == {("concepts", "hard")}


ROWS = {
    "corpus": [
        corpus_row(Passage("p1", "", "Text.", ("C1",), (), "t", "CC0-1.0", "", ("qa",))),
        concept_row(concept("C1"), concept("C1").names[0]),
    ],
    "queries": [
        query_row(JudgedQuery(query, MACHINE, ()), parallel_core=True) for query in (QUERY, SET)
    ],
    "qrels": qrels_rows(QUERY),
    "top_ranked": [top_ranked_row(QUERY, 1), top_ranked_row(SET, 1)],
    "verdicts": verdict_rows(JudgedQuery(SET, MACHINE, VERDICTS), released=False),
    "rejects": [
        reject_row(Reject("s", "k", "r", "d2")),
        reject_row(Reject("s", "k", "r", "d1")),
        reject_row(Reject("a", "k", "r")),
    ],
    "sets": set_rows(
        dataclasses.replace(
            SET,
            distractors=(
                Distractor("C3", 0.5, "sibling:S:C9"),
                Distractor("C2", 0.5, "look_alike"),
            ),
            excluded=(("ancestor", 2),),
        )
    ),
    "figures": as_rows(Counter({("overlap", "copy", "length"): 2, ("overlap", "copy", "copy"): 3})),
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_rows_of_any_order_give_one_sorted_table(kind: str) -> None:
    tables = [to_table(kind, order) for order in itertools.permutations(ROWS[kind])]
    assert len({repr(table.to_pylist()) for table in tables}) == 1
    assert tables[0].schema.equals(SCHEMAS[kind])
    keys = tables[0].select(SORT_KEYS[kind]).to_pylist()
    assert [tuple(row.values()) for row in keys] == sorted(tuple(row.values()) for row in keys)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_rows_are_whole(kind: str) -> None:
    """No column is missing, none is left behind, none may be null."""
    assert {frozenset(row) for row in ROWS[kind]} == {frozenset(SCHEMAS[kind].names)}
    assert not any(field.nullable for field in SCHEMAS[kind])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_columns_have_the_types_that_loaders_know(kind: str) -> None:
    kinds = {field.type for field in SCHEMAS[kind]}
    plain = {pa.string(), pa.int8(), pa.int32(), pa.float64(), pa.bool_()}
    lists = {one for one in kinds if pa.types.is_list(one)}
    assert {one.value_type for one in lists} <= {pa.string()}
    assert kinds - lists <= plain


def test_a_column_of_another_type_is_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        to_table("qrels", [{"query-id": "q", "corpus-id": "d", "score": "high"}])


def test_candidates_are_in_an_order_of_their_own() -> None:
    many = dataclasses.replace(SET, concepts=tuple(concept(f"C{n}") for n in range(10)))
    row = top_ranked_row(many, 1)
    assert sorted(row["corpus-ids"]) == [f"concept-C{n}" for n in range(10)]
    turned = [many.concepts[n:] + many.concepts[:n] for n in range(10)]  # the first is the gold
    rows = [top_ranked_row(dataclasses.replace(many, concepts=one), 1) for one in turned]
    places = [one["corpus-ids"].index(f"concept-C{n}") for n, one in enumerate(rows)]
    assert sorted(places) == list(range(10))  # each stands elsewhere where it is the gold
    assert places != sorted(places)
    backwards = dataclasses.replace(many, concepts=(many.concepts[0], *many.concepts[:0:-1]))
    assert top_ranked_row(backwards, 1) == row
    assert top_ranked_row(many, 2) != row
    assert row["corpus-ids"] != sorted(row["corpus-ids"])
