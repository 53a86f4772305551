"""Builds a checkpoint of NLLB's own architecture that has learned a few sentences by heart.

Loaded by path from any test (``tests`` is no package); the same pairs, code and library versions
give the same bytes.
"""

import json
import shutil
import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from pipeline.sample import schooling
from pipeline.sample.schooling import Schooling, both_ways, train_checkpoint

Pairs = Mapping[str, list[tuple[str, str]]]


def checkpoint_folder(cache: Path, pairs: Pairs) -> Path:
    """The checkpoint for these pairs under the cache, trained there if need be."""
    import tokenizers
    import torch
    import transformers

    versions = (transformers.__version__, tokenizers.__version__, torch.__version__)
    code = Path(schooling.__file__).read_text("utf-8")
    content = json.dumps([pairs, versions], sort_keys=True) + code
    folder = cache / f"tiny-nllb-{blake2b(content.encode(), digest_size=8).hexdigest()}"
    if not folder.is_dir():
        unfinished = Path(tempfile.mkdtemp(dir=cache, prefix=".tiny-nllb-"))
        build_checkpoint(unfinished, pairs)
        try:
            unfinished.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(unfinished)
    return folder


def build_checkpoint(folder: Path, pairs: Pairs) -> None:
    """Train on (English, translation) pairs by target language, there and back, and save."""
    lessons = (
        lesson
        for target, known in sorted(pairs.items())
        for english, translation in known
        for lesson in both_ways("en", target, english, translation)
    )
    train_checkpoint(folder, lessons, Schooling())
