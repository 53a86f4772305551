"""Trains the sample's small model and writes it in CTranslate2's form, beside this module.

``python -m pipeline.sample.write_model`` needs the extra ``nllb`` and a few minutes of one
processor. The bytes are the same on the same kind of processor with the versions of
constraints.txt; ``LESSONS`` in the folder tells of what it was made, on any machine.
"""

import json
import logging
import shutil
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

from pipeline.sample.lessons import lessons_of
from pipeline.sample.schooling import Lesson, Schooling, train_checkpoint
from translation.ct2_weights import Checkpoint, converted_folder
from translation.nllb_weights import weights_revision

SAMPLE = Path(__file__).parent
MODEL = "mmed-bench-sample-nllb"
LESSONS = "lessons.json"  # what it was trained on, to tell when it must be trained anew
SCHOOLING = Schooling(
    pieces=2000, width=128, inner=256, positions=192, epochs=26, rate=2.5e-3, goal=0.01
)

_logger = logging.getLogger(__name__)


def write_model(sample: Path) -> Path:
    """Train on the sample's lessons, and put the model in place of what was there."""
    lessons = lessons_of(sample)
    with tempfile.TemporaryDirectory() as place:
        checkpoint = Path(place, MODEL)
        loss = train_checkpoint(checkpoint, lessons, SCHOOLING)
        _logger.info("%d lessons, mean loss of a token %.4f", len(lessons), loss)
        return put_in_place(checkpoint, lessons, sample)


def put_in_place(checkpoint: Path, lessons: list[Lesson], sample: Path) -> Path:
    """Convert a checkpoint to int8, and make it the sample's."""
    revision = weights_revision(str(checkpoint))
    made = converted_folder(Checkpoint(str(checkpoint), revision, "int8"), checkpoint.parent)
    (made / LESSONS).write_text(_described(lessons), "utf-8")
    shutil.rmtree(sample / MODEL, ignore_errors=True)
    return Path(shutil.copytree(made, sample / MODEL))


def lessons_hash(lessons: list[Lesson]) -> str:
    """What tells lessons and schooling from others."""
    return blake2b(repr((lessons, SCHOOLING)).encode(), digest_size=16).hexdigest()


def _described(lessons: list[Lesson]) -> str:
    about = {"lessons": len(lessons), "hash": lessons_hash(lessons)}
    return json.dumps(about, indent=1) + "\n"


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    write_model(SAMPLE)
