"""Dense retrieval trained on English web search."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.systems.dense import Dense


@dataclass(frozen=True)
class Ance(Dense):
    """ANCE, trained on MS MARCO's passages with negatives that it found itself (Xiong 2021).

    RoBERTa; the first token's state through a linear layer and a layer norm; inner product;
    queries of 64 tokens.
    """

    name: ClassVar[str] = "ance"
    size: ClassVar[str] = "0.5 GB"
    similarity: ClassVar[str] = "product"
    pooling: ClassVar[str] = "pooler"
    network: ClassVar[str] = "pipeline.systems.ance_network:AnceNetwork"

    model: str = "castorini/ance-msmarco-passage"
    revision: str = "6d7e7d6b6c59dd691671f280bc74edb4297f8234"
    query_length: int = 64
