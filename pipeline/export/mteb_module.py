"""A module of MTEB's tasks: one a task and tier of the release, whose subsets are its languages."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pipeline.export.folder import new_folder
from pipeline.export.lines import write_lines
from pipeline.export.mteb_metadata import Origin, shared_metadata, task_metadata
from pipeline.export.source import Source, open_source
from pipeline.release.layout import ReleaseError

MODULE = "mmed_bench_ir_tasks.py"
_REPO = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
_HEAD = '''"""The tasks of a release of MMed-Bench-IR for MTEB, which reads its files as they are.

    import mteb
    from mmed_bench_ir_tasks import TASKS
    mteb.evaluate(mteb.get_model("intfloat/multilingual-e5-small"), [task() for task in TASKS])
"""

from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata

SHARED = {{
{shared}
}}
'''
_CLASS = '''

class {name}(AbsTaskRetrieval):
    """{description}"""

    metadata = TaskMetadata(
{fields}
        **SHARED,
    )
'''


def export_mteb(release: Path, target: Path, repo: str = "") -> int:
    """Write the module; gives the number of subsets.

    MTEB loads the release from the Hub's `repo`, at the tag that publishing gave it, or from the
    folder where it lies now. Raises ReleaseError for a `repo` that the Hub can have none of.
    """
    if repo and not _REPO.fullmatch(repo):
        raise ReleaseError(f"--repo {repo}: expected ORG/NAME of letters, digits and . _ -")
    source = open_source(release)
    origin = (
        Origin(repo, f"v{source.version}", is_hub=True)
        if repo
        else Origin(str(source.root.resolve()), source.build_hash, is_hub=False)
    )
    with new_folder(source, target) as folder:
        write_lines(folder / MODULE, _module(source, origin))
    return len(source.subsets)


def _module(source: Source, origin: Origin) -> Iterator[str]:
    shared = shared_metadata(source, origin)
    yield _HEAD.format(shared=_lines("    {}: {},", ((_literal(k), v) for k, v in shared.items())))
    tasks = dict.fromkeys((one.task, one.tier) for one in source.subsets)
    described = [task_metadata(source, task, tier) for task, tier in tasks]
    for own in described:
        yield _CLASS.format(**own, fields=_lines("        {}={},", own.items()))
    names = "".join(f"    {own['name']},\n" for own in described)
    yield f"\n\nTASKS = (\n{names})\n"


def _lines(form: str, items: Iterable[tuple[str, Any]]) -> str:
    return "\n".join(form.format(name, _literal(value)) for name, value in items)


def _literal(value: Any) -> str:  # noqa: ANN401 - whatever MTEB's metadata takes
    """As Python writes it: strings, lists and mappings are the same in JSON."""
    if isinstance(value, dict) and len(value) > 2:  # noqa: PLR2004 - too long for a line
        items = "".join(f"            {_literal(k)}: {_literal(v)},\n" for k, v in value.items())
        return "{\n" + items + "        }"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_literal, value)) + ")"
    return json.dumps(value, ensure_ascii=False)
