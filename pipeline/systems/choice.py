"""The table of systems, and how the command line configures one."""

import importlib
import inspect
import tomllib
from collections.abc import Sequence
from typing import Any

from pipeline.settings import PlanError, choose, construct
from pipeline.systems.base import System
from pipeline.systems.bge_m3_colbert import BgeM3Colbert
from pipeline.systems.bge_m3_sparse import BgeM3Sparse
from pipeline.systems.biomedical import BioLord, MedCpt, SapBert
from pipeline.systems.biomedical_multilingual import Coder, SapBertXlmr
from pipeline.systems.bm25 import Bm25
from pipeline.systems.chance import Random
from pipeline.systems.english import Ance
from pipeline.systems.fusion import Rrf
from pipeline.systems.modular import Xmod
from pipeline.systems.multilingual import BgeM3, MultilingualE5
from pipeline.systems.plain import XlmR
from pipeline.systems.sentence_models import SentenceTransformers
from pipeline.systems.tfidf import Tfidf

SYSTEMS: dict[str, type[System]] = {
    "bm25": Bm25,
    "tfidf": Tfidf,
    "random": Random,
    "ance": Ance,
    "bge-m3": BgeM3,
    "multilingual-e5": MultilingualE5,
    "bge-m3-sparse": BgeM3Sparse,
    "bge-m3-colbert": BgeM3Colbert,
    "sapbert": SapBert,
    "medcpt": MedCpt,
    "biolord": BioLord,
    "sapbert-xlmr": SapBertXlmr,
    "coder": Coder,
    "xlm-r": XlmR,
    "x-mod": Xmod,
    "sentence-transformers": SentenceTransformers,
    "rrf": Rrf,
}


def build_system(name: str, changes: Sequence[str] = ()) -> System:
    """The system of that name, or the user's own of that ``module:Class``, with its settings.

    Settings are ``key=value``; raises PlanError for what is unknown.
    """
    cls = _own(name) if ":" in name else choose(SYSTEMS, name, "system")
    return construct(cls, dict(map(_setting, changes)), f"system {name}")


def _own(name: str) -> type[System]:
    """Import a class that is not ours; it must be a system, and a dataclass as ours are."""
    module, _, attribute = name.partition(":")
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        advice = "is its folder on PYTHONPATH?"
        raise PlanError(f"system {name}: cannot be imported ({error}); {advice}") from error
    if not (inspect.isclass(cls) and issubclass(cls, System)) or inspect.isabstract(cls):
        raise PlanError(
            f"system {name}: no subclass of pipeline.systems.base.System with its methods written"
        )
    if not hasattr(cls, "__dataclass_fields__") or not hasattr(cls, "name"):
        raise PlanError(f"system {name}: must be a dataclass with a name, as in docs/how-to")
    return cls


def _setting(change: str) -> tuple[str, Any]:
    """A key and its value, which is TOML, or else a string."""
    key, equals, value = change.partition("=")
    if not equals:
        raise PlanError(f"--set {change}: expected key=value")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value
