"""Paths among an engine's settings are seen from the plan's folder; names of the hub stand."""

from pathlib import Path

import pytest

from translation.engines import MemoryOnly
from translation.nllb import Nllb
from translation.nllb_ct2 import NllbCt2
from translation.nllb_weights import placed_model

PLANS = Path("/project/plans")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("facebook/nllb-200-3.3B", "facebook/nllb-200-3.3B"),
        ("../models/mine", "/project/models/mine"),
        ("./mine", "/project/plans/mine"),
        ("/models/mine", "/models/mine"),
        ("~/mine", str(Path.home() / "mine")),
    ],
)
def test_models(model: str, expected: str) -> None:
    assert placed_model(model, PLANS) == expected


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (MemoryOnly(), MemoryOnly()),
        (
            Nllb(model="../there", back_model="./back"),
            Nllb(model="/project/there", back_model="/project/plans/back"),
        ),
        (NllbCt2(converted="made"), NllbCt2(converted="/project/plans/made")),
        (NllbCt2(), NllbCt2()),
    ],
)
def test_engines(engine: Nllb, expected: Nllb) -> None:
    assert engine.placed(PLANS) == expected
