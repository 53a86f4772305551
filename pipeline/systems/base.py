"""What a retrieval system is: documents are indexed once, then queries of any language asked."""

import abc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pipeline.scorer.release import Document


class SystemsError(ValueError):
    """A system that cannot run, or a corpus that it cannot index; names what to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query in one language."""

    query_id: str
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A document's score for a query; equal scores are ties, and stay so in a run."""

    query_id: str
    document_id: str
    score: float


class Index(abc.ABC):
    """A task's documents, ready to be searched; hits come in no particular order."""

    @abc.abstractmethod
    def search(self, queries: Sequence[Asked], depth: int) -> Iterator[Hit]:
        """For each query at most `depth` documents of the whole corpus, the best."""

    @abc.abstractmethod
    def rerank(
        self, queries: Sequence[Asked], candidates: Mapping[str, Sequence[str]]
    ) -> Iterator[Hit]:
        """For each query all of its candidates, which are documents of the corpus."""


class System(abc.ABC):
    """A way to retrieve; subclasses are frozen dataclasses whose fields are its settings."""

    name: ClassVar[str]
    """Its name in the table of systems, and the tag of its runs."""

    @abc.abstractmethod
    def index(self, documents: Sequence[Document]) -> Index:
        """Take in a corpus, whose documents come sorted by id."""
