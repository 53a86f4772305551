"""What every reader of English evidence is, takes and gives."""

import abc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, ClassVar, TypeAlias

from pipeline.records import Passage, Question, Reject

STAGE = "evidence"

Evidence: TypeAlias = Passage | Question | Reject
"""What a reader yields: nothing that stands in a file is left out without a ``Reject``."""

OpenFile: TypeAlias = Callable[[str], BinaryIO]
"""Opens a path for reading and gives its bytes as stored: readers decompress themselves.

A function that decompresses on the way hides a truncated file, and is refused by the readers.
"""


class EvidenceError(ValueError):
    """A file of evidence that cannot be read; names file, line, thing and remedy."""


class Reader(abc.ABC):
    """One format of evidence; subclasses are frozen dataclasses whose fields are plan keys."""

    licence: str
    """Under which the passages and questions may be passed on: an SPDX expression."""

    revised: ClassVar[bool] = False
    """Whether a later file may replace or withdraw what an earlier one holds."""

    @abc.abstractmethod
    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """The units of work among the paths under a folder, sorted; no two share an id.

        Raises ``EvidenceError`` when there is none. ``pipeline.evidence.units.paths`` tells
        which files a unit is made of.
        """

    @abc.abstractmethod
    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Everything a unit holds, in an order that depends on nothing but its content.

        A unit that turns out to be damaged raises before its first record.
        """


def open_local(path: str) -> BinaryIO:
    """Open a file of this machine."""
    return Path(path).open("rb")


def reject(key: str, reason: str, detail: str = "") -> Reject:
    """Something that a reader leaves out."""
    return Reject(STAGE, key, reason, detail)
