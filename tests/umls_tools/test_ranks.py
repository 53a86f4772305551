from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.errors import RrfError
from umls_tools.ranks import RANK_COLUMNS, term_ranks

Rows = Callable[..., pa.RecordBatch]


def test_ranks_are_numbers_and_the_highest_counts(rows: Rows) -> None:
    batches = [
        rows(RANK_COLUMNS, "0022 MSH MH", "0009 DOID PT"),
        rows(RANK_COLUMNS, "0100 DOID PT", "0001 MSH MH"),
    ]
    assert term_ranks(batches) == {("MSH", "MH"): 22, ("DOID", "PT"): 100}


def test_a_rank_that_is_no_number_is_named(rows: Rows) -> None:
    with pytest.raises(RrfError, match=r"MRRANK\.RRF: the rank of MSH MH is 'high'"):
        term_ranks([rows(RANK_COLUMNS, "high MSH MH")])
