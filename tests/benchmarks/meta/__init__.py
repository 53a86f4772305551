"""Writes a synthetic Metathesaurus of any number of atoms; no name in it means anything.

What it is made of is drawn from a hash of each row's number: the same arguments give the same
bytes. Nothing that needs a large library is imported before something is written.
"""

import shutil
from hashlib import blake2b
from pathlib import Path

from tests.benchmarks.meta.dice import Dice, name_of

__all__ = ["Dice", "made_meta", "name_of"]


def made_meta(parent: Path, rows: int, relations: int = 0) -> str:
    """The folder of a Metathesaurus with that many rows of MRCONSO, and of MRREL if not 0.

    It is written by this very code, now or before. Release 2025AA has 17,144,356 rows of MRCONSO
    and about 60 million of MRREL, 8 GB in all.
    """
    from tests.benchmarks.meta.writing import write_meta

    digest = _digest_of_this_code()
    folder = parent / f"meta-{rows}-{relations}-{digest}"
    if not folder.is_dir():
        for outdated in parent.glob(f"meta-{rows}-{relations}-*"):
            shutil.rmtree(outdated)
        draft = folder.with_suffix(".draft")
        write_meta(draft, rows, relations)
        draft.rename(folder)
    return str(folder)


def _digest_of_this_code() -> str:
    modules = sorted(Path(__file__).parent.glob("*.py"))
    code = b"".join(module.read_bytes() for module in modules)
    return blake2b(code, digest_size=4).hexdigest()
