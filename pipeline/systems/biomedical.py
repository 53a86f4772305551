"""Dense retrieval trained on English biomedicine."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.scorer.release import Document
from pipeline.systems.checkpoints import Weights
from pipeline.systems.dense import Dense
from pipeline.systems.encoding import Text


@dataclass(frozen=True)
class SapBert(Dense):
    """SapBERT (Liu 2021), taught the synonyms of UMLS: first token, cosine.

    It was trained on names of up to 25 tokens and reads no more; `document_length` lets it read
    further into passages.
    """

    name: ClassVar[str] = "sapbert"
    size: ClassVar[str] = "0.4 GB"

    model: str = "cambridgeltl/SapBERT-from-PubMedBERT-fulltext"
    revision: str = "090663c3ae57bf35ffe4d0d468a2a88d03051a4d"
    query_length: int = 25
    document_length: int = 25


@dataclass(frozen=True)
class MedCpt(Dense):
    """MedCPT (Jin 2023), trained on PubMed's search logs: two encoders, first token, product.

    The one reads queries of 64 tokens, the other pairs of title and abstract of 512.
    """

    name: ClassVar[str] = "medcpt"
    size: ClassVar[str] = "0.4 GB"
    similarity: ClassVar[str] = "product"

    model: str = "ncbi/MedCPT-Query-Encoder"  # reads queries
    revision: str = "d83a36cc6b8e3a5c5e9d9d6ba156808c1643dcbc"
    article_model: str = "ncbi/MedCPT-Article-Encoder"  # reads documents
    article_revision: str = "d05a736da4bb84ee4057b7f7999485be6ed85465"
    query_length: int = 64

    def document_text(self, document: Document) -> Text:
        """Title and text, which the network tells apart; a title may be empty."""
        return (document.title, document.text)

    def document_weights(self) -> Weights:
        """The encoder of articles."""
        default = (type(self).article_model, type(self).article_revision)
        return self.pinned(self.article_model, self.article_revision, default)


@dataclass(frozen=True)
class BioLord(Dense):
    """BioLORD-2023 (Remy 2024), taught definitions of UMLS: mean of the tokens, cosine.

    Its own setting reads 128 tokens. UMLS's and SNOMED CT's licences apply to the weights.
    """

    name: ClassVar[str] = "biolord"
    size: ClassVar[str] = "0.4 GB"
    pooling: ClassVar[str] = "mean"

    model: str = "FremyCompany/BioLORD-2023"
    revision: str = "167aab527b238a50ca65224e6319215d2ff4fc9f"
    query_length: int = 128
    document_length: int = 128
