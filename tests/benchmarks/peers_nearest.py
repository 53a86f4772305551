"""The nearest names by others, who compare each name with all: jobs that run among the peers."""

from pathlib import Path

from tests.benchmarks.timing import timed


def sparse_dot_topn_nearest(names_path: str, found_path: str, size: str, every: str) -> int:
    """Of every so manieth name the nearest ones, and their cosines, by an exact product.

    Among them is the name itself.
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    names = Path(names_path).read_text("utf-8").splitlines()
    with timed("search"):
        vectorizer = TfidfVectorizer(
            analyzer="char_wb", ngram_range=(3, 3), lowercase=False, dtype=np.float32
        )
        table = vectorizer.fit_transform(names)
        others = table.T.tocsr()
    with timed("search"), timed("product"):
        found = sp_matmul_topn(table[:: int(every)], others, int(size), sort=True, n_threads=1)
    shape = found.shape[0], int(size)
    filled = np.arange(shape[1]) < np.diff(found.indptr)[:, None]
    places, cosines = np.full(shape, -1), np.zeros(shape, np.float32)
    places[filled], cosines[filled] = found.indices, found.data
    np.savez(found_path, places=places, cosines=cosines)
    return len(names)
