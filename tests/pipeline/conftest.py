import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).parents[1]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def small() -> ModuleType:
    """The helper that writes small releases."""
    return load(Path(__file__).with_name("small_release.py"))


@pytest.fixture(scope="session")
def audited() -> ModuleType:
    """The helper that writes small whole releases and seals them again."""
    return load(TESTS / "splits" / "audited_release.py")


@pytest.fixture(scope="session")
def write_meta() -> ModuleType:
    """The helper that writes small Metathesauri."""
    return load(TESTS / "umls_tools" / "small_meta.py")


@pytest.fixture(scope="session")
def second_opinion() -> ModuleType:
    """The helper that finds two right answers in a set, without the code that mines."""
    return load(TESTS / "umls_tools" / "confusion" / "second_opinion.py")
