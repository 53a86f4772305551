"""What is shown of a build while it lasts."""

import io
import logging
import math

import pytest
from rich.console import Console

from pipeline import progress
from pipeline.stages.tally import ANSWERED, REMEMBERED, SENTENCES, TEXTS, TOKENS, count, show

WORK = {TEXTS: 500, ANSWERED: 300, REMEMBERED: 100, SENTENCES: 420, TOKENS: 9000}


@pytest.mark.parametrize(
    ("work", "seconds", "expected"),
    [
        (WORK, 10.0, "420 sentences, 900 tokens/s, 100 from memory"),
        ({REMEMBERED: 1234}, 10.0, "0 sentences, 0 tokens/s, 1,234 from memory"),
        ({}, 0.0, "0 sentences, 0 from memory"),
    ],
)
def test_speed(work: dict[str, int], seconds: float, expected: str) -> None:
    assert progress.speed_of(work, seconds) == expected


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (WORK, 10.0),  # 200 were made in ten seconds, 200 are left
        (WORK | {ANSWERED: 500}, 0.0),
        (WORK | {ANSWERED: 100}, math.nan),  # all from the memory: nobody knows how long one takes
        ({}, math.nan),
    ],
)
def test_time_left(work: dict[str, int], expected: float) -> None:
    assert progress.seconds_left(work, 10.0) == pytest.approx(expected, nan_ok=True)


def test_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY", 0.0)
    monkeypatch.setattr(progress.sys, "stderr", io.StringIO())  # no terminal
    with caplog.at_level(logging.INFO, logger="mmed-bench"), progress.shown_progress():
        show("translate", TEXTS, 4)
        show("translate", REMEMBERED, 1)
        show("translate", ANSWERED, 4)
        count("judge", "in", 2)
    assert "translate: 4 of 4 texts (0 sentences" in caplog.text
    assert "1 from memory), about 0 min left" in caplog.text
    assert "judge: 2 in, 0 done" in caplog.text
    caplog.clear()
    show("translate", ANSWERED, 4)  # nobody watches any more
    assert caplog.text == ""


def test_bars_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(progress.sys, "stderr", type("T", (), {"isatty": lambda _: True})())
    console = Console(file=terminal, force_terminal=True, width=140)
    monkeypatch.setattr(progress, "Console", lambda **_: console)
    with progress.shown_progress():
        show("translate", TEXTS, 8)
        show("translate", SENTENCES, 5)
        show("translate", ANSWERED, 3)
    assert "translate: texts" in terminal.getvalue()
    assert "3/8" in terminal.getvalue()
    assert "5 sentences" in terminal.getvalue()
