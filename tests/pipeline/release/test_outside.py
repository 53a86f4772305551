from pathlib import Path
from types import ModuleType

import pytest

from pipeline.release.outside import outside_section, with_released

TOLD = {"found": "flag", "items": 9, "equal": 1, "near": 2, "flagged": ["qa-1", "qa-7"]}


@pytest.fixture
def release(audited: ModuleType, tmp_path: Path) -> Path:
    return Path(audited.write(tmp_path / "release", audited.small_release()))


def test_only_released_queries_are_flagged(release: Path) -> None:
    assert with_released({"miracl": TOLD}, release) == {"miracl": {**TOLD, "flagged": ["qa-1"]}}


def test_the_card_tells_of_lists() -> None:
    assert outside_section({}) == ""
    dropped = {**TOLD, "found": "drop", "flagged": []}
    section = outside_section({"miracl": TOLD, "cure": dropped})
    assert (
        "| `cure` | 9 | 1 | 2 | left out |\n| `miracl` | 9 | 1 | 2 | 2 kept, and named" in section
    )
