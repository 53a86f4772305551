"""Names, definitions and relations of restricted sources, where they would be used first."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import Query
from pipeline.release.layout import WORK
from pipeline.stages.concepts import AsRecords, ReadConcepts
from pipeline.stages.confusion import MineConfusionSets
from pipeline.stages.meta import open_meta
from pipeline.stages.queries import PoseQueries
from pipeline.stages.translation import native_wordings, wanted_translations
from umls_tools.files import locate

RunGraph = Callable[..., dict[str, list[Any]]]

FREE = {
    "C0000001": ("Scabies", "Human itch", "Krätze"),
    "C0000002": ("Head lice", "Louse infestation", "Kopfläuse"),
    "C0000003": ("Ringworm", "", ""),  # nothing else to ask for it with
    "C0000004": ("Athlete foot", "Tinea of feet", ""),
    "C0000005": ("Nail fungus", "Fungal nails", ""),
}


@pytest.fixture(scope="module")
def meta(write_meta: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything of MDR is marked; its names would come first, and its German alone is there."""
    atom, relation = write_meta.atom, write_meta.relation
    free = [
        atom(cui, lat, "MSH", text)
        for cui, texts in FREE.items()
        for lat, text in zip(("ENG", "ENG", "GER"), texts, strict=True)
        if text
    ]
    barred = [
        atom("C0000001", "ENG", "MDR", "Barred name of scabies", "3"),
        atom("C0000004", "GER", "MDR", "Barred German name", "3"),
        atom("C0000002", "ENG", "MSH", "Barred name of lice", "3"),  # by the atom's own level
        atom("C0000002", "ENG", "LOST", "Barred name of no known source"),
    ]
    under = {"C0000001": "MSH", "C0000002": "MSH", "C0000004": "MDR", "C0000005": "MDR"}
    return Path(
        write_meta.write(
            tmp_path_factory.mktemp("meta"),
            MRSAB=[write_meta.source("MSH", "0"), write_meta.source("MDR", "3")],
            MRCONSO=free + barred,
            MRSTY=[write_meta.semantic_type(cui, "T047") for cui in FREE],
            MRDEF=[write_meta.definition("C0000003", "MDR", "A barred definition.")],
            MRREL=[relation(cui, "PAR", f"C{len(s):06d}9", s) for cui, s in under.items()],
            MRRANK=[
                {"RANK": rank, "SAB": sab, "TTY": "PT", "SUPPRESS": "N"}
                for rank, sab in (("0002", "MDR"), ("0001", "MSH"))
            ],
        )
    )


def posed(run_graph: RunGraph, meta: Path, max_srl: int, folder: Path) -> list[Query]:
    """The queries that mining and posing make of the Metathesaurus under a gate."""
    (folder / WORK).mkdir(exist_ok=True)
    changes = [f"umls.meta={meta}", f"umls.max_srl={max_srl}", 'languages=["en", "de", "fr"]']
    plan = load_plan("sample", [*changes, "concepts.distractors=1", "profile=local"])
    opened = open_meta(plan, locate(str(path) for path in meta.iterdir()))

    def lay_out(graph: beam.Pipeline) -> dict[str, beam.PCollection]:
        batches, _ = graph | ReadConcepts(opened)
        concepts = batches | AsRecords()
        general = graph | "None general" >> beam.Create([])
        questions = graph | "No questions" >> beam.Create([])
        sets, _ = batches | MineConfusionSets(plan, general, questions, str(folder))
        return {"queries": (sets | PoseQueries(plan, concepts, opened.assembly.gate)).main}

    return run_graph(lay_out)["queries"]


def texts_of(queries: list[Query]) -> set[str]:
    """Every text that is translated, asked, shown, or travels along as a name or definition."""
    languages = ("en", "de", "fr")
    wanted = (one for query in queries for one, _ in wanted_translations(query, languages))
    asked = {text for text, _, _ in wanted}
    given = {worded.text for query in queries for _, worded in native_wordings(query, languages)}
    concepts = {concept for query in queries for concept in query.concepts}
    names = {name.text for concept in concepts for name in concept.names}
    return asked | given | names | {d.text for concept in concepts for d in concept.definitions}


def test_nothing_of_a_restricted_source_gets_past_the_gate(
    run_graph: RunGraph, meta: Path, tmp_path: Path
) -> None:
    queries = posed(run_graph, meta, 0, tmp_path)
    assert queries
    assert not [text for text in texts_of(queries) if "barred" in text.lower()]
    assert {text for query in queries for text in (query.original.text,)} <= {
        text for texts in FREE.values() for text in texts
    }
    # without the restricted definition nothing asks for ringworm, without its source no sibling
    assert "umls:C0000003" not in {query.source_id for query in queries}
    assert {query.taint for query in queries} == {queries[0].taint}
    assert (queries[0].taint.sabs, queries[0].taint.max_srl) == (("MSH",), 0)


def test_a_wider_gate_lets_all_of_it_through_with_its_level(
    run_graph: RunGraph, meta: Path, tmp_path: Path
) -> None:
    """So that the test before would see it."""
    queries = posed(run_graph, meta, 3, tmp_path)
    texts = {text.lower() for text in texts_of(queries)}
    assert {"barred name of scabies", "barred german name", "barred name of lice"} <= texts
    assert "barred name of no known source" not in texts
    asked = {query.source_id: query for query in queries}
    assert asked["umls:C0000003"].original.text == "A barred definition."
    assert asked["umls:C0000003"].original.max_srl == 3
    hard = {query.source_id: query.taint for query in queries if query.stratum == "hard"}
    # siblings by MDR alone, under names of MSH
    assert (hard["umls:C0000005"].sabs, hard["umls:C0000005"].max_srl) == (("MDR", "MSH"), 3)
