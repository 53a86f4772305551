"""What every test may ask for."""

import os
from pathlib import Path

import pytest


def find_shared_data() -> Path | None:
    """The folder of real open data, from MMED_SHARED or beside the checkout, if it is there."""
    default = Path(__file__).parents[2] / "shared"
    data = Path(os.environ.get("MMED_SHARED") or default) / "data"
    return data if data.is_dir() else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real open data; a clone without it passes without the tests that read it."""
    data = find_shared_data()
    if data is None:
        pytest.skip("no open data: set MMED_SHARED to a folder that holds data/")
    return data
