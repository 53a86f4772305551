"""NLLB-200 through transformers: sentence by sentence, repeatable, nothing cut unseen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from translation.base import EMPTY, INPUT_TOO_LONG, Engine, Output, TranslationError
from translation.batches import BatchLimit, plan_batches, step_of
from translation.languages import joiner, nllb_code
from translation.nllb_model import Decoding, Hypothesis, NllbModel, Weights, load_model
from translation.nllb_weights import DEFAULT_MODEL, short_name, weights_revision
from translation.preparation import PROCESSING_VERSION, prepare
from translation.sentences import split_sentences

DTYPES = ("float32", "bfloat16", "float16")
_POSITIVE = ("beams", "length_factor", "batch_size", "batch_tokens")
_LENGTH_STEP = 16  # tokens; sentences of one step share a batch and the limit of their output


@dataclass(frozen=True)
class Nllb(Engine):
    """NLLB-200 (CC-BY-NC-4.0), a model of the Hugging Face hub or of a local folder.

    Texts are cut into sentences, since NLLB drops sentences of longer input, and the translations
    joined as the target language does. Output may have ``length_factor`` × the input's tokens
    (rounded up to 16) + ``length_extra``. In float32 a sentence's neighbours in a batch change
    its translation by no more than rounding; with ``batch_size = 1`` by nothing. The other
    number types are faster on a GPU, but depend on the batch.
    """

    name: ClassVar[str] = "nllb"

    model: str = DEFAULT_MODEL  # hub name or path of a folder
    revision: str = ""  # commit; "" is the pinned one, or a folder's content hash
    beams: int = 4  # as in the evaluation of NLLB-200
    length_penalty: float = 1.0
    length_factor: float = 3.0
    length_extra: int = 16
    batch_size: int = 16  # sentences
    batch_tokens: int = 2048  # input tokens of a batch, with padding
    dtype: str = "float32"
    device: str = "auto"  # cuda where there is one, else cpu; or a device of torch
    threads: int = 0  # of torch, for the whole process; 0 leaves them as they are

    def __post_init__(self) -> None:
        """Refuse settings with which nothing could be translated."""
        for field in _POSITIVE:
            if getattr(self, field) <= 0:
                raise TranslationError(f"nllb: {field} must be above 0")
        if min(self.length_extra, self.threads) < 0:
            raise TranslationError("nllb: length_extra and threads must not be below 0")
        if self.dtype not in DTYPES:
            raise TranslationError(f"nllb: unknown dtype {self.dtype!r}; known are {DTYPES}")

    def signature(self) -> str:
        """Everything but batches, device and threads, which change no more than rounding."""
        model, revision = self.provenance()
        settings = ("beams", "length_penalty", "length_factor", "length_extra", "dtype")
        values = " ".join(f"{name}={getattr(self, name)}" for name in settings)
        return f"{self.name} {model}@{revision} {values} processing={PROCESSING_VERSION}"

    def provenance(self) -> tuple[str, str]:
        """Give the model's name, of a folder without its place, and the revision."""
        return short_name(self.model), weights_revision(self.model, self.revision)

    def load(self) -> None:
        """Load the model, once in a process for all engines that share its weights."""
        self._loaded()

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        """Translate texts; each output is the same whatever else is asked."""
        languages = nllb_code(source), nllb_code(target)
        pieces = {text: _pieces(text, source) for text in texts}
        sentences = {piece for cut in pieces.values() for piece in cut if _has_content(piece)}
        found = self._translate_sentences(sentences, languages) if sentences else {}
        return [_join([found.get(p) or _copy(p) for p in pieces[text]], target) for text in texts]

    def _loaded(self) -> NllbModel:
        revision = weights_revision(self.model, self.revision)
        return load_model(Weights(self.model, revision, self.dtype, self.device), self.threads)

    def _translate_sentences(
        self, sentences: set[str], languages: tuple[str, str]
    ) -> dict[str, Hypothesis]:
        model = self._loaded()
        lengths = {sentence: model.length(sentence) for sentence in sentences}
        readable = [s for s in sentences if lengths[s] <= model.input_limit]
        limit = BatchLimit(self.batch_size, self.batch_tokens, _LENGTH_STEP)
        found = dict.fromkeys(sentences, Hypothesis("", 0.0, 0, frozenset({INPUT_TOO_LONG})))
        for batch in plan_batches(readable, limit, lengths.__getitem__):
            # All of a batch have this step, so that no neighbour changes a sentence's limit.
            longest = step_of(lengths[batch[0]], _LENGTH_STEP)
            outputs = model.decode(batch, *languages, self._decoding(longest))
            found.update(zip(batch, outputs, strict=True))
        return found

    def _decoding(self, input_tokens: int) -> Decoding:
        limit = math.ceil(self.length_factor * input_tokens) + self.length_extra
        return Decoding(self.beams, self.length_penalty, limit)


def _pieces(text: str, source: str) -> list[str]:
    return [prepare(sentence) for sentence in split_sentences(text, source)]


def _has_content(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _copy(piece: str) -> Hypothesis:
    """Carry over what no model need see: a sentence without a letter or digit."""
    return Hypothesis(piece, 0.0, 0, frozenset())


def _join(hypotheses: Sequence[Hypothesis], target: str) -> Output:
    """Make one output of the sentences'; the score is the mean over all their tokens."""
    flags = {flag for hypothesis in hypotheses for flag in hypothesis.flags}
    if INPUT_TOO_LONG in flags:
        return Output("", flags=(INPUT_TOO_LONG,))
    text = joiner(target).join(hypothesis.text for hypothesis in hypotheses if hypothesis.text)
    lost = any(h.tokens and not _has_content(h.text) for h in hypotheses)
    if lost or not _has_content(text):
        flags.add(EMPTY)
    tokens = sum(hypothesis.tokens for hypothesis in hypotheses)
    total = sum(hypothesis.log_probability for hypothesis in hypotheses)
    return Output(text, total / tokens if tokens else float("nan"), tuple(sorted(flags)))
