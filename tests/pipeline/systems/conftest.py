"""Small encoders for the tests of systems; nothing is fetched."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No network, and one thread, on which equal inputs give equal bits."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The folder of a small checkpoint by the name of its architecture, made when asked for."""
    path = Path(__file__).with_name("tiny_encoders.py")
    spec = importlib.util.spec_from_file_location("tiny_encoders", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path_factory.mktemp("encoders")

    def folder(name: str) -> str:
        if not (root / name).is_dir():
            module.MAKERS[name](root / name)
        return str(root / name)

    return folder
