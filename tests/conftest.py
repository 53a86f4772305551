"""What every test may ask for."""

import csv
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

# How long an example takes says nothing of its truth, and a change is to be judged by itself: where
# changes are checked, the examples are the same each time.
settings.register_profile("project", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("project")


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


TRANSLATION_TESTS = Path(__file__).parent / "translation"


def load_helper(path: Path) -> ModuleType:
    """Load a module that lies beside tests, which are no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def sentence_pairs() -> dict[str, list[tuple[str, str]]]:
    """Our (English, translation) pairs by target language, which ``tiny_nllb`` knows by heart."""
    table = TRANSLATION_TESTS / "sentences_by_heart.tsv"
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {code: [(row["en"], row[code]) for row in rows] for code in rows[0] if code != "en"}


@pytest.fixture(scope="session")
def tiny_nllb(
    pytestconfig: pytest.Config, sentence_pairs: dict[str, list[tuple[str, str]]]
) -> Path:
    """The folder of a small checkpoint of NLLB's architecture, trained once and kept."""
    pytest.importorskip("transformers")
    cache = pytestconfig.cache
    assert cache is not None, "the small model is kept in pytest's cache: run with it"
    helper = load_helper(TRANSLATION_TESTS / "tiny_nllb.py")
    folder: Path = helper.checkpoint_folder(cache.mkdir("checkpoints"), sentence_pairs)
    return folder
