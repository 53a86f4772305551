import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pyarrow.parquet as pq
import pytest

from pipeline.release.writing import write_shards
from pipeline.schemas import to_table

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
