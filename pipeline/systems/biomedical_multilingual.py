"""Dense retrieval trained on biomedicine in many languages."""

from dataclasses import dataclass, replace
from typing import ClassVar

from pipeline.systems.dense import Dense
from pipeline.systems.encoding import Reading


@dataclass(frozen=True)
class SapBertXlmr(Dense):
    """SapBERT over XLM-R (Liu 2021), taught UMLS's synonyms of all languages.

    First token, cosine, 25 tokens, as the English one.
    """

    name: ClassVar[str] = "sapbert-xlmr"
    size: ClassVar[str] = "1.1 GB"

    model: str = "cambridgeltl/SapBERT-UMLS-2020AB-all-lang-from-XLMR"
    revision: str = "47b6bd041ba61311584bb2494edfda5c7d9b719f"
    query_length: int = 25
    document_length: int = 25


@dataclass(frozen=True)
class Coder(Dense):
    """CODER (Yuan 2022), multilingual BERT taught UMLS's synonyms and relations.

    The pooler's output and cosine, 32 tokens. As its authors do in training and tests, texts are
    padded to that length and the padding is not masked. No commit is pinned: set `revision`.
    """

    name: ClassVar[str] = "coder"
    size: ClassVar[str] = "0.7 GB"
    pooling: ClassVar[str] = "pooler"

    model: str = "GanjinZero/coder_all"
    query_length: int = 32
    document_length: int = 32

    @property
    def query_reading(self) -> Reading:
        """Padding is read."""
        return replace(super().query_reading, padding="read")

    @property
    def document_reading(self) -> Reading:
        """Padding is read."""
        return replace(super().document_reading, padding="read")
