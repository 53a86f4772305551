from pathlib import Path

import pytest

from translation.nllb import Nllb


@pytest.fixture(scope="session")
def engine(tiny_nllb: Path) -> Nllb:
    """The engine over the small model, on one thread."""
    return Nllb(model=str(tiny_nllb), threads=1)
