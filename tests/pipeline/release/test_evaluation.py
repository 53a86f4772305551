from pathlib import Path

import yaml

from pipeline.release.card import configs
from pipeline.release.contents import read_contents
from pipeline.release.evaluation import render_eval_yaml


def test_every_subset_is_a_task_of_a_configuration(small_root: Path) -> None:
    contents = read_contents(small_root, ("en", "de"), ("hard",))
    loaded = yaml.safe_load(render_eval_yaml('The "small": Größe', contents.subsets))
    assert loaded["name"] == 'The "small": Größe'
    assert loaded["evaluation_framework"] == "mmed-bench-ir"
    assert [task["id"] for task in loaded["tasks"]] == [
        entry.subset.name for entry in contents.subsets
    ]
    known = {config["config_name"] for config in configs(contents)}
    assert {task["config"] for task in loaded["tasks"]} <= known
    assert {task["split"] for task in loaded["tasks"]} == {"test"}
