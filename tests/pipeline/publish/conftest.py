import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session")
def fake_hub() -> ModuleType:
    """The stand-in for the Hub."""
    path = Path(__file__).with_name("fake_hub.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hub(fake_hub: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A hub on loopback, which the Hub's own client is to talk to."""
    from huggingface_hub import constants

    monkeypatch.setenv("HF_TOKEN", fake_hub.TOKEN)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)  # its storage has another protocol
    with fake_hub.running() as hub:
        yield hub


FILES = {
    "README.md": b"---\nlicense: cc-by-4.0\n---\n# A release\n",
    "data/qa/corpus/test-00000-of-00001.parquet": bytes(range(256)) * 64,
    "quality/report.html": b"<p>" + b"figures " * 1000,
    "overlap.json": b"{}",
}


@pytest.fixture
def write_release(tmp_path: Path) -> Callable[..., Path]:
    """Writes the files of a release and a manifest that lists them."""

    def write(files: dict[str, bytes] = FILES, version: str = "1.0.0", **fields: str) -> Path:
        root = tmp_path / version
        entries = []
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
            entries.append({"path": path, "sha256": hashlib.sha256(content).hexdigest()})
        listed = hashlib.sha256(json.dumps(entries).encode()).hexdigest()
        told = {"version": version, "profile": "open", "build_hash": listed, "files": entries}
        (root / "manifest.json").write_text(json.dumps({**told, **fields}), "utf-8")
        return root

    return write
