"""Reading what a test has in mind, without files: a dictionary stands in for the disk."""

import gzip
import io
from collections.abc import Callable, Mapping
from typing import BinaryIO

import pytest

from pipeline.evidence import Evidence, Reader

Files = Mapping[str, str | bytes]
ReadAll = Callable[[Reader, Files], list[Evidence]]


def opener(files: Files) -> Callable[[str], BinaryIO]:
    def open_file(path: str) -> BinaryIO:
        content = files[path]
        return io.BytesIO(content.encode() if isinstance(content, str) else content)

    return open_file


@pytest.fixture
def read_all() -> ReadAll:
    """Everything that a reader finds in some files, unit after unit."""

    def read(reader: Reader, files: Files) -> list[Evidence]:
        units = reader.units(sorted(files))
        return [found for unit in units for found in reader.read(unit, opener(files))]

    return read


@pytest.fixture
def truncated() -> Callable[[bytes], bytes]:
    """A gzip archive that lost its last bytes."""
    return lambda content: gzip.compress(content, mtime=0)[:-12]
