from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pytest

from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Reject
from pipeline.stages.concepts import (
    Meta,
    ReadConcepts,
    ReadRetired,
    assemble_bucket,
    open_meta,
    read_buckets,
    read_retired,
)
from pipeline.stages.filesystems import list_files
from pipeline.stages.tally import REJECTS
from umls_tools.columns import COLUMNS
from umls_tools.files import locate

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


def sab(name: str, level: int, lat: str = "ENG") -> str:
    fields = {"VSAB": f"{name}1", "RSAB": name, "SRL": str(level), "LAT": lat, "CURVER": "Y"}
    return "".join(f"{fields.get(column, '')}|" for column in COLUMNS["MRSAB"])


def atom(cui: str, name: str, lat: str = "ENG", source: str = "OPEN", srl: int = 0) -> str:
    mark = f"{cui}{name[:3]}{lat}"
    return f"{cui}|{lat}|P|L1|PF|S1|Y|A{mark}||||{source}|PT|1|{name}|{srl}|N||"


def merged(cui: str, other: str, relation: str = "SY") -> str:
    return f"{cui}|2025AA|{relation}|||{other}|Y|"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    tables = {
        "MRSAB": [sab("OPEN", 0), sab("SHUT", 3)],
        "MRCONSO": [
            atom("C0000001", "scabies"),
            atom("C0000001", "Krätze", "GER"),
            atom("C0000002", "closed name", source="SHUT", srl=3),
            atom("C0000003", "head lice"),
            atom("C0000003", "pediculosis", source="SHUT", srl=3),
        ],
        "MRSTY": [f"C000000{n}|T047|A1|Disease|AT{n}||" for n in (1, 2, 3)],
        "MRCUI": [
            merged("C0000008", "C0000007"),
            merged("C0000007", "C0000001"),
            merged("C0000009", "", "DEL"),
            merged("C0000005", "C0000006"),
            merged("C0000006", "C0000005"),
        ],
    }
    for table, rows in tables.items():
        (tmp_path / f"{table}.RRF").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    return load_plan("sample", [f"umls.meta={tmp_path}", 'languages=["en", "de"]'])


def meta_of(plan: Plan) -> Meta:
    return open_meta(plan, locate(list_files(plan.umls.meta)))


def test_restricted_text_is_never_seen(plan: Plan, run_graph: RunGraph, counts: Counts) -> None:
    meta = meta_of(plan)

    def lay_out(graph: beam.Pipeline) -> Laid:
        return {"concepts": graph | ReadConcepts(meta, 2)}

    found = run_graph(lay_out)["concepts"]
    assert [(one.cui, [name.text for name in one.names]) for one in found] == [
        ("C0000001", ["Krätze", "scabies"]),
        ("C0000003", ["head lice"]),
    ]
    assert counts["read concepts", "note: MRCONSO rows"] == 5
    assert (counts["read concepts", "in"], counts["read concepts", "out"]) == (3, 2)
    assert counts["read concepts", "concept_without_name"] == 1


def test_buckets_change_nothing(plan: Plan) -> None:
    """Whatever the number of buckets, and the order in which their batches arrive."""
    meta = meta_of(load_plan("sample"))
    found = [_assembled(meta, buckets) for buckets in (1, 5)]
    assert found[0] == found[1]
    assert len(found[0]) > 500


def test_definitions_have_the_language_of_their_source(plan: Plan) -> None:
    folder = Path(plan.umls.meta)
    with (folder / "MRSAB.RRF").open("a", encoding="utf-8") as file:
        file.write(f"{sab('OPENGER', 0, 'GER')}\n{sab('OPENSPA', 0, 'SPA')}\n{sab('ANY', 0, '')}\n")
    sources = ("OPEN", "OPENGER", "OPENSPA", "ANY")
    rows = (f"C0000001|A1|AT{at}||{name}|{name}'s text|N||" for at, name in enumerate(sources))
    (folder / "MRDEF.RRF").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    scabies, _ = _assembled(meta_of(plan), 1)
    assert [(one.source, one.language) for one in scabies.definitions] == [
        ("OPEN", "en"),
        ("OPENGER", "de"),
    ]


def _assembled(meta: Meta, buckets: int) -> list[Any]:
    sides: dict[int, dict[str, list[pa.RecordBatch]]] = {}
    for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL"):
        if table not in meta.tables:
            continue
        for bucket, batch in read_buckets(meta.tables[table], table, buckets, meta.assembly):
            empty = {name: [] for name in ("MRCONSO", "MRSTY", "MRDEF", "MRREL")}
            sides.setdefault(bucket, empty)[table].insert(0, batch)
    assert len(sides) == buckets
    concepts = (one for group in sides.items() for one in assemble_bucket(group, meta.assembly))
    return sorted(concepts, key=lambda concept: concept.cui)


FATES = [("C0000007", "C0000001"), ("C0000008", "C0000001")]
LOST = [
    Reject("follow retired CUIs", "C0000005", "circle"),
    Reject("follow retired CUIs", "C0000006", "circle"),
    Reject("follow retired CUIs", "C0000009", "deleted"),
]


def test_retired_concepts_are_followed_to_their_end(
    plan: Plan, run_graph: RunGraph, counts: Counts
) -> None:
    meta = meta_of(plan)

    def lay_out(graph: beam.Pipeline) -> Laid:
        fates = graph | ReadRetired(meta)
        return {"fates": fates.main, "lost": fates[REJECTS]}

    assert run_graph(lay_out) == {"fates": FATES, "lost": LOST}
    assert counts["follow retired CUIs", "in"] == len(FATES) + len(LOST)
    assert [one for one in read_retired(meta.tables["MRCUI"]) if isinstance(one, tuple)] == FATES


def test_a_release_may_lack_the_optional_tables(plan: Plan, run_graph: RunGraph) -> None:
    Path(plan.umls.meta, "MRCUI.RRF").unlink()
    meta = meta_of(plan)
    assert set(meta.tables) == {"MRCONSO", "MRSTY", "MRSAB"}

    def lay_out(graph: beam.Pipeline) -> Laid:
        return {"fates": (graph | ReadRetired(meta)).main}

    assert run_graph(lay_out) == {"fates": []}
