"""Pictures are the same bytes each time, and a release does without where none can be drawn."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipeline.release.contents import read_contents
from pipeline.release.manifest import StageCount, is_hashed
from pipeline.release.pictures import (
    FUNNEL,
    KEPT,
    LANGUAGES,
    LEFT_OUT,
    draw_funnel,
    pictures_section,
    write_pictures,
)

COUNTS = [StageCount("pose", 10, 10, {}), StageCount("claim $x$", 10, 4, {"a": 5, "b": 1})]


def shares(picture: bytes) -> float:
    """Of the pixels that tell kept from left out, the share of those kept."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    kept, lost = (_count(pixels, colour) for colour in (KEPT, LEFT_OUT))
    return kept / (kept + lost)


def _count(pixels: np.ndarray, colour: str) -> int:
    wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return int((pixels == wanted).all(axis=2).sum())


def test_what_was_left_out_has_its_share_of_the_bar() -> None:
    assert shares(draw_funnel(COUNTS)) == pytest.approx((1 + 0.4) / 2, abs=0.01)
    assert shares(draw_funnel(COUNTS[:1])) == 1.0


def test_they_are_written_the_same_each_time(small_root: Path, tmp_path: Path) -> None:
    contents = read_contents(small_root, ("en", "de"), ("hard",))
    for folder in ("one", "two"):
        assert write_pictures(tmp_path / folder, contents, COUNTS) == [FUNNEL, LANGUAGES]
    for path in (FUNNEL, LANGUAGES):
        written = (tmp_path / "one" / path).read_bytes()
        assert written == (tmp_path / "two" / path).read_bytes()
        assert set(Image.open(io.BytesIO(written)).info) <= {"dpi"}  # no date, no software
        assert not is_hashed(path)
        assert f"]({path})" in pictures_section([FUNNEL, LANGUAGES])


def test_none_without_matplotlib(
    small_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.release.pictures.can_draw", lambda: False)
    contents = read_contents(small_root, ("en",), ("hard",))
    assert write_pictures(tmp_path / "none", contents, COUNTS) == []
    assert not (tmp_path / "none").exists()
