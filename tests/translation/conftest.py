from dataclasses import replace
from pathlib import Path

import pytest

from translation.nllb import Nllb
from translation.nllb_base import NllbEngine
from translation.nllb_ct2 import NllbCt2


@pytest.fixture(scope="session")
def engine(tiny_nllb: Path) -> Nllb:
    """The engine over the small model, on one thread."""
    return Nllb(model=str(tiny_nllb), threads=1)


@pytest.fixture(scope="session")
def ct2(tiny_nllb: Path, tmp_path_factory: pytest.TempPathFactory) -> NllbCt2:
    """The same model through CTranslate2, in the same numbers."""
    pytest.importorskip("ctranslate2")
    cache = tmp_path_factory.mktemp("converted")
    return NllbCt2(
        model=str(tiny_nllb), threads=1, dtype="float32", device="cpu", converted=str(cache)
    )


@pytest.fixture(scope="session")
def int8(ct2: NllbCt2) -> NllbCt2:
    """In whole numbers, as plans have it by default."""
    return replace(ct2, dtype="int8")


@pytest.fixture(params=["engine", "ct2", "int8"])
def any_engine(request: pytest.FixtureRequest) -> NllbEngine:
    """Each engine in turn: what is asked of one is asked of all."""
    found: NllbEngine = request.getfixturevalue(request.param)
    return found
