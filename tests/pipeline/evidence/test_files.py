import gzip
import io
from collections.abc import Callable

import pytest

from pipeline.evidence import EvidenceError
from pipeline.evidence.files import json_document, json_lines, lines


def opener(content: bytes) -> Callable[[str], io.BytesIO]:
    return lambda path: io.BytesIO(content)


def rows(content: bytes, path: str = "f.jsonl") -> list[object]:
    return [row for _, row in json_lines(path, opener(content), "a")]


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": 1}\n{"a": 2}\n',
        b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"a": 2}',
        b'\n  \n{"a": 1}\n{"a": 2}\n\n',
    ],
)
def test_marks_blank_lines_and_line_ends_change_nothing(content: bytes) -> None:
    assert rows(content) == [{"a": 1}, {"a": 2}]
    assert rows(gzip.compress(content), "f.jsonl.gz") == [{"a": 1}, {"a": 2}]


def test_only_line_feeds_end_a_line() -> None:
    text = "one\u2028still one\x85still\x1cone\ntwo"
    assert [line for _, line in lines("f", opener(text.encode()))] == text.split("\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1}\n{"a": \n', "f.jsonl:2: .*expected JSON"),
        (b'{"a": 1}\n\n{"a": "\xff"}\n', "f.jsonl:3: byte 0xff at 8 is not UTF-8"),
        (b'{"a": 1}\n[1]\n', "f.jsonl:2: a JSON list, expected an object"),
        (b'{"b": 1}\n', "f.jsonl:1: no 'a' among the keys"),
        (b'{"a": "\x00"}\n', "f.jsonl:1: Invalid control character at column 8, expected JSON"),
        (b'{"a": "\\ud800"}\n', "f.jsonl:1: .*surrogates not allowed"),
        (b'{"a": ' + b"[" * 100_000 + b"\n", "f.jsonl:1: "),
        (b"", "f.jsonl: the file holds no record"),
        (b"\n\n", "f.jsonl: the file holds no record"),
        ("{}".encode("utf-16"), "f.jsonl:1: byte 0xff at 1 is not UTF-8"),
    ],
)
def test_damage_names_file_and_line(content: bytes, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        rows(content)


def test_truncated_gzip_is_an_error_and_not_fewer_rows(
    truncated: Callable[[bytes], bytes],
) -> None:
    content = b"".join(b'{"a": %d}\n' % number for number in range(100_000))
    with pytest.raises(EvidenceError, match=r"f.jsonl.gz:\d+: the gzip data is truncated"):
        rows(truncated(content), "f.jsonl.gz")


@pytest.mark.parametrize("content", [b"", b'{"a": 1}\n', b"\x1f"])
def test_gz_without_gzip_data_is_an_error(content: bytes) -> None:
    with pytest.raises(EvidenceError, match="not gzip data"):
        rows(content, "f.jsonl.gz")


def test_damaged_gzip_block_is_an_error() -> None:
    archive = bytearray(gzip.compress(b'{"a": 1}\n' * 1000))
    archive[20] ^= 0xFF
    with pytest.raises(EvidenceError, match="truncated or damaged"):
        rows(bytes(archive), "f.jsonl.gz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n"b": }', "f.json:2: .*expected JSON"),
        (b'{\n"a": "\xff"}', "f.json:2: byte 0xff is not UTF-8"),
        (b"[]", "f.json: a JSON list, expected an object"),
        (b"{}", "f.json: no 'a'"),
        (b"", "f.json: .*expected JSON"),
    ],
)
def test_damage_of_a_document_names_its_line(content: bytes, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        json_document("f.json", opener(content), "a")


def test_a_document_may_have_a_mark_and_be_compressed(
    truncated: Callable[[bytes], bytes],
) -> None:
    content = b'\xef\xbb\xbf{"a": 1}'
    assert json_document("f.json", opener(content)) == {"a": 1}
    assert json_document("f.json.gz", opener(gzip.compress(content))) == {"a": 1}
    with pytest.raises(EvidenceError, match="truncated"):
        json_document("f.json.gz", opener(truncated(content * 100)))
