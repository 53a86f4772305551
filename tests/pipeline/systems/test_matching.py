from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.systems import matching
from pipeline.systems.base import Asked
from pipeline.systems.cache import content_key, kept
from pipeline.systems.encoding import Array
from pipeline.systems.matching import MatchingIndex, Rows, cut, spread, take
from pipeline.systems.pooling import of_unit_length


@pytest.mark.parametrize(
    ("sizes", "most", "expected"),
    [
        ([1, 1, 1, 1, 1], 2, [[0, 1], [2, 3], [4]]),
        ([5, 1, 1], 2, [[0], [1, 2]]),
        ([1, 9, 1], 3, [[0], [1], [2]]),
        ([], 3, []),
    ],
)
def test_rows_are_cut_into_blocks(sizes: list[int], most: int, expected: list[list[int]]) -> None:
    blocks = cut(np.array(sizes, np.int64), most)
    assert [block.tolist() for block in blocks] == expected


@given(st.lists(st.integers(0, 4), max_size=8), st.integers(0, 3))
def test_runs_are_spread_one_after_another(lengths: list[int], first: int) -> None:
    starts = [first + 10 * place for place in range(len(lengths))]
    expected = [
        start + step for start, size in zip(starts, lengths, strict=True) for step in range(size)
    ]
    assert spread(np.array(starts, np.int64), np.array(lengths, np.int64)).tolist() == expected


@pytest.mark.parametrize("rows", [[1, 2, 3], [0, 2, 3], [], [4]])
def test_rows_are_taken(rows: list[int]) -> None:
    array = np.arange(10).reshape(5, 2)
    chosen = np.array(rows, np.int64)
    assert take(array, chosen).tolist() == array[chosen].tolist()


def test_vectors_of_unit_length() -> None:
    vectors = of_unit_length(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 0.0]]


class Product(MatchingIndex):
    """Small whole numbers for vectors, whose products are exact."""

    def __init__(self, rows: Sequence[int], vectors: Array, queries: Array) -> None:
        super().__init__([f"d{place:02}" for place in range(len(rows))], rows)
        self.vectors, self.queries = vectors, queries

    def read(self, queries: Sequence[Asked]) -> list[Array]:
        return [self.queries[int(query.query_id)] for query in queries]

    def match(self, encoded: Sequence[Array], rows: Rows) -> Array:
        product: Array = np.stack(encoded) @ self.vectors[rows].T
        return product


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=20),
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=7, max_size=7),
    st.integers(1, 25),
    st.integers(1, 4),
)
def test_search_is_a_full_sort(
    rows: list[int], vectors: list[tuple[int, int]], depth: int, block: int
) -> None:
    queries = np.array([[1, 0], [1, 1], [-2, 1]], np.float32)
    index = Product(rows, np.array(vectors, np.float32), queries)
    asked = [Asked(str(place), "", "en") for place in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROWS", block)
        patch.setattr(matching, "QUERIES", block)
        hits = list(index.search(asked, depth))
    expected = []
    for query, one in zip(asked, queries.tolist(), strict=True):
        ranked = sorted(
            (sum(a * b for a, b in zip(one, vectors[row], strict=True)), f"d{place:02}")
            for place, row in enumerate(rows)
        )
        expected += [(query.query_id, name, score) for score, name in ranked[::-1][:depth]]
    assert [(hit.query_id, hit.document_id, hit.score) for hit in hits] == expected


def test_keys_tell_contents_apart() -> None:
    contents = (["a", "b"], ["ab"], ["b", "a"], [["a"], "b"], {"a": "b"})
    assert len({content_key(content) for content in contents}) == len(contents)


def test_nothing_is_kept_without_a_folder() -> None:
    made = iter(range(2))
    numbers = [int(kept("", "key", lambda: {"n": np.array(next(made))})["n"]) for _ in range(2)]
    assert numbers == [0, 1]
