"""The `datasets` library loads every configuration of the card."""

from pathlib import Path
from typing import Any

import pytest
import yaml

Row = dict[str, Any]


def test_every_configuration_loads(
    release: Path, tables: dict[str, list[Row]], tmp_path: Path
) -> None:
    from datasets import get_dataset_config_names, load_dataset

    names = get_dataset_config_names(str(release))
    front = yaml.safe_load((release / "README.md").read_text("utf-8").split("---\n")[1])
    assert names == [config["config_name"] for config in front["configs"]]
    assert len(names) == 4 * 3 + 6 * 4  # subsets of qa and evidence, and of concepts
    for name in names:
        *subset, kind = name.split("-")
        task, *place = subset
        folder = [task, kind, *([] if kind == "corpus" else place)]
        expected = tables["/".join(["data", *folder])]
        rows = load_dataset(str(release), name, split="test").to_list()
        first, *_ = expected[0]
        assert sorted(row[first] for row in rows) == sorted(row[first] for row in expected), name


@pytest.mark.parametrize("config", ["qa-de-queries", None])
def test_rows_are_what_was_written(
    release: Path, tables: dict[str, list[Row]], config: str | None
) -> None:
    from datasets import load_dataset

    language = config.split("-")[1] if config else "en"  # the default configuration is English
    rows = load_dataset(str(release), config, split="test").to_list()
    assert rows == tables[f"data/qa/queries/{language}"]
