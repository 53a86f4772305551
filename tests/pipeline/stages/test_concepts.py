import dataclasses
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
import pytest

from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Reject
from pipeline.stages.concepts import AsRecords, ReadConcepts, WriteConcepts
from pipeline.stages.filesystems import list_files
from pipeline.stages.meta import Meta, open_meta
from pipeline.stages.retired import ReadRetired, read_retired
from pipeline.stages.tally import REJECTS
from umls_tools.columns import COLUMNS
from umls_tools.concept_batches import concepts_of
from umls_tools.files import locate
from umls_tools.spans import pieces

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


def read(run_graph: RunGraph, meta: Meta) -> tuple[list[Concept], list[Reject]]:
    def lay_out(graph: beam.Pipeline) -> Laid:
        batches, rejects = graph | ReadConcepts(meta)
        return {"concepts": batches | AsRecords(), "rejects": rejects}

    found = run_graph(lay_out)
    return sorted(found["concepts"], key=lambda concept: concept.cui), found["rejects"]


def shuffle(plan: Plan) -> None:
    for path in sorted(Path(plan.umls.meta).iterdir()):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(reversed(lines)))


@pytest.mark.parametrize("order", [lambda plan: None, shuffle])
def test_restricted_text_is_never_seen(
    plan: Plan, run_graph: RunGraph, counts: Counts, order: Callable[[Plan], None]
) -> None:
    order(plan)
    found, rejects = read(run_graph, meta_of(plan))
    assert [(one.cui, [name.text for name in one.names]) for one in found] == [
        ("C0000001", ["Krätze", "scabies"]),
        ("C0000003", ["head lice"]),
    ]
    assert rejects == []
    assert counts["read concepts", "note: MRCONSO rows"] == 5
    assert (counts["read concepts", "in"], counts["read concepts", "out"]) == (3, 2)
    assert counts["read concepts", "concept_without_name"] == 1
    assert counts["read concepts", "note: rows left out: restricted"] == 2


def test_a_run_says_how_it_read(plan: Plan, run_graph: RunGraph, counts: Counts) -> None:
    in_order = "note: in order of CUI: read stretch by stretch"
    gathered = "note: gathered first: MRCONSO is not in order of CUI"
    read(run_graph, meta_of(plan))
    assert counts["read concepts", in_order] == 1
    assert ("read concepts", gathered) not in counts
    shuffle(plan)
    read(run_graph, meta_of(plan))
    assert counts["read concepts", gathered] == 1


def test_the_order_of_rows_changes_nothing(
    tmp_path: Path, run_graph: RunGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample, in stretches of some ten concepts, and upside down."""
    monkeypatch.setattr("pipeline.stages.meta.pieces", partial(pieces, piece_size=4_000))
    sample = load_plan("sample")
    copy = tmp_path / "META"
    shutil.copytree(sample.umls.meta, copy)
    changed = load_plan("sample", [f"umls.meta={copy}", "umls.buckets=5"])
    meta = meta_of(changed)
    assert len(meta.spans) > 40
    straight, _ = read(run_graph, meta)
    assert len(straight) > 500
    shuffle(changed)
    assert read(run_graph, meta_of(changed)) == (straight, [])


@pytest.mark.parametrize("order", [lambda plan: None, shuffle])
@pytest.mark.parametrize(
    ("table", "row", "reason"),
    [
        ("MRCONSO", b"C0000003|ENG|P|\n", "field_count"),
        ("MRSTY", b"C0000003|T047|A1|M\xe9ni\xe8re|AT9||\n", "not_utf8"),
        ("MRSTY", b"C00003|T047|A1|Disease|AT9||\n", "not_a_cui"),
    ],
)
def test_bad_rows_stop_or_are_rejected(
    plan: Plan,
    run_graph: RunGraph,
    order: Callable[[Plan], None],
    table: str,
    row: bytes,
    reason: str,
) -> None:
    expected, _ = read(run_graph, meta_of(plan))
    path = Path(plan.umls.meta, f"{table}.RRF")
    lines = path.read_bytes().count(b"\n")
    path.write_bytes(path.read_bytes() + row)
    order(plan)
    with pytest.raises(Exception, match=rf"{table}\.RRF:\d+: "):
        read(run_graph, meta_of(plan))
    lenient = dataclasses.replace(plan.umls, on_bad_rows="reject", max_bad_rows=1)
    found, rejects = read(run_graph, meta_of(dataclasses.replace(plan, umls=lenient)))
    assert found == expected
    line = lines + 1 if path.read_bytes().endswith(row) else 1
    assert rejects == [Reject("read concepts", f"{table}.RRF:{line}", reason)]
    strict = dataclasses.replace(lenient, max_bad_rows=0)
    with pytest.raises(Exception, match=r"1 bad rows, more than umls\.max_bad_rows = 0"):
        read(run_graph, meta_of(dataclasses.replace(plan, umls=strict)))


def test_what_mrfiles_says_is_checked(plan: Plan, run_graph: RunGraph) -> None:
    folder = Path(plan.umls.meta)
    path = folder / "MRSTY.RRF"
    size = path.stat().st_size
    row = f"MRSTY.RRF|Types|{','.join(COLUMNS['MRSTY'])}|6|3|{size}|\n"
    (folder / "MRFILES.RRF").write_text(row, "utf-8")
    read(run_graph, meta_of(plan))
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])
    with pytest.raises(Exception, match=r"MRSTY\.RRF: 2 rows in .* copy or download it again"):
        read(run_graph, meta_of(plan))
    path.write_bytes(whole[: size // 2])
    with pytest.raises(Exception, match=r"MRSTY\.RRF:2: 3 fields, expected 6; .* truncated"):
        read(run_graph, meta_of(plan))


def test_definitions_have_the_language_of_their_source(plan: Plan, run_graph: RunGraph) -> None:
    folder = Path(plan.umls.meta)
    with (folder / "MRSAB.RRF").open("a", encoding="utf-8") as file:
        file.write(f"{sab('OPENGER', 0, 'GER')}\n{sab('OPENSPA', 0, 'SPA')}\n{sab('ANY', 0, '')}\n")
    sources = ("OPEN", "OPENGER", "OPENSPA", "ANY")
    rows = (f"C0000001|A1|AT{at}||{name}|{name}'s text|N||" for at, name in enumerate(sources))
    (folder / "MRDEF.RRF").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    scabies, _ = read(run_graph, meta_of(plan))[0]
    assert [(one.source, one.language) for one in scabies.definitions] == [
        ("OPEN", "en"),
        ("OPENGER", "de"),
    ]


def test_concepts_are_written_as_they_are_read(
    plan: Plan, tmp_path_factory: pytest.TempPathFactory, run_graph: RunGraph
) -> None:
    folder, meta = tmp_path_factory.mktemp("concepts"), meta_of(plan)

    def lay_out(graph: beam.Pipeline) -> Laid:
        names, rejects = graph | WriteConcepts(meta, str(folder))
        return {"names": names, "rejects": rejects}

    assert run_graph(lay_out) == {"names": ["concepts-C0000001.parquet"], "rejects": []}
    table = pq.read_table(folder / "concepts-C0000001.parquet")
    found = [concept for batch in table.to_batches() for concept in concepts_of(batch)]
    assert found == read(run_graph, meta)[0]


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
    assert [one for one in read_retired(meta.tables) if isinstance(one, tuple)] == FATES


def test_a_release_may_lack_the_optional_tables(plan: Plan, run_graph: RunGraph) -> None:
    Path(plan.umls.meta, "MRCUI.RRF").unlink()
    meta = meta_of(plan)
    assert set(meta.tables) == {"MRCONSO", "MRSTY", "MRSAB"}

    def lay_out(graph: beam.Pipeline) -> Laid:
        return {"fates": (graph | ReadRetired(meta)).main}

    assert run_graph(lay_out) == {"fates": []}
