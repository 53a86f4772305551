import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pipeline.records import Concept, Definition, Relation
from umls_tools.concept_batches import CONCEPT_SCHEMA, concepts_of
from umls_tools.concepts import SCHEMAS, Assembly, assemble, nothing, select
from umls_tools.errors import RrfError
from umls_tools.files import TableFile
from umls_tools.licence import Gate
from umls_tools.rows import Rows
from umls_tools.selection import Selected

RowsOf = Callable[..., Rows]
GATE = Gate({"MSH": 0, "DOID": 0, "MIXED": 0, "SNOMEDCT_US": 9}, 0)
LATS = {"MSH": "ENG", "DOID": "ENG", "SNOMEDCT_US": "ENG"}
ASSEMBLY = Assembly(("en", "de"), {("MSH", "MH"): 9}, GATE, LATS)
COLUMNS = {
    "MRCONSO": (
        *("CUI", "LAT", "TS", "STT", "ISPREF", "AUI"),
        *("SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS"),
    ),
    "MRSTY": ("CUI", "TUI"),
    "MRDEF": ("CUI", "AUI", "SAB", "DEF", "SUPPRESS"),
    "MRREL": ("CUI1", "REL", "CUI2", "SAB", "SUPPRESS"),
}
SMALL = {
    "MRCONSO": [
        "C2 ENG P PF Y A3 DOID PT 1 Gout 0 N",
        "C1 ENG S PF Y A2 DOID PT 2 flu 0 N",
        "C1 ENG P PF Y A1 MSH MH D7 Influenza 0 N",
        "C1 GER P PF Y A7 MIXED PT 1 Grippe 0 N",
        "C3 ENG P PF Y A4 SNOMEDCT_US PT 3 Secret 9 N",
        "C4 KOR P PF Y A5 MSH MH D8 감기 0 N",
    ],
    "MRSTY": ["C1 T047", "C1 T033", "C1 T047", "C3 T047", "C5 T047", "C1 -"],
    "MRDEF": [
        "C1 A1 MSH B<br>b N",
        "C1 A1 MSH A N",
        "C1 A2 DOID A N",
        "C1 A7 MIXED Grippe N",
        "C1 A8 MIXED unknown N",
        "C1 A1 MSH A N",
        "C1 A1 MSH <p></p> N",
        "C1 A6 SNOMEDCT_US hidden N",
        "C3 A1 MSH orphan N",
    ],
    "MRREL": [
        "C1 SY C2 MSH N",
        "C1 PAR C9 MSH N",
        "C1 PAR C9 DOID N",
        "C1 PAR C9 DOID N",
        "C1 PAR C8 SNOMEDCT_US N",
        "C3 PAR C9 MSH N",
    ],
}


def assembled(
    rows_of: RowsOf, tables: Mapping[str, list[str]], assembly: Assembly = ASSEMBLY
) -> tuple[list[Concept], Counter[str]]:
    counts: Counter[str] = Counter()
    found: dict[str, Selected] = {}
    for table in SCHEMAS:
        rows = rows_of(table, COLUMNS[table], *tables.get(table, ()))
        found[table], left_out = select(table, rows, assembly)
        assert found[table].kept.schema == SCHEMAS[table] == nothing(table).kept.schema
        counts += left_out
    batch, left_out = assemble(found, assembly)
    assert batch.schema == CONCEPT_SCHEMA
    batch.validate(full=True)
    return list(concepts_of(batch)), counts + left_out


def test_concepts_are_put_together(rows_of: RowsOf) -> None:
    concepts, left_out = assembled(rows_of, SMALL)
    influenza, gout = concepts
    assert [(name.text, name.language, name.preferred) for name in influenza.names] == [
        ("Grippe", "de", True),
        ("Influenza", "en", True),
        ("flu", "en", False),
    ]
    assert (influenza.names[1].atom_id, influenza.names[1].code) == ("A1", "D7")
    assert influenza.semantic_types == ("T033", "T047")
    assert influenza.definitions == (
        Definition("A", "DOID", 0),
        Definition("Grippe", "MIXED", 0, "de"),
        Definition("A", "MSH", 0),
        Definition("B b", "MSH", 0),
    )
    assert influenza.relations == (
        Relation("parent", "C9", "DOID"),
        Relation("parent", "C9", "MSH"),
        Relation("synonym", "C2", "MSH"),
    )
    assert gout == Concept("C2", gout.names, ())
    assert left_out == {
        "restricted": 1,
        "other_language": 1,
        "blank_type": 1,
        "concept_without_name": 3,
        "definition_restricted": 1,
        "definition_of_unknown_language": 1,
        "relation_restricted": 1,
    }


def test_any_order_of_rows_gives_the_same_concepts(rows_of: RowsOf) -> None:
    expected = assembled(rows_of, SMALL)
    for turn in range(1, 5):
        turned = {table: lines[turn:] + lines[:turn] for table, lines in SMALL.items()}
        assert assembled(rows_of, turned) == expected
        backwards = {table: lines[::-1] for table, lines in turned.items()}
        assert assembled(rows_of, backwards) == expected


def test_no_rows_no_concepts(rows_of: RowsOf) -> None:
    assert assembled(rows_of, {}) == ([], Counter())


def test_what_other_tables_say_of_concepts_without_a_name_is_left(rows_of: RowsOf) -> None:
    without = {table: lines for table, lines in SMALL.items() if table != "MRCONSO"}
    concepts, left_out = assembled(rows_of, without)
    assert concepts == []
    assert left_out["concept_without_name"] == 3  # by MRSTY


def test_an_assembly_pickles_and_knows_its_languages() -> None:
    assert pickle.loads(pickle.dumps(ASSEMBLY)) == ASSEMBLY
    with pytest.raises(RrfError, match="no language xx; known are en, de"):
        Assembly(("en", "xx"), {}, GATE, {})


def test_open_metathesaurus_counts(openmeta: Any) -> None:  # noqa: ANN401
    """The set's own README counts concepts per language with those that are obsolete only."""
    per_language = Counter(
        language
        for concept in openmeta.concepts
        for language in {name.language for name in concept.names if name.source != "SRC"}
    )
    with open(openmeta.tables["MRCONSO"].name, encoding="utf-8") as lines:  # noqa: PTH123
        rows = [line.split("|") for line in lines]
    preferred = [row for row in rows if (row[2], row[4], row[6]) == ("P", "PF", "Y")]
    obsolete = Counter(row[1] for row in preferred if row[16] == "O")
    documented = {"ENG": 24_876, "SPA": 3_817, "GER": 864, "CHI": 820, "JPN": 772, "RUS": 766}
    assert sum(obsolete.values()) == 223
    assert per_language == {
        "en": documented["ENG"] - obsolete["ENG"],
        "es": documented["SPA"] - obsolete["SPA"],
        **{"de": 864, "zh": 820, "ja": 772, "ru": 766, "fr": 25},
    }
    assert openmeta.counts["suppressed"] == 381
    assert openmeta.counts["other_language"] == 926
    assert openmeta.counts["MRCONSO rows"] == 73_987
    assert openmeta.counts["relation_to_itself"] == 90


def test_open_metathesaurus_definitions_have_their_languages(openmeta: Any) -> None:  # noqa: ANN401
    """That set has 5,890 rows of MRDEF from DOID and 474 from DOIDSPA; none is lost."""
    kept = Counter(
        (definition.source, definition.language)
        for concept in openmeta.concepts
        for definition in concept.definitions
    )
    assert kept == {("DOID", "en"): 5_890, ("DOIDSPA", "es"): 474}


def test_open_metathesaurus_names_stand_by_rank(openmeta: Any) -> None:  # noqa: ANN401
    ranks = openmeta.assembly.ranks
    for concept in openmeta.concepts:
        for language in {name.language for name in concept.names}:
            names = concept.names_in(language)
            order = [ranks[name.source, name.term_type] for name in names]
            assert order == sorted(order, reverse=True)
            assert [name.preferred for name in names] == [True] + [False] * (len(names) - 1)


def test_open_metathesaurus_relations_are_those_of_the_file(
    openmeta_paths: dict[str, TableFile],
    openmeta: Any,  # noqa: ANN401
) -> None:
    """Read here by hand: every PAR row is a parent, but for those of a concept to itself."""
    with open(openmeta_paths["MRREL"].name, encoding="utf-8") as lines:  # noqa: PTH123
        fields = [line.split("|") for line in lines]
    named = {concept.cui for concept in openmeta.concepts}
    expected = {
        (row[0], row[4], row[10])
        for row in fields
        if row[3] == "PAR" and row[0] != row[4] and row[0] in named
    }
    found = {
        (concept.cui, one.cui, one.source)
        for concept in openmeta.concepts
        for one in concept.relations
        if one.kind == "parent"
    }
    assert found == expected
    assert len(found) > 12_000
