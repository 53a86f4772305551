"""eval.yaml: how the Hub is told that this dataset is a benchmark, and of what."""

import json
from collections.abc import Sequence

from pipeline.release.contents import SubsetContents


def render_eval_yaml(title: str, subsets: Sequence[SubsetContents]) -> str:
    """One task a subset, scored by the scorer that lies in the release."""
    lines = [
        f"name: {json.dumps(title, ensure_ascii=False)}",
        'description: "Multilingual medical retrieval against English documents"',
        'evaluation_framework: "mmed-bench-ir"',
        "tasks:",
    ]
    for entry in subsets:
        lines += [
            f'- id: "{entry.subset.name}"',
            f'  config: "{entry.subset.name}-queries"',
            '  split: "test"',
        ]
    return "\n".join(lines) + "\n"
