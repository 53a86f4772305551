from pathlib import Path

import pytest

from umls_tools.blocks import Span, after_last_line, before_last_concept, read_blocks
from umls_tools.files import TableFile, open_local
from umls_tools.rows import PADDING


@pytest.mark.parametrize(
    ("chunk", "line", "concept"),
    [
        (b"C1|a|\nC1|b|\nC2|c|\nC2|d|\n", 24, 12),
        (b"C1|a|\nC1|b|\nC2|c|\nC2|d|\nC2|", 24, 12),
        (b"C1|a|\nC2|b|\nC3|c|\n", 18, 12),
        (b"C1|a|\nC1|b|\nC1|c|\n", 18, 18),  # nothing else: cut where the line ends
        # The first line may have begun in an earlier chunk, so that its concept is not known.
        (b"|a|\nC2|b|\nC2|c|\n", 16, 16),
        (b"C1|a|\nC1|b|\nC12|c|\n", 19, 12),
        (b"C1|a|\n", 6, 6),
        (b"\n", 1, 1),
        (b"\n\n\n", 3, 2),
        (b"C1|a", 0, 0),
        (b"", 0, 0),
    ],
)
def test_where_a_block_may_end(chunk: bytes, line: int, concept: int) -> None:
    assert after_last_line(chunk) == line
    assert before_last_concept(chunk) == concept


@pytest.mark.parametrize("cut_of", [after_last_line, before_last_concept])
@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_blocks_are_the_file(tmp_path: Path, cut_of: object, size: int) -> None:
    text = b"".join(b"C%d|%d|\n" % (row // 5, row) for row in range(40)) + b"C9|end"
    (tmp_path / "MRSTY.RRF").write_bytes(text)
    span = Span(TableFile("MRSTY", (str(tmp_path / "MRSTY.RRF"),)))
    blocks = list(read_blocks(span, open_local, size, cut_of))  # type: ignore[arg-type]
    lines = [block.data.removesuffix(PADDING) for block in blocks]
    assert b"".join(lines) == text
    assert all(part.endswith(b"\n") for part in lines[:-1])
    assert [block.start for block in blocks] == [
        len(b"".join(lines[:before])) for before in range(len(lines))
    ]
