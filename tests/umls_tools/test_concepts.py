import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipeline.records import Concept, Definition, Relation
from umls_tools.atoms import CONSO_COLUMNS, filter_atoms
from umls_tools.buckets import split_by_bucket
from umls_tools.concepts import STY_COLUMNS, Assembly, assemble
from umls_tools.definitions import DEF_COLUMNS, filter_definitions
from umls_tools.errors import RrfError
from umls_tools.licence import Gate
from umls_tools.relations import EDGE_COLUMNS

Rows = Callable[..., pa.RecordBatch]
GATE = Gate({"MSH": 0, "DOID": 0, "SNOMEDCT_US": 9}, 0)
ASSEMBLY = Assembly(("en", "de"), {("MSH", "MH"): 9}, GATE, {"MSH": "ENG", "SNOMEDCT_US": "ENG"})


def table(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


@pytest.fixture
def small(rows: Rows) -> tuple[pa.Table, ...]:
    return (
        table(
            rows(
                CONSO_COLUMNS,
                "C2 ENG P PF Y A3 DOID PT 1 Gout 0 N",
                "C1 ENG S PF Y A2 DOID PT 2 flu 0 N",
                "C1 ENG P PF Y A1 MSH MH D7 Influenza 0 N",
                "C1 GER P PF Y A7 DOID PT 1 Grippe 0 N",
                "C3 ENG P PF Y A4 SNOMEDCT_US PT 3 Secret 9 N",
                "C4 KOR P PF Y A5 MSH MH D8 감기 0 N",
            )
        ),
        table(rows(STY_COLUMNS, "C1 T047", "C1 T033", "C1 T047", "C3 T047", "C5 T047")),
        table(
            rows(
                DEF_COLUMNS,
                "C1 A1 MSH B<br>b N",
                "C1 A1 MSH A N",
                "C1 A2 DOID A N",
                "C1 A7 DOID Grippe N",
                "C1 A8 DOID unknown N",
                "C1 A1 MSH A N",
                "C1 A1 MSH <p></p> N",
                "C1 A6 SNOMEDCT_US hidden N",
                "C3 A1 MSH orphan N",
            )
        ),
        table(
            rows(
                EDGE_COLUMNS,
                "C1 synonym C2 MSH",
                "C1 parent C9 MSH",
                "C1 parent C9 DOID",
                "C1 parent C9 DOID",
                "C1 parent C8 SNOMEDCT_US",
                "C3 parent C9 MSH",
            )
        ),
    )


def test_concepts_are_put_together(small: tuple[pa.Table, ...]) -> None:
    concepts, left_out = assemble(*small, ASSEMBLY)
    influenza, gout = concepts
    assert [name.text for name in influenza.names] == ["Grippe", "Influenza", "flu"]
    assert influenza.semantic_types == ("T033", "T047")
    assert influenza.definitions == (
        Definition("A", "DOID", 0),
        Definition("Grippe", "DOID", 0, "de"),
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
        "concept_without_name": 3,
        "definition_restricted": 1,
        "definition_of_unknown_language": 1,
        "relation_restricted": 1,
    }


def test_no_rows_no_concepts(small: tuple[pa.Table, ...]) -> None:
    assert assemble(*(part.slice(0, 0) for part in small), ASSEMBLY) == ([], Counter())


def test_an_assembly_pickles_and_knows_its_languages() -> None:
    assert pickle.loads(pickle.dumps(ASSEMBLY)) == ASSEMBLY
    with pytest.raises(RrfError, match="no language xx; known are en, de"):
        Assembly(("en", "xx"), {}, GATE, {})


@pytest.fixture(scope="module")
def assembled(openmeta: Any) -> tuple[list[Concept], Counter[str]]:  # noqa: ANN401
    return assemble(*openmeta)


def test_open_metathesaurus_counts(
    openmeta: Any,  # noqa: ANN401
    assembled: tuple[list[Concept], Counter[str]],
) -> None:
    """The set's own README counts concepts per language with those that are obsolete only."""
    concepts, left_out = assembled
    per_language = Counter(
        language
        for concept in concepts
        for language in {name.language for name in concept.names if name.source != "SRC"}
    )
    obsolete_only = openmeta.conso.filter(
        pc.and_(
            pc.equal(openmeta.conso.column("SUPPRESS"), "O"),
            pc.equal(openmeta.conso.column("ISPREF"), "Y"),
        )
    )
    documented = {"ENG": 24_876, "SPA": 3_817, "GER": 864, "CHI": 820, "JPN": 772, "RUS": 766}
    obsolete = Counter(preferred_lats(obsolete_only))
    assert sum(obsolete.values()) == 223
    assert per_language == {
        "en": documented["ENG"] - obsolete["ENG"],
        "es": documented["SPA"] - obsolete["SPA"],
        **{"de": 864, "zh": 820, "ja": 772, "ru": 766, "fr": 25},
    }
    assert left_out["suppressed"] == 381
    assert left_out["other_language"] == 926


def test_open_metathesaurus_definitions_have_their_languages(
    assembled: tuple[list[Concept], Counter[str]],
) -> None:
    """That set has 5,890 rows of MRDEF from DOID and 474 from DOIDSPA; none is lost."""
    kept = Counter(
        (definition.source, definition.language)
        for concept in assembled[0]
        for definition in concept.definitions
    )
    assert kept == {("DOID", "en"): 5_890, ("DOIDSPA", "es"): 474}
    assert not {reason for reason in assembled[1] if "language" in reason} - {"other_language"}


def preferred_lats(atoms: pa.Table) -> Iterator[str]:
    for lat, ts, stt in zip(
        *(atoms.column(name).to_pylist() for name in ("LAT", "TS", "STT")), strict=True
    ):
        if (ts, stt) == ("P", "PF"):
            yield lat


def test_open_metathesaurus_preferred_names(
    openmeta: Any,  # noqa: ANN401
    assembled: tuple[list[Concept], Counter[str]],
) -> None:
    """That set gives one P/PF/Y atom per concept and language, by rank; ours agree in rank."""
    ranks = openmeta.assembly.ranks
    for concept in assembled[0]:
        for language in {name.language for name in concept.names}:
            names = concept.names_in(language)
            order = [ranks[name.source, name.term_type] for name in names]
            assert order == sorted(order, reverse=True)
            assert [name.preferred for name in names] == [True] + [False] * (len(names) - 1)


def test_open_metathesaurus_in_any_order(
    openmeta: Any,  # noqa: ANN401
    assembled: tuple[list[Concept], Counter[str]],
) -> None:
    shuffle = np.random.default_rng(7).permutation
    parts = [part.take(pa.array(shuffle(part.num_rows))) for part in openmeta[:4]]
    assert assemble(*parts, openmeta.assembly) == assembled


def test_open_metathesaurus_in_buckets_of_filtered_rows(
    openmeta: Any,  # noqa: ANN401
    assembled: tuple[list[Concept], Counter[str]],
) -> None:
    assembly = openmeta.assembly
    conso, left_out = filter_atoms(openmeta.conso, assembly.languages, assembly.gate)
    definitions, lost = filter_definitions(openmeta.definitions, assembly.gate)
    parts = {"CUI": [conso, openmeta.sty, definitions], "cui": [openmeta.relations]}
    cut = [
        dict(split_by_bucket(part.combine_chunks().to_batches()[0], column, 3))
        for column, tables in parts.items()
        for part in tables
    ]
    concepts: list[Concept] = []
    left_out += lost
    for bucket in range(3):
        found, lost = assemble(*(table(batches[bucket]) for batches in cut), assembly)
        concepts += found
        left_out += lost
    assert sorted(concepts, key=lambda concept: concept.cui) == assembled[0]
    # Concepts whose every row was filtered before, and that have no type, can no longer be seen.
    unseen = assembled[1]["concept_without_name"] - left_out["concept_without_name"]
    assert 0 <= unseen == (assembled[1] - left_out).total()
