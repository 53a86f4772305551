"""Whole Metathesauri, however their files lie and in whatever order their rows stand."""

import gzip
import random
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pipeline.records import LANGUAGES, Concept
from umls_tools.buckets import cut, gathered
from umls_tools.concept_batches import concepts_of
from umls_tools.concepts import SCHEMAS, assemble
from umls_tools.errors import RrfError
from umls_tools.files import TableFile, locate, members, open_local
from umls_tools.inventory import FILE_COLUMNS, check_columns, miscounts, stated_files
from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_concepts, read_selected
from umls_tools.relations import inverse
from umls_tools.rrf import read_batches, read_rows
from umls_tools.spans import pieces, stretches, whole_rows
from umls_tools.survey import Order, order_of, survey

SAMPLE = Path(__file__).parents[2] / "pipeline" / "sample" / "META"
Tables = dict[str, TableFile]
Found = tuple[list[Concept], Counter[str]]


def tables_of(folder: Path) -> Tables:
    return locate(members(str(path) for path in folder.iterdir()))


def surveyed(tables: Tables, piece_size: int = 50_000) -> Order:
    assembly = assembly_of(tables, tuple(LANGUAGES), 0)
    spans = [
        piece
        for table in SCHEMAS
        if table in tables
        for piece in pieces(tables[table], size_of(tables[table]), piece_size)
    ]
    random.Random(7).shuffle(spans)
    return order_of(survey(span, assembly) for span in spans)


def size_of(file: TableFile) -> int:
    return Path(file.name).stat().st_size if file.may_be_cut else 0


def straight(tables: Tables, landmarks: list[str]) -> Found:
    """As they are read where files are in order."""
    counts: Counter[str] = Counter()
    assembly = assembly_of(tables, tuple(LANGUAGES), 0)
    concepts = [
        concept
        for stretch in stretches(landmarks)
        for batch in read_concepts(Metathesaurus(tables, assembly), Watch(counts.update), stretch)
        for concept in concepts_of(batch)
    ]
    return concepts, counts


def gathered_first(tables: Tables, buckets: int, piece_size: int = 50_000) -> Found:
    """As they are read where files are in no order."""
    counts: Counter[str] = Counter()
    assembly = assembly_of(tables, tuple(LANGUAGES), 0)
    meta = Metathesaurus(tables, assembly)
    parts: dict[int, dict[str, list]] = {}  # type: ignore[type-arg]
    for table in sorted(tables.keys() & SCHEMAS.keys()):
        for piece in pieces(tables[table], size_of(tables[table]), piece_size):
            span = whole_rows(piece, open_local)
            for rows in read_selected(span, meta, Watch(counts.update)):
                for side in (rows, inverse(rows)) if table == "MRREL" else (rows,):
                    for bucket, name, batch in cut(table, side, buckets):
                        parts.setdefault(bucket, {}).setdefault(name, []).insert(0, batch)
    concepts: list[Concept] = []
    for of_bucket in parts.values():
        batch, left_out = assemble(gathered(of_bucket), assembly)
        concepts += concepts_of(batch)
        counts += left_out
    return sorted(concepts, key=lambda concept: concept.cui), counts


def shuffled(folder: Path, target: Path, seed: int = 7) -> Path:
    """The same files with their rows in another order."""
    for path in sorted(folder.iterdir()):
        lines = path.read_bytes().splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        (target / path.name).write_bytes(b"".join(lines))
    return target


@pytest.fixture(scope="module")
def sample() -> Found:
    return straight(tables_of(SAMPLE), [])


def test_files_in_order_are_read_in_any_stretches(sample: Found) -> None:
    tables = tables_of(SAMPLE)
    order = surveyed(tables, piece_size=5_000)
    assert not order.why_not
    assert len(order.landmarks) > 20
    assert len(sample[0]) > 500
    assert straight(tables, list(order.landmarks[1:])) == sample
    every_cui = [concept.cui for concept in sample[0]]
    assert straight(tables, every_cui) == sample
    assert straight(tables, ["A", "C0000000", "C9999999", "Z"]) == sample


@pytest.mark.parametrize("block_size", [300, 2_000, 30_000])
def test_concepts_may_lie_across_blocks(
    sample: Found, monkeypatch: pytest.MonkeyPatch, block_size: int
) -> None:
    monkeypatch.setattr("umls_tools.reading.read_rows", partial(read_rows, block_size=block_size))
    assert straight(tables_of(SAMPLE), []) == sample


@pytest.mark.parametrize(("buckets", "piece_size"), [(1, 10**9), (7, 3_000), (64, 50_000)])
def test_rows_in_any_order_give_the_same_concepts(
    sample: Found, tmp_path: Path, buckets: int, piece_size: int
) -> None:
    tables = tables_of(shuffled(SAMPLE, tmp_path))
    assert surveyed(tables).why_not == "MRCONSO is not in order of CUI"
    assert gathered_first(tables, buckets, piece_size) == sample
    assert gathered_first(tables_of(SAMPLE), buckets, piece_size) == sample


def test_open_metathesaurus_in_any_order(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "openmeta" / "META"
    order = surveyed(tables_of(folder), piece_size=400_000)
    assert not order.why_not
    assert order.rows == {"MRCONSO": 73_987, "MRSTY": 24_342, "MRDEF": 6_364, "MRREL": 27_144}
    expected = straight(tables_of(folder), list(order.landmarks[1:]))
    assert len(expected[0]) == 27_520
    shuffle = tables_of(shuffled(folder, tmp_path))
    assert surveyed(shuffle).why_not
    assert gathered_first(shuffle, 16) == expected


def only(table: str, change: Callable[[bytes], bytes], target: Path) -> Tables:
    """The sample with one file changed."""
    for path in SAMPLE.iterdir():
        data = path.read_bytes()
        (target / path.name).write_bytes(change(data) if path.stem == table else data)
    return tables_of(target)


def without_children(data: bytes) -> bytes:
    return b"".join(line for line in data.splitlines(keepends=True) if b"|CHD|" not in line)


def test_relations_stored_from_one_end_are_gathered(sample: Found, tmp_path: Path) -> None:
    tables = only("MRREL", without_children, tmp_path)
    assert surveyed(tables).why_not == "MRREL does not store every relation from both ends"
    assert gathered_first(tables, 5)[0] == sample[0]


def swap_last_rows(data: bytes) -> bytes:
    *rest, one, two = data.splitlines(keepends=True)
    return b"".join([*rest, two, one])


@pytest.mark.parametrize("table", ["MRCONSO", "MRSTY", "MRDEF", "MRREL"])
def test_a_single_row_out_of_order_is_noticed(tmp_path: Path, table: str) -> None:
    lines = (SAMPLE / f"{table}.RRF").read_bytes().splitlines(keepends=True)
    last = lines[-1][:8]
    moved = b"".join([lines[-1], *(line for line in lines[:-1] if line[:8] != last)])
    tables = only(table, lambda _: moved, tmp_path)
    for piece_size in (3_000, 10**9):
        assert surveyed(tables, piece_size).why_not == f"{table} is not in order of CUI"


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def without_last_pipe(data: bytes) -> bytes:
    return data.replace(b"|\n", b"\n")


def with_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


@pytest.mark.parametrize(
    "change",
    [
        crlf,
        without_last_pipe,
        with_mark,
        lambda data: without_last_pipe(data).replace(b"\n", b"\r\n"),
    ],
)
def test_line_ends_and_marks_change_nothing(
    sample: Found, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    for path in SAMPLE.iterdir():
        (tmp_path / path.name).write_bytes(change(path.read_bytes()))
    tables = tables_of(tmp_path)
    landmarks = [] if change is with_mark else list(surveyed(tables, 9_000).landmarks[1:])
    assert straight(tables, landmarks) == sample
    assert gathered_first(tables, 3) == sample


def halves(data: bytes) -> tuple[bytes, bytes]:
    return data[: len(data) // 2], data[len(data) // 2 :]


def as_gzip(target: Path) -> None:
    for path in SAMPLE.iterdir():
        (target / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))


def as_parts(target: Path) -> None:
    """Cut anywhere, also within a row, as `split` does."""
    for path in SAMPLE.iterdir():
        for letters, part in zip(("aa", "ab"), halves(path.read_bytes()), strict=True):
            (target / f"{path.name}.{letters}.gz").write_bytes(gzip.compress(part))


def as_zip(target: Path) -> None:
    with zipfile.ZipFile(target / "umls-metathesaurus-full.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for path in SAMPLE.iterdir():
            out.write(path, f"2025AB/META/{path.name}")


def as_parts_in_archives(target: Path) -> None:
    for number, letters in enumerate(("aa", "ab")):
        with zipfile.ZipFile(target / f"2019ab-{number + 1}-meta.nlm", "w") as out:
            for path in SAMPLE.iterdir():
                part = gzip.compress(halves(path.read_bytes())[number])
                out.writestr(f"2019AB/META/{path.name}.{letters}.gz", part)


@pytest.mark.parametrize("write", [as_gzip, as_parts, as_zip, as_parts_in_archives])
def test_compressed_files_hold_the_same(
    sample: Found, tmp_path: Path, write: Callable[[Path], None]
) -> None:
    write(tmp_path)
    tables = tables_of(tmp_path)
    assert not any(file.may_be_cut for file in tables.values())
    assert not surveyed(tables).why_not
    assert straight(tables, []) == sample


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    as_parts(tmp_path)
    (tmp_path / "MRCONSO.RRF.aa.gz").unlink()
    with pytest.raises(RrfError, match=r"part aa of MRCONSO\.RRF is missing"):
        tables_of(tmp_path)


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "umls.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(RrfError, match=r"umls\.zip: broken archive"):
        tables_of(tmp_path)


def checked(tables: Tables) -> None:
    stated = stated_files(read_batches(tables["MRFILES"], FILE_COLUMNS))
    check_columns(stated)
    order = surveyed(tables)
    if wrong := miscounts(stated, order.rows, order.bytes):
        raise RrfError(min(wrong.values()))


def test_the_sample_is_as_its_mrfiles_says(tmp_path: Path) -> None:
    checked(tables_of(SAMPLE))
    checked(only("MRCONSO", crlf, tmp_path))


def test_the_open_metathesaurus_is_as_its_mrfiles_says(shared_data: Path) -> None:
    checked(tables_of(shared_data / "openmeta" / "META"))


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("MRCONSO", lambda data: b"", r"MRCONSO\.RRF: 0 rows in 0 bytes, but MRFILES\.RRF says"),
        ("MRSTY", lambda data: data[: len(data) // 2], r"MRSTY\.RRF: .* copy or download it again"),
        ("MRDEF", lambda data: data + data[:100], r"MRDEF\.RRF: "),
        ("MRREL", lambda data: data.replace(b"PAR", b"PART", 1), r"MRREL\.RRF: "),
        (
            "MRFILES",
            lambda data: data.replace(b"CUI,LAT", b"LAT,CUI"),
            "MRCONSO has the columns LAT",
        ),
        ("MRFILES", lambda data: data.replace(b"|18|", b"|18|many", 1), "'many"),
    ],
)
def test_files_that_are_not_as_mrfiles_says_are_named(
    tmp_path: Path, table: str, change: Callable[[bytes], bytes], message: str
) -> None:
    with pytest.raises(RrfError, match=message):
        checked(only(table, change, tmp_path))
