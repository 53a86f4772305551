"""Whatever is done to a file: a clear error, or every row kept, left out or told as bad."""

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.records import LANGUAGES
from umls_tools.blocks import Span
from umls_tools.concepts import SCHEMAS
from umls_tools.files import TableFile, locate
from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_selected
from umls_tools.rrf import BadRow, RrfError, read_rows
from umls_tools.rrf import _Reader as RrfReader
from umls_tools.survey import survey

SAMPLE = Path(__file__).parents[2] / "pipeline" / "sample" / "META"
TABLES = locate(str(path) for path in SAMPLE.iterdir())
META = Metathesaurus(TABLES, assembly_of(TABLES, tuple(LANGUAGES), 0))
NOISE = (b"|", b"\n", b"\r\n", b"\xff", b"\x00", b'"', b"||", b"\xe2\x80\xa8", b"|\n", b"C0", b" ")


def damaged(data: bytes, seed: int, times: int) -> bytes:
    """Bytes put in, taken out, or put somewhere else, at places that the seed draws."""
    dice = random.Random(seed)
    for _ in range(times):
        place, length = dice.randrange(len(data)), dice.randrange(40)
        put = dice.choice([b"", dice.choice(NOISE), data[place - length : place]])
        taken = dice.choice([0, 1, length])
        data = data[:place] + put + data[place + taken :]
    return data


@pytest.mark.parametrize("table", SCHEMAS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    times=st.integers(1, 12),
    block_size=st.sampled_from([2000, 1 << 20]),
)
def test_no_row_is_lost_without_a_count(
    tmp_path_factory: pytest.TempPathFactory, table: str, seed: int, times: int, block_size: int
) -> None:
    lines = Path(TABLES[table].name).read_bytes().splitlines(keepends=True)
    data = damaged(b"".join(lines[:60]), seed, times)
    path = tmp_path_factory.mktemp("damaged") / f"{table}.RRF"
    path.write_bytes(data)
    file, bad = TableFile(table, (str(path),)), list[BadRow]()
    try:
        blocks = read_rows(Span(file), bad=bad.append, block_size=block_size)
        whole = sum(len(rows) for rows in blocks)
        counts: Counter[str] = Counter()
        watch = Watch(counts.update, lambda row: None)
        kept = sum(len(one.keys) for one in read_selected(Span(file), META, watch))
    except RrfError as error:
        assert f"{table}.RRF" in str(error)
        return
    blank = sum(not line.rstrip(b"\r") for line in data.split(b"\n"))
    assert whole + len(bad) == data.count(b"\n") + 1 - blank
    assert [row.line for row in bad] == sorted({row.line for row in bad})
    left_out = counts.total() - counts[f"{table} rows"]
    assert kept + left_out == counts[f"{table} rows"] == whole
    survey(Span(file), META.assembly)


@pytest.mark.parametrize("block_size", [64, 1000, 1 << 20])
def test_a_bad_row_is_told_by_its_line_wherever_the_reading_began(
    tmp_path: Path, block_size: int
) -> None:
    lines = Path(TABLES["MRSTY"].name).read_bytes().splitlines(keepends=True)
    lines[40] = b"C0000001|T047|\n"
    path = tmp_path / "MRSTY.RRF"
    path.write_bytes(b"".join(lines))
    file = TableFile("MRSTY", (str(path),))
    for first in (0, 1, 30, 40):
        bad: list[BadRow] = []
        span = Span(file, len(b"".join(lines[:first])), len(b"".join(lines[:60])))
        found = sum(len(rows) for rows in read_rows(span, bad=bad.append, block_size=block_size))
        assert [(row.line, row.reason) for row in bad] == [(41, "field_count")]
        assert found == 60 - first - 1


def test_only_the_block_of_a_bad_row_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = Path(TABLES["MRSTY"].name).read_bytes().splitlines(keepends=True)
    path = tmp_path / "MRSTY.RRF"
    path.write_bytes(b"".join([*lines[:300], b"short|\n", *lines[300:]]))
    looked_at: list[bytes] = []
    original = RrfReader._fits

    def count(self: object, line: bytes, number: int) -> bool:
        looked_at.append(line)
        return bool(original(self, line, number))  # type: ignore[arg-type]

    monkeypatch.setattr(RrfReader, "_fits", count)
    file, bad = TableFile("MRSTY", (str(path),)), list[BadRow]()
    list(read_rows(Span(file), bad=bad.append, block_size=1000))
    assert len(bad) == 1
    assert 0 < len(looked_at) < 40
