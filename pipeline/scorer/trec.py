"""TREC run files: six fields a line, ``query Q0 document rank score tag``; ranks are ignored.

A file is parsed as a block first; whatever that cannot take, or finds wrong, is read again line
by line, which is slower and can name the line.
"""

import gzip
import io
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.scorer.codes import encode, encode_strings, to_numbers
from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.rankings import Ranking, first_duplicate, first_not_finite

FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
EMPTY_FIELDS = (b"  ", b"\n ", b"\r ", b" \n", b" \r")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_trec(path: Path) -> Ranking:
    """Read a run file, compressed where its name ends in ``.gz``.

    Raises ScorerError, naming the line, for a wrong number of fields, a score that is no finite
    number, a document ranked twice for one query, and text that is not UTF-8.
    """
    data = _read_bytes(path).removeprefix(BYTE_ORDER_MARK)
    ranking = _parse_block(str(path), data)
    if ranking is None or _is_faulty(ranking):
        return _parse_lines(str(path), data)
    return ranking


def _read_bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError as error:
        raise RequestError(f"{path}: no such run file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ScorerError(f"{path}: cannot be read whole ({error}); copy it again") from error


def _parse_block(source: str, data: bytes) -> Ranking | None:
    """All lines at once; None unless they are UTF-8 in six fields, with one blank between two."""
    import pyarrow as pa  # noqa: PLC0415 - the scorer's help must not wait for it
    from pyarrow import csv  # noqa: PLC0415

    spaced = data.replace(b"\t", b" ")
    if spaced.startswith(b" ") or any(blank in spaced for blank in EMPTY_FIELDS):
        return None
    types = {"query": pa.string(), "document": pa.string(), "score": pa.float64()}
    try:
        table = csv.read_csv(
            io.BytesIO(spaced),
            read_options=csv.ReadOptions(column_names=FIELDS, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False, escape_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types, include_columns=list(types), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    if table["score"].null_count:  # what a score such as "nan" or "NULL" has become
        return None
    query_ids, query_codes = encode(table["query"])
    document_ids, document_codes = encode(table["document"])
    scores = to_numbers(table["score"]).astype(np.float64)
    return Ranking(source, query_ids, document_ids, query_codes, document_codes, scores)


def _is_faulty(ranking: Ranking) -> bool:
    return first_not_finite(ranking) is not None or first_duplicate(ranking) is not None


def _parse_lines(source: str, data: bytes) -> Ranking:
    """Line by line, with any blanks between fields."""
    rows: dict[tuple[str, str], float] = {}
    for place, line in _lines(source, data):
        fields = line.split()
        if len(fields) != len(FIELDS):
            shape = f"expected {len(FIELDS)} ({' '.join(FIELDS)})"
            raise ScorerError(f"{place}: {len(fields)} fields, {shape}")
        query, _, document, _, score, _ = fields
        if (query, document) in rows:
            again = f"document {document} is ranked again for query {query}"
            raise ScorerError(f"{place}: {again}; keep one of the lines")
        rows[query, document] = _parse_score(place, score)
    query_ids, query_codes = encode_strings([query for query, _ in rows])
    document_ids, document_codes = encode_strings([document for _, document in rows])
    scores = np.array(list(rows.values()), np.float64)
    return Ranking(source, query_ids, document_ids, query_codes, document_codes, scores)


def _lines(source: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    for number, line in enumerate(data.splitlines(), 1):
        place = f"{source}:{number}"
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ScorerError(f"{place}: not UTF-8 ({error.reason}); write it again") from error
        if text.strip():
            yield place, text


def _parse_score(place: str, text: str) -> float:
    try:
        # Python reads more than numbers of the format: digit groups, digits of any script.
        score = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ScorerError(f"{place}: score {text!r} is no finite number; every document needs one")
    return score
