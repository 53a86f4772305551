"""What an engine of translation is and what it says about its output."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

ANY_SIGNATURE = "memory"
"""The signature under which every entry of a translation memory serves."""

LENGTH_LIMIT = "length_limit"  # the output stopped at its limit: it may be cut or loop
UNKNOWN_TOKEN = "unknown_token"  # a character of the input or output is not in the vocabulary
EMPTY = "empty"  # a sentence came out without a letter or a digit
TRADITIONAL = "traditional_script"  # Chinese came out in characters that zh does not write
BY_RULE = "by_rule"  # a sentence was carried over by a rule, no model saw it
NOT_IN_MEMORY = "not_in_memory"
INPUT_TOO_LONG = "input_too_long"  # a single sentence exceeds what the model can read
NAME_UNKNOWN = "name_unknown"  # a lone name of a drug, whose form in the script no rule gives
TERM_CHOSEN = "term_chosen"  # a less probable output was taken, since it holds a concept's name
TERM_MISSING = "term_missing"  # names were asked for, and no output near the best holds one

FAILURES = frozenset({NOT_IN_MEMORY, INPUT_TOO_LONG, NAME_UNKNOWN})
"""Flags of an output that is no translation; the others only qualify one."""


class TranslationError(ValueError):
    """A plan, model or memory that cannot be used; says which, why and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Terms:
    """Names in the target language of which a translation had better hold one.

    ``margin`` is how much less probable it may be for that than the best one: in nats, of the mean
    log-probability of its tokens.
    """

    names: tuple[str, ...] = ()  # sorted
    margin: float = 0.0


NO_TERMS = Terms()
Asked = tuple[str, Terms]
"""A text, and what names are wanted in its translation."""


@dataclass(frozen=True, slots=True)
class Output:
    """What an engine made of one text.

    ``score`` is the mean natural log-probability of the output's tokens, NaN where there is none;
    ``flags`` are sorted. With a flag of ``FAILURES`` the text is empty.
    """

    text: str
    score: float = float("nan")
    flags: tuple[str, ...] = ()


class Engine(abc.ABC):
    """Turns texts of one language into another, each independently of its neighbours.

    Subclasses are frozen dataclasses whose fields are the plan's keys. They hold no model, so
    that they pickle; a model is loaded by ``load``, or on first use.
    """

    name: ClassVar[str]

    @abc.abstractmethod
    def signature(self) -> str:
        """All that decides the output: engine, model, revision, decoding, processing version."""

    @abc.abstractmethod
    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        """Translate texts between two of the project's languages; outputs in the same order."""

    def translate_choosing(self, asked: Sequence[Asked], source: str, target: str) -> list[Output]:
        """The same, with wanted names; an engine that has nothing to choose from heeds none."""
        return self.translate([text for text, _ in asked], source, target)

    def provenance(self) -> tuple[str, str]:
        """Model and revision as they are written beside each translation."""
        return "", ""

    def returning(self) -> "Engine":
        """The engine that translates back: this one, unless the plan names another model."""
        return self

    def folders(self) -> tuple[Path, ...]:
        """Folders of this machine whose files decide the output: a build's inputs."""
        return ()

    def placed(self, folder: Path) -> Self:
        """The same engine, with the paths among its settings as seen from a plan's folder."""
        return self

    def load(self) -> None:
        """Make ready what ``translate`` needs, so that a failure shows before the work begins."""
        self.signature()
