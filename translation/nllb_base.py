"""What all engines over NLLB's weights share: sentence by sentence, nothing cut unseen."""

import abc
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from translation.base import (
    BY_RULE,
    EMPTY,
    FAILURES,
    INPUT_TOO_LONG,
    NAME_UNKNOWN,
    NO_TERMS,
    TERM_MISSING,
    TRADITIONAL,
    Asked,
    Engine,
    Output,
    TranslationError,
)
from translation.batches import BatchLimit, plan_batches, step_of
from translation.chinese import traditional_characters
from translation.languages import joiner, nllb_code
from translation.nllb_text import Decoding, Hypothesis, SentenceModel
from translation.nllb_weights import (
    DEFAULT_MODEL,
    is_folder,
    placed_model,
    short_name,
    weights_revision,
)
from translation.preparation import PROCESSING_VERSION, prepare
from translation.rules import is_drug, is_wordless, writes_latin
from translation.sentences import split_sentences
from translation.terms import choose
from translation.watching import tell

_POSITIVE = ("beams", "length_factor", "batch_size", "batch_tokens")
_DECIDING = ("beams", "length_penalty", "length_factor", "length_extra")
_LENGTH_STEP = 16  # tokens; sentences of one step share a batch and the limit of their output


@dataclass(frozen=True)
class NllbEngine(Engine):
    """Settings and work that do not depend on who multiplies the matrices.

    Texts are cut into sentences, since NLLB drops sentences of longer input, and the translations
    joined as the target language does. Subclasses add ``dtype`` and say how weights are loaded.
    """

    model: str = DEFAULT_MODEL  # hub name, or path of a folder as ./FOLDER, ../FOLDER or whole
    revision: str = ""  # commit; "" is the pinned one, or a folder's content hash
    back_model: str = ""  # of the way back; "" is the same, whose symmetric errors then hide
    back_revision: str = ""
    beams: int = 4  # as in the evaluation of NLLB-200
    length_penalty: float = 1.0
    length_factor: float = 3.0
    length_extra: int = 16
    batch_size: int = 16  # sentences
    batch_tokens: int = 2048  # input tokens of a batch, with padding
    device: str = "auto"  # cuda where there is one, else cpu; or a device by name
    threads: int = 0  # of the processor; 0 leaves the number to the library

    def __post_init__(self) -> None:
        """Refuse settings with which nothing could be translated."""
        for field in _POSITIVE:
            if getattr(self, field) <= 0:
                raise TranslationError(f"{self.name}: {field} must be above 0")
        if min(self.length_extra, self.threads) < 0:
            raise TranslationError(f"{self.name}: length_extra and threads must not be below 0")
        if self.back_revision and not self.back_model:
            raise TranslationError(f"{self.name}: back_revision without a back_model")

    @abc.abstractmethod
    def loaded(self) -> SentenceModel:
        """Load the model, once in a process for all engines that share its weights."""

    @abc.abstractmethod
    def own_settings(self) -> tuple[str, ...]:
        """The names of the settings beyond the common ones that change translations."""

    def signature(self) -> str:
        """Everything but batches, device and threads, which change no more than rounding."""
        model, revision = self.provenance()
        settings = (*_DECIDING, *self.own_settings())
        values = " ".join(f"{name}={getattr(self, name)}" for name in settings)
        return f"{self.name} {model}@{revision} {values} processing={PROCESSING_VERSION}"

    def provenance(self) -> tuple[str, str]:
        """Give the model's name, of a folder without its place, and the revision."""
        return short_name(self.model), weights_revision(self.model, self.revision)

    def returning(self) -> "NllbEngine":
        """The same settings over ``back_model``, or this engine itself."""
        if not self.back_model:
            return self
        return replace(
            self,
            model=self.back_model,
            revision=self.back_revision,
            back_model="",
            back_revision="",
        )

    def folders(self) -> tuple[Path, ...]:
        """Those of the models that are folders; the others are named by a commit of the hub."""
        return tuple(Path(one) for one in (self.model, self.back_model) if one and is_folder(one))

    def placed(self, folder: Path) -> Self:
        """With models that are named by a path, as seen from the plan's folder."""
        model, back_model = (placed_model(one, folder) for one in (self.model, self.back_model))
        return replace(self, model=model, back_model=back_model)

    def load(self) -> None:
        """Load the model of the way there and that of the way back."""
        self.loaded()
        self.returning().loaded()

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        """Translate texts; each output is the same whatever else is asked."""
        return self.translate_choosing([(text, NO_TERMS) for text in texts], source, target)

    def translate_choosing(self, asked: Sequence[Asked], source: str, target: str) -> list[Output]:
        """The same; where names are wanted, each sentence is chosen among as many as beams."""
        languages = nllb_code(source), nllb_code(target)
        pieces = {one: [(piece, one[1]) for piece in _pieces(one[0], source)] for one in asked}
        distinct = {piece for cut in pieces.values() for piece in cut}
        found = {piece: made for piece in distinct if (made := _by_rule(piece[0], target))}
        offered = self._offered(distinct - found.keys(), languages)
        found |= {piece: choose(made, piece[1], target) for piece, made in offered.items()}
        return [_join([found[piece] for piece in pieces[one]], target) for one in asked]

    def _offered(
        self, asked: set[Asked], languages: tuple[str, str]
    ) -> dict[Asked, tuple[Hypothesis, ...]]:
        """Hypotheses of sentences; those without names are never batched with the others."""
        offered: dict[Asked, tuple[Hypothesis, ...]] = {}
        plain = {one for one in asked if not one[1].names}
        for some, hypotheses in ((plain, 1), (asked - plain, self.beams)):
            sentences = {sentence for sentence, _ in some}
            made = self._decode(sentences, languages, hypotheses) if sentences else {}
            offered |= {one: made[one[0]] for one in some}
        return offered

    def _decode(
        self, sentences: set[str], languages: tuple[str, str], hypotheses: int
    ) -> dict[str, tuple[Hypothesis, ...]]:
        model = self.loaded()
        lengths = {sentence: model.vocabulary.length(sentence) for sentence in sentences}
        readable = [s for s in sentences if lengths[s] <= model.input_limit]
        limit = BatchLimit(self.batch_size, self.batch_tokens, _LENGTH_STEP)
        refused = Hypothesis("", 0.0, 0, frozenset({INPUT_TOO_LONG}))
        found: dict[str, tuple[Hypothesis, ...]] = dict.fromkeys(sentences, (refused,))
        for batch in plan_batches(readable, limit, lengths.__getitem__):
            # All of a batch have this step, so that no neighbour changes a sentence's limit.
            longest = step_of(lengths[batch[0]], _LENGTH_STEP)
            decoding = replace(self.decoding(longest, model.input_limit), hypotheses=hypotheses)
            outputs = model.decode(batch, *languages, decoding)
            found.update(zip(batch, outputs, strict=True))
            tell(len(batch), sum(best.tokens for best, *_ in outputs))
        return found

    def decoding(self, input_tokens: int, positions: int) -> Decoding:
        """What a batch may take; no output can be longer than the model has positions."""
        limit = math.ceil(self.length_factor * input_tokens) + self.length_extra
        return Decoding(self.beams, self.length_penalty, min(limit, positions))


def _pieces(text: str, source: str) -> list[str]:
    return [prepare(sentence) for sentence in split_sentences(text, source)]


def has_content(text: str) -> bool:
    """Whether there is a letter or a digit in it."""
    return any(character.isalnum() for character in text)


def _by_rule(piece: str, target: str) -> Hypothesis | None:
    """Carry over what no model need see or may, or refuse it; None is for the model."""
    if not has_content(piece):
        return Hypothesis(piece, 0.0, 0, frozenset())
    if is_wordless(piece) or (is_drug(piece) and writes_latin(target)):
        return Hypothesis(piece, 0.0, 0, frozenset({BY_RULE}))
    return Hypothesis("", 0.0, 0, frozenset({NAME_UNKNOWN})) if is_drug(piece) else None


def _join(hypotheses: Sequence[Hypothesis], target: str) -> Output:
    """Make one output of the sentences'; the score is the mean over all their tokens."""
    flags = {flag for hypothesis in hypotheses for flag in hypothesis.flags}
    if failures := sorted(FAILURES & flags):
        return Output("", flags=tuple(failures))
    text = joiner(target).join(hypothesis.text for hypothesis in hypotheses if hypothesis.text)
    made = [hypothesis for hypothesis in hypotheses if hypothesis.tokens]
    flags |= _faults(text, [hypothesis.text for hypothesis in made], target)
    if not all(TERM_MISSING in hypothesis.flags for hypothesis in made):
        flags.discard(TERM_MISSING)  # one sentence with the name will do
    tokens = sum(hypothesis.tokens for hypothesis in hypotheses)
    total = sum(hypothesis.log_probability for hypothesis in hypotheses)
    return Output(text, total / tokens if tokens else float("nan"), tuple(sorted(flags)))


def _faults(text: str, sentences: Sequence[str], target: str) -> set[str]:
    """What the joined text shows: every sentence must have come out, in the language's script."""
    faults = set()
    if not has_content(text) or not all(map(has_content, sentences)):
        faults.add(EMPTY)
    if target == "zh" and traditional_characters(text):
        faults.add(TRADITIONAL)
    return faults
