import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def release(sound: Path, tmp_path: Path) -> Path:
    """A copy to be spoilt."""
    return Path(shutil.copytree(sound, tmp_path / "release"))


@pytest.fixture
def sealed(audited: ModuleType) -> Callable[[Path], None]:
    """Makes the manifest agree with the files as they are now."""

    def seal(root: Path) -> None:
        audited.reseal(root, json.loads((root / "manifest.json").read_text("utf-8")))

    return seal
