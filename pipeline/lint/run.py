"""All checks over one release."""

import errno
import os
from pathlib import Path

from pipeline.lint.base import Finding, Opened
from pipeline.lint.checks import CHECKS


def lint(release: Path, umls: str = "") -> list[Finding]:
    """Everything that any check finds wrong with the release, in order of check, file and row.

    With `umls`, the folder of a META, texts of restricted sources are looked for as well.
    Raises FileNotFoundError where nothing is that could be a release.
    """
    opened = Opened(release, umls)
    if not any(path.endswith(".parquet") for path in opened.files):
        missing = os.strerror(errno.ENOENT)
        raise FileNotFoundError(errno.ENOENT, f"{missing}: no Parquet file in it", str(release))
    return sorted(found for check in CHECKS.values() for found in check().find(opened))
