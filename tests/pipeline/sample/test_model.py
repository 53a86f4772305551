"""The sample's small model was trained on the sample as it is, and is no larger than it may be."""

import json

from pipeline.plan_file import load_plan
from pipeline.release.licences import SAMPLE_MODEL
from pipeline.sample.lessons import lessons_of
from pipeline.sample.schooling import both_ways
from pipeline.sample.write_model import LESSONS, MODEL, SAMPLE, lessons_hash
from translation.nllb_ct2 import NllbCt2

MEGABYTE = 1 << 20
FOLDER = SAMPLE / MODEL


def test_the_model_has_learned_the_sample_as_it_is() -> None:
    """After a change of the sample's sentences: make sample-model."""
    about = json.loads((FOLDER / LESSONS).read_text("utf-8"))
    lessons = lessons_of(SAMPLE)
    assert about == {"lessons": len(lessons), "hash": lessons_hash(lessons)}


def test_faulty_translations_are_no_lessons() -> None:
    faulty = (SAMPLE / "memory" / "faulty.tsv").read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in faulty]
    assert rows
    assert not {one for row in rows for one in both_ways(*row[:4])} & {*lessons_of(SAMPLE)}


def test_the_model_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 8 * MEGABYTE


def test_the_plan_translates_with_it_and_says_so() -> None:
    engine = load_plan("sample").translation.engine
    assert isinstance(engine, NllbCt2)
    assert engine.provenance()[0] == MODEL == SAMPLE_MODEL


def test_the_model_knows_its_lessons_by_heart() -> None:
    """Most of them, there and back: what it gets wrong is left to the filters."""
    engine = load_plan("sample").translation.engine
    lessons = [one for one in lessons_of(SAMPLE) if one.text.endswith("?")]
    for target in ("de", "es", "fr", "ja", "ru", "zh"):
        some = [one for one in lessons if (one.source, one.target) == ("en", target)][::10]
        made = engine.translate([one.text for one in some], "en", target)
        right = sum(one.text == lesson.translation for one, lesson in zip(made, some, strict=True))
        assert right >= 0.8 * len(some), target
