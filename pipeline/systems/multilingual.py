"""Dense retrieval trained on many languages."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.systems.dense import Dense

BGE_M3 = "BAAI/bge-m3"
BGE_M3_REVISION = "5617a9f61b028005a4858fdac845db406aefb181"
BGE_M3_SIZE = "2.3 GB"
BGE_M3_LENGTH = 8192


@dataclass(frozen=True)
class BgeM3(Dense):
    """The dense vectors of BGE-M3 (Chen 2024): XLM-R of 8,192 tokens, first token, cosine."""

    name: ClassVar[str] = "bge-m3"
    size: ClassVar[str] = BGE_M3_SIZE

    model: str = BGE_M3
    revision: str = BGE_M3_REVISION
    query_length: int = BGE_M3_LENGTH
    document_length: int = BGE_M3_LENGTH


@dataclass(frozen=True)
class MultilingualE5(Dense):
    """multilingual-e5 (Wang 2024), of the size base: mean of the tokens, cosine.

    Queries are read behind ``query: ``, documents behind ``passage: ``, as it was trained.
    """

    name: ClassVar[str] = "multilingual-e5"
    size: ClassVar[str] = "1.1 GB"
    pooling: ClassVar[str] = "mean"
    query_prefix: ClassVar[str] = "query: "
    document_prefix: ClassVar[str] = "passage: "

    model: str = "intfloat/multilingual-e5-base"
    revision: str = "d13f1b27baf31030b7fd040960d60d909913633f"
