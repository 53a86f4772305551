"""A multilingual encoder that was never taught to retrieve."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.systems.dense import Dense


@dataclass(frozen=True)
class XlmR(Dense):
    """XLM-R base (Conneau 2020) as it was pretrained: mean of the tokens, cosine."""

    name: ClassVar[str] = "xlm-r"
    size: ClassVar[str] = "1.1 GB"
    pooling: ClassVar[str] = "mean"

    model: str = "FacebookAI/xlm-roberta-base"
    revision: str = "e73636d4f797dec63c3081bb6ed5c7b0bb3f2089"
