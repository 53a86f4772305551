"""What systems that encode texts share: their settings, and a corpus that is encoded once."""

import abc
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import ClassVar

from pipeline.scorer.release import Document
from pipeline.systems.base import Index, System, SystemsError
from pipeline.systems.cache import Arrays, content_key, kept
from pipeline.systems.checkpoints import DTYPES, Weights
from pipeline.systems.encoding import Reading, Text
from pipeline.systems.matching import MatchingIndex

VERSION = 1  # of how texts become what is kept; raise it when that changes
_COMMIT = re.compile("[0-9a-f]{40}")
# What a corpus is encoded with does not depend on these.
_OF_QUERIES = ("cache", "device", "query_length")


@dataclass(frozen=True)
class Encoders(System):
    """A system whose model is a folder or a name of the Hub; equal settings share encodings.

    `model` and `revision` are pinned together: another model needs its own revision, while a
    folder is known by its content.
    """

    size: ClassVar[str] = ""  # of the download
    query_prefix: ClassVar[str] = ""
    document_prefix: ClassVar[str] = ""

    model: str = ""  # a folder, or a name of the Hub
    revision: str = ""  # commit on the Hub; a folder needs none
    device: str = "auto"  # or cpu, cuda, cuda:1; auto is a GPU where there is one
    dtype: str = "float32"  # or bfloat16, float16: faster on a GPU, less exact
    batch_size: int = 32
    query_length: int = 512  # tokens of a query that are read
    document_length: int = 512  # tokens of a document that are read
    cache: str = "build/vectors"  # folder of encoded corpora; "" keeps none

    def __post_init__(self) -> None:
        """Refuse settings with which nothing can be read."""
        if self.batch_size < 1:
            raise ValueError(f"batch_size: {self.batch_size}; expected 1 or more")
        if min(self.query_length, self.document_length) < 0:
            raise ValueError("query_length and document_length: expected numbers of tokens")
        if self.dtype not in DTYPES:
            raise ValueError(f"dtype: {self.dtype!r}; known are {', '.join(DTYPES)}")

    @abc.abstractmethod
    def encoded(self, texts: Sequence[Text]) -> Arrays:
        """Encode the texts of documents, a row for each."""

    @abc.abstractmethod
    def matching(self, ids: Sequence[str], rows: Sequence[int], arrays: Arrays) -> MatchingIndex:
        """An index over documents, with the row of each in what was encoded."""

    def index(self, documents: Sequence[Document]) -> Index:
        """Encode what the documents say, or take what was encoded before."""
        if not documents:
            raise SystemsError("the corpus holds no document; was the release fetched whole?")
        texts = [self.document_text(document) for document in documents]
        distinct = sorted(set(texts))
        rows = {text: row for row, text in enumerate(distinct)}
        arrays = kept(self.cache, self._key(distinct), lambda: self.encoded(distinct))
        ids = [document.document_id for document in documents]
        return self.matching(ids, [rows[text] for text in texts], arrays)

    def document_text(self, document: Document) -> Text:
        """What is read of a document: its title and its text."""
        return (self.document_prefix + f"{document.title} {document.text}".strip(),)

    def query_weights(self) -> Weights:
        """What reads queries."""
        default = (type(self).model, type(self).revision)
        return self.pinned(self.model, self.revision, default)

    def document_weights(self) -> Weights:
        """What reads documents: by default the same."""
        return self.query_weights()

    def pinned(self, model: str, revision: str, default: tuple[str, str]) -> Weights:
        """Weights whose state is known; raises SystemsError where it would not be."""
        if not model:
            raise SystemsError(f"{self.name}: no model; set model to a folder or a name of the Hub")
        if Path(model).is_dir():
            return Weights(model, "", self.device, self.dtype, self.size)
        if not revision or (model != default[0] and revision == default[1]):
            raise SystemsError(
                f"{self.name}: {model} is no folder, and of the Hub's model no commit is pinned "
                "here; correct the path, or set revision to the commit that is meant"
            )
        if not _COMMIT.fullmatch(revision):
            raise SystemsError(
                f"{self.name}: revision {revision!r} may move; set it to a commit's 40 digits"
            )
        return Weights(model, revision, self.device, self.dtype, self.size)

    @property
    def query_reading(self) -> Reading:
        """How queries are read."""
        return Reading(self.query_length, self.batch_size)

    @property
    def document_reading(self) -> Reading:
        """How documents are read."""
        return Reading(self.document_length, self.batch_size)

    def _key(self, texts: Sequence[Text]) -> str:
        settings = {key: value for key, value in asdict(self).items() if key not in _OF_QUERIES}
        settings.pop("model")
        libraries = {name: _version(name) for name in ("torch", "transformers")}
        state = self.document_weights().state
        return content_key([VERSION, self.name, settings, state, libraries, texts])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
