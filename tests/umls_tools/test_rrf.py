import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from umls_tools.columns import COLUMNS
from umls_tools.files import TableFile
from umls_tools.rrf import RrfError, read_batches

PATH = "meta/MRSTY.RRF"
FILE = TableFile("MRSTY", (PATH,))
WANTED = ("CUI", "STY")


def opener(data: bytes) -> Callable[[str], BinaryIO]:
    return lambda path: io.BytesIO(data)


def read(data: bytes, columns: tuple[str, ...] = WANTED, size: int = 4096) -> list[tuple[str, ...]]:
    batches = list(read_batches(FILE, columns, opener(data), size))
    for batch in batches:
        assert batch.schema == pa.schema([(column, pa.string()) for column in columns])
        assert batch.num_rows > 0
    return [
        row
        for batch in batches
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def shortened(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(f"C{int(cui[1:])}", *rest) for cui, *rest in rows]


def line(cui: str, sty: str) -> str:
    return f"{named(cui)}|T047|A1|{sty}|AT1||"


def named(cui: str) -> str:
    """A CUI, by a short name for it: C1 is C0000001."""
    return f"C{int(cui[1:]):07d}"


@pytest.mark.parametrize(
    "value",
    [
        'an unbalanced " quote',
        '"balanced"',
        "back\\slash \\| ".replace("|", ""),
        "NA",
        "None",
        "",
        " spaces ",
        "tab\tinside",
        "next\u0085line",
        "line\u2028separator",
        "file\x1cseparator",
        "nul\x00byte",
        "lone\rreturn",
        "m² 10⁻³",
        "高血圧",
        "\ufeffmark",
    ],
)
def test_values_survive(value: str) -> None:
    data = "\n".join([line("C1", "a"), line("C2", value), line("C3", "b"), ""]).encode()
    assert shortened(read(data)) == [("C1", "a"), ("C2", value), ("C3", "b")]
    assert shortened(read(data, size=16)) == [("C1", "a"), ("C2", value), ("C3", "b")]


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize(
    ("end_of_field", "end_of_line", "end_of_file"),
    [("|", "\n", "\n"), ("|", "\r\n", "\r\n"), ("", "\n", "\n"), ("", "\r\n", ""), ("|", "\n", "")],
)
def test_line_ends(size: int, end_of_field: str, end_of_line: str, end_of_file: str) -> None:
    lines = [f"{named(f'C{n}')}|T047|A1|Disease {n}|AT{n}|x{end_of_field}" for n in range(20)]
    data = (end_of_line.join(lines) + end_of_file).encode()
    expected = [(f"Disease {n}", named(f"C{n}"), "x") for n in range(20)]
    assert read(data, ("STY", "CUI", "CVF"), size) == expected


def test_blank_lines_and_byte_order_mark() -> None:
    data = ("\ufeff" + line("C1", "a") + "\n\n" + line("C2", "b") + "\n\n").encode()
    assert shortened(read(data)) == [("C1", "a"), ("C2", "b")]


@pytest.mark.parametrize("data", [b"", b"\n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_has_no_batches(data: bytes) -> None:
    assert read(data) == []


@given(
    st.lists(
        st.text(st.characters(blacklist_characters="|\n\r", blacklist_categories=["Cs"])),
        min_size=1,
        max_size=12,
    ),
    st.integers(20, 200),
)
def test_reads_what_was_written(values: list[str], size: int) -> None:
    data = "".join(line(f"C{n}", value) + "\n" for n, value in enumerate(values)).encode()
    expected = [(named(f"C{n}"), value) for n, value in enumerate(values)]
    assert read(data, size=size) == expected
    assert read(gzip.compress(data), size=size) == expected


GOOD = "".join(line(f"C{n}", "Disease") + "\n" for n in range(1000))


@pytest.mark.parametrize("size", [100, 4096, 1 << 22])
@pytest.mark.parametrize(
    ("tail", "message"),
    [
        ("C0000001|T047|A1|Disease|\n", "4 fields, expected 6; the file looks truncated"),
        ("C0000001|T047|A1|Disease|AT1||x|\n", "7 fields, expected 6; is it the right table"),
        (
            "C0000001|T047|A1|Dis",
            "4 fields, expected 6; the file looks truncated, download it again",
        ),
        ("C0000001|T047|A1|Disease|AT1|", "5 fields, expected 6; the file looks truncated"),
        ("C0000001|T047|A1|Disease|AT1|x", "no | at the end of the row; the file looks truncated"),
        ("garbage\n", "1 fields, expected 6"),
    ],
)
def test_a_broken_row_is_named(size: int, tail: str, message: str) -> None:
    with pytest.raises(RrfError) as caught:
        read((GOOD + tail).encode(), size=size)
    assert str(caught.value).startswith(f"{PATH}:1001: ")
    assert message in str(caught.value)


def test_rows_before_a_broken_one_keep_their_line_numbers_over_blank_lines() -> None:
    data = (line("C1", "a") + "\n\n\n" + line("C2", "b") + "\nC3|\n").encode()
    with pytest.raises(RrfError, match=rf"^{PATH}:5: "):
        read(data, size=8)


def test_bytes_that_are_not_utf8_are_named() -> None:
    data = GOOD.encode() + b"C0000001|T047|A1|M\xe9ni\xe8re|AT1||\n"
    with pytest.raises(RrfError, match=r"MRSTY\.RRF:1001: not UTF-8"):
        read(data)


@pytest.mark.parametrize("kept", [5, 30, -1, -8])
def test_a_cut_gzip_file_never_ends_quietly(kept: int) -> None:
    with pytest.raises(RrfError, match=r"broken compressed file .* download it again"):
        read(gzip.compress(GOOD.encode())[:kept])


def test_a_damaged_gzip_file_is_refused() -> None:
    data = bytearray(gzip.compress(GOOD.encode()))
    data[-6] ^= 0xFF  # the checksum
    with pytest.raises(RrfError, match="broken compressed file"):
        read(bytes(data))


def test_joined_gzip_parts_are_one_file() -> None:
    parts = [gzip.compress(part.encode()) for part in (GOOD[:777], GOOD[777:])]
    assert len(read(b"".join(parts))) == 1000


def test_something_without_lines_is_no_rrf_file() -> None:
    with pytest.raises(RrfError, match="no line end"):
        read(b"x" * (17 << 20), size=1 << 20)


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [("MRSTY", ("CUI", "NAME"), "no column NAME"), ("MRX", ("CUI",), "no table MRX; known are")],
)
def test_unknown_columns_and_tables(table: str, columns: tuple[str, ...], message: str) -> None:
    with pytest.raises(RrfError, match=message):
        next(read_batches(TableFile(table, (PATH,)), columns, opener(b"")))


def test_a_file_given_up_halfway_is_closed() -> None:
    stream = io.BytesIO(GOOD.encode())
    batches = read_batches(FILE, WANTED, lambda path: stream, 64)
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert stream.closed


def test_local_files_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "MRSTY.RRF"
    path.write_text(GOOD, encoding="utf-8", newline="")
    file = TableFile("MRSTY", (str(path),))
    assert sum(batch.num_rows for batch in read_batches(file, WANTED)) == 1000


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("MRCONSO", 73_987),
        ("MRSTY", 24_342),
        ("MRREL", 27_144),
        ("MRDEF", 6_364),
        ("MRSAB", 8),
        ("MRRANK", 22),
        ("MRCUI", 1_661),
    ],
)
def test_open_metathesaurus(openmeta_paths: dict[str, TableFile], table: str, count: int) -> None:
    file, columns = openmeta_paths[table], COLUMNS[table]
    rows = 0
    with Path(file.name).open("rb") as lines:
        for batch in read_batches(file, columns):
            rows += batch.num_rows
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                assert "|".join([*row, "\n"]).encode() == next(lines)
    assert rows == count
