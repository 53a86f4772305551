import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyarrow.parquet as pq
import pytest

from pipeline.release.writing import write_shards
from pipeline.schemas import to_table

FILES = '[{{"split": "test", "path": "{1}/test-*.parquet"}}]'
CONFIG = '- {{"config_name": "{0}", "data_files": ' + FILES + "{2}}}"


def card(root: Path) -> str:
    """A card with a configuration for every folder of tables."""
    folders = sorted(
        {path.parent.relative_to(root).as_posix() for path in root.glob("data/**/*.p*")}
    )
    default = ', "default": true'
    configs = [
        CONFIG.format(folder.replace("/", "-"), folder, "" if place else default)
        for place, folder in enumerate(folders)
    ]
    head = ['language: ["en", "de"]', 'license: "mit"', "configs:", *configs]
    return "\n".join(["---", *head, "---", "# Small", ""])


@pytest.fixture(scope="session")
def sound(audited: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release in which no check finds anything."""
    root = tmp_path_factory.mktemp("sound")
    tables = audited.small_release()
    for folder, rows in tables.items():
        write_shards(to_table(folder.split("/")[2], rows), root, folder)
    audited.seal(root)
    for path in sorted((root / "quality").rglob("*.parquet")):
        rewrite(path)
    (root / "README.md").write_text(card(root), "utf-8")
    return Path(audited.reseal(root, audited.fields(root)))


def rewrite(path: Path) -> None:
    """Compressed and with a page index, as the build writes it."""
    pq.write_table(
        pq.read_table(path, partitioning=None), path, compression="zstd", write_page_index=True
    )


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
