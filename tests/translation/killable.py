"""Translates 2,000 sentences behind a memory in a process that may be killed at any moment.

Run as ``python killable.py CACHE MEMORY OUT KILL_AT``: the process ends itself with SIGKILL at its
n-th opening, renaming or removing of a file of the cache. Prints how many such there were, and
how many sentences the engine was asked.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from pipeline.records import TranslationRequest
from pipeline.text import content_id
from tests.dying import die_at
from translation.base import Engine, Output
from translation.batches import BatchLimit, plan_batches
from translation.memory_files import load_memory
from translation.memory_folder import tidy
from translation.translate import translate_and_keep

SENTENCES = 2000
BATCH = BatchLimit(count=48, size=65_536)


def text(number: int) -> str:
    return f"Sentence {number} of {SENTENCES}."


@dataclass(frozen=True)
class Counting(Engine):
    """Gives each text a translation and score of its own, and counts what it was asked."""

    name: ClassVar[str] = "counting"
    asked: list[str] = field(default_factory=list, compare=False)

    def signature(self) -> str:
        return "counting 1"

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        if source == "en":
            self.asked.extend(texts)
        made = (content_id(one, target) for one in texts)
        return [Output(f"{target} {one}", -int(one, 16) / 2**65) for one in made]


def run(cache: str, memory_file: str, out: str, kill_at: int) -> None:
    Path(cache).mkdir(exist_ok=True)
    count = die_at(kill_at, cache)
    tidy(cache)
    memory, engine = load_memory([memory_file, cache]), Counting()
    answers = []
    for texts in plan_batches(map(text, range(SENTENCES)), BATCH):
        requests = [TranslationRequest(one, "en", "de") for one in texts]
        answers += translate_and_keep(requests, engine, memory, cache)
    tidy(cache)
    Path(out).write_text(json.dumps(sorted(map(repr, answers))), "utf-8")
    sys.stdout.write(json.dumps({"events": count[0], "asked": len(engine.asked)}))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
