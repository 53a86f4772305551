"""A model that has learned some sentences by heart, trained once and kept between runs."""

import csv
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from translation.nllb import Nllb

HERE = Path(__file__).parent


def load_helper(name: str) -> ModuleType:
    """Load a module that lies beside the tests, which are no package."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def sentence_pairs() -> dict[str, list[tuple[str, str]]]:
    """(English, translation) by target language."""
    with (HERE / "sentences_by_heart.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {code: [(row["en"], row[code]) for row in rows] for code in rows[0] if code != "en"}


@pytest.fixture(scope="session")
def tiny_nllb(
    pytestconfig: pytest.Config, sentence_pairs: dict[str, list[tuple[str, str]]]
) -> Path:
    """The folder of a checkpoint of NLLB's architecture that knows these sentences."""
    pytest.importorskip("transformers")
    cache = pytestconfig.cache.mkdir("checkpoints")
    folder: Path = load_helper("tiny_nllb").checkpoint_folder(cache, sentence_pairs)
    return folder


@pytest.fixture(scope="session")
def engine(tiny_nllb: Path) -> Nllb:
    return Nllb(model=str(tiny_nllb), threads=1)
