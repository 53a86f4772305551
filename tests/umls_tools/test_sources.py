import itertools
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.sources import LANGUAGE_COLUMNS, source_lats

Rows = Callable[..., pa.RecordBatch]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["MSH ENG Y", "MSHFRE FRE Y"], {"MSH": "ENG", "MSHFRE": "FRE"}),
        (["MSH ENG Y", "MSH ENG Y"], {"MSH": "ENG"}),
        (["MSH SPA N", "MSH ENG Y"], {"MSH": "ENG"}),
        (["MSH SPA N", "MSH ENG N"], {}),
        (["MSH SPA Y", "MSH ENG Y"], {}),
        (["MSH - Y", "MSH ENG Y"], {}),
        (["MSH - Y", "DOID ENG Y"], {"DOID": "ENG"}),
        (["- ENG Y"], {}),
        ([], {}),
    ],
)
def test_only_a_source_of_one_language_has_a_language(
    rows: Rows, lines: list[str], expected: dict[str, str]
) -> None:
    for order in itertools.permutations(lines):
        assert source_lats([rows(LANGUAGE_COLUMNS, *order)]) == expected
        assert source_lats(rows(LANGUAGE_COLUMNS, line) for line in order) == expected
