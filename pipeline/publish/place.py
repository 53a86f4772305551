"""What publishing asks of a place, and of whoever knows its failures."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pipeline.publish.outgoing import Outgoing, PublishError
from pipeline.publish.remote import Remote
from pipeline.publish.steps import Action, Wish


class Place(Protocol):
    """Where a release goes."""

    repo: str

    @property
    def address(self) -> str:
        """Where a person looks at it."""

    def look(self, outgoing: Outgoing) -> Remote:
        """What it holds now."""

    def take(self, step: Action, outgoing: Outgoing, wish: Wish) -> None:
        """Take one step."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """How failures are met: how long to wait, if at all, and what to tell a person."""

    pause_after: Callable[[Exception, int], float | None]
    explained: Callable[[Exception, str], PublishError]
    wait: Callable[[float], None] = time.sleep
