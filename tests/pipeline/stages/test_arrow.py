import apache_beam as beam
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.stages.arrow import ArrowCoder

CODER = ArrowCoder()


@given(
    st.lists(st.tuples(st.text(), st.one_of(st.none(), st.integers(-9, 9)))),
    st.integers(0, 5),
)
def test_batches_come_back(rows: list[tuple[str, int | None]], start: int) -> None:
    batch = pa.record_batch(
        [pa.array([row[0] for row in rows], pa.string()), pa.array([row[1] for row in rows])],
        names=["text", "number"],
    ).slice(start)
    back = CODER.decode(CODER.encode(batch))
    assert back.equals(batch)
    assert back.schema == batch.schema


def test_a_slice_leaves_its_parent_behind() -> None:
    parent = pa.record_batch([pa.array(["x" * 100] * 10_000)], names=["text"])
    assert len(CODER.encode(parent.slice(5, 2))) < 2_000 < len(CODER.encode(parent))


def test_the_coder_is_registered_for_batches() -> None:
    assert isinstance(beam.coders.registry.get_coder(pa.RecordBatch), ArrowCoder)
    assert CODER.is_deterministic()


def test_what_is_no_stream_is_an_error() -> None:
    with pytest.raises(pa.ArrowInvalid):
        CODER.decode(b"not a stream")
