"""What a release of the profile `ids` shows of a row, and what it does not."""

import dataclasses

import pyarrow as pa
import pytest

from pipeline.records import Concept, JudgedQuery, Name, Query, Relevance, Translation, Wording
from pipeline.release.withheld import (
    EXTRA,
    concept_row_withheld,
    digest,
    judged_row_withheld,
    judged_withheld,
    plain_row,
    schema_of,
)
from pipeline.schemas import SCHEMAS, concept_row, query_row, to_table
from splits.audit.withheld import COLUMNS

ITCH = Concept("C0000003", (Name("scabies", "en", "MDR", "PT", "A7", 3, True),), ("T047",))
FREE = Wording("the itch", "en", ("MSH",), 0, "A1")
HELD = Wording("Krätze", "de", ("MDRGER",), 3, "A2")
DEFINED = Wording("A mite's burrow.", "en", ("MDR",), 3)


def asked(original: Wording, language: str, origin: str = "umls") -> JudgedQuery:
    query = Query(
        "concepts-1", "concepts", "hard", "umls:C0000003", "umls", "umls", original, (HELD,),
        (ITCH,), (Relevance("concept-C0000003", 1),), "",
    )  # fmt: skip
    wording = HELD if language == "de" else original
    text = wording.text if origin == "umls" else "mt"
    return JudgedQuery(query, Translation(text, language, origin), ())


@pytest.mark.parametrize(
    ("judged", "shown", "aui", "level"),
    [
        (asked(FREE, "en"), "the itch", "", 0),
        (asked(FREE, "de"), "[C0000003 A2]", "A2", 3),
        (asked(DEFINED, "en"), "[C0000003 definition]", "", 3),
        (asked(FREE, "ru", "mt"), "mt", "", 0),
    ],
)
def test_a_text_above_the_level_is_an_id(
    judged: JudgedQuery, shown: str, aui: str, level: int
) -> None:
    full = query_row(judged, parallel_core=False)
    row = judged_row_withheld("queries", full, judged)
    assert (row["text"], row["aui"], row["max_srl"], row["full_srl"]) == (shown, aui, 0, level)
    assert row["text_sha256"] == (digest(full["text"]) if level else "")
    assert judged_withheld(judged).translation.text == shown
    rest = {"text", "max_srl", *EXTRA["queries"]}
    assert {key: row[key] for key in row.keys() - rest} == {
        key: full[key] for key in full.keys() - rest
    }


def test_pages_show_no_restricted_wording_beside_its_translation() -> None:
    judged = asked(DEFINED, "ru", "mt")
    assert judged_withheld(judged).query.original.text == "[C0000003 definition]"


@pytest.mark.parametrize(("level", "shown"), [(0, "scabies"), (1, "[C0000003 A7]")])
def test_a_name_above_the_level_is_an_id(level: int, shown: str) -> None:
    name = dataclasses.replace(ITCH.names[0], restriction=level)
    row = concept_row_withheld(concept_row(ITCH, name), name)
    assert (row["text"], row["licence"]) == (shown, f"UMLS SRL {level}")
    assert bool(row["aui"]) == bool(row["text_sha256"]) == bool(level)


def test_the_audit_knows_the_columns_by_itself() -> None:
    assert {kind: dict(columns) for kind, columns in EXTRA.items()} == COLUMNS


@pytest.mark.parametrize("kind", SCHEMAS)
def test_other_profiles_have_the_columns_of_the_contract_alone(kind: str) -> None:
    assert schema_of(kind, "open") == schema_of(kind, "local") == SCHEMAS[kind]
    added = schema_of(kind, "ids").names[len(SCHEMAS[kind].names) :]
    assert added == list(EXTRA.get(kind, {}))


def test_a_row_of_which_nothing_is_withheld_fits_the_schema() -> None:
    row = plain_row("corpus", concept_row(ITCH, ITCH.names[0]))
    table: pa.Table = to_table("corpus", [row], schema_of("corpus", "ids"))
    assert table.column("text_sha256").to_pylist() == [""]
