"""A loaded NLLB model: token ids in, hypotheses out. The only module that touches torch.

The ids are laid out here as NLLB was trained, the source language's token before the text and
end-of-sentence after it, so that nothing depends on a tokenizer's legacy switch or on which
language it was last set to (a shared tokenizer with such a state is unsafe between threads).
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from translation.base import LENGTH_LIMIT, UNKNOWN_TOKEN, TranslationError
from translation.nllb_weights import how_to_get, is_folder

_LOADING = threading.Lock()
_FRAME = 2  # the language's token and end-of-sentence around every input
_START = 2  # the decoder's start token and the language's before every output


@dataclass(frozen=True)
class Weights:
    """What is loaded; equal weights are shared by all engines of a process."""

    model: str
    revision: str
    dtype: str
    device: str


@dataclass(frozen=True)
class Decoding:
    """How one batch is decoded; ``max_new_tokens`` counts the language's token too."""

    beams: int
    length_penalty: float
    max_new_tokens: int


@dataclass(frozen=True)
class Hypothesis:
    """One sentence's translation with the summed log-probability of its tokens."""

    text: str
    log_probability: float
    tokens: int
    flags: frozenset[str]


def load_model(weights: Weights, threads: int = 0) -> "NllbModel":
    """Load a model or return the loaded one; safe between threads."""
    try:
        import torch  # noqa: PLC0415
        import transformers  # noqa: F401, PLC0415
    except ImportError as error:
        raise TranslationError(
            f"{error}; install the engine with `pip install mmed-bench-ir[nllb]`"
        ) from error
    if threads:
        torch.set_num_threads(threads)
    with _LOADING:
        return _load(weights)


@lru_cache(maxsize=2)  # an engine and one that translates back
def _load(weights: Weights) -> "NllbModel":
    return NllbModel(weights)


class NllbModel:
    """Tokenizer and network of one set of weights, for inference only."""

    def __init__(self, weights: Weights) -> None:
        """Load from a folder or from the hub, by its cache; HF_HUB_OFFLINE is honoured."""
        import torch  # noqa: PLC0415

        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        self._device = automatic if weights.device == "auto" else weights.device
        self._tokenizer, model = _from_pretrained(weights, getattr(torch, weights.dtype))
        self._model = model.to(self._device).eval()
        self._unknown: int = self._tokenizer.unk_token_id
        self._end: int = self._tokenizer.eos_token_id
        self._weights = weights
        self.input_limit: int = model.config.max_position_embeddings

    def length(self, text: str) -> int:
        """Count the tokens of an input, those around the text with it."""
        return len(self._text_ids(text)) + _FRAME

    def decode(
        self, texts: Sequence[str], source: str, target: str, decoding: Decoding
    ) -> list[Hypothesis]:
        """Translate a batch between two languages under NLLB's codes."""
        import torch  # noqa: PLC0415

        target_id = self.language_id(target)
        rows = [self.input_ids(text, source) for text in texts]
        with torch.inference_mode():
            inputs = self._pad(rows)
            settings = self._settings(decoding, target_id)
            sequences = self._model.generate(**inputs, generation_config=settings)
            outputs = [self._content(row) for row in sequences.tolist()]
            totals = self._log_probabilities(inputs, sequences, outputs)
        return [
            self._hypothesis(row, output, total)
            for row, output, total in zip(rows, outputs, totals, strict=True)
        ]

    def input_ids(self, text: str, source: str) -> list[int]:
        """Lay out one input as NLLB reads it."""
        return [self.language_id(source), *self._text_ids(text), self._end]

    def language_id(self, code: str) -> int:
        """Find a language's token; an unknown one would silently be the unknown token."""
        found: int = self._tokenizer.convert_tokens_to_ids(code)
        if found == self._unknown or self._tokenizer.convert_ids_to_tokens(found) != code:
            raise TranslationError(
                f"{self._weights.model}: the tokenizer has no language {code}; "
                "the folder needs NLLB's tokenizer.json with its language codes"
            )
        return found

    def _text_ids(self, text: str) -> list[int]:
        """Ids of the text alone; what looks like a special token in it is plain text."""
        encoded = self._tokenizer(
            text, add_special_tokens=False, split_special_tokens=True, verbose=False
        )
        ids: list[int] = encoded["input_ids"]
        return ids

    def _pad(self, rows: Sequence[Sequence[int]]) -> dict[str, Any]:
        import torch  # noqa: PLC0415

        width, pad = max(map(len, rows)), self._tokenizer.pad_token_id
        ids = [[*row, *[pad] * (width - len(row))] for row in rows]
        mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]
        return {
            "input_ids": torch.tensor(ids, device=self._device),
            "attention_mask": torch.tensor(mask, device=self._device),
        }

    def _settings(self, decoding: Decoding, target_id: int) -> Any:  # noqa: ANN401
        """Spell out every setting: a hub model's own defaults cut outputs at 200 tokens."""
        from transformers import GenerationConfig  # noqa: PLC0415

        return GenerationConfig(
            num_beams=decoding.beams,
            length_penalty=decoding.length_penalty,
            max_new_tokens=decoding.max_new_tokens,
            early_stopping=False,
            do_sample=False,
            decoder_start_token_id=self._model.config.decoder_start_token_id,
            forced_bos_token_id=target_id,
            bos_token_id=self._tokenizer.bos_token_id,
            eos_token_id=self._end,
            pad_token_id=self._tokenizer.pad_token_id,
        )

    def _content(self, sequence: Sequence[int]) -> list[int]:
        """Cut the start off, and what stands behind the end; the end itself stays, if reached."""
        tokens = list(sequence[_START:])
        return tokens[: tokens.index(self._end) + 1] if self._end in tokens else tokens

    def _log_probabilities(
        self,
        inputs: dict[str, Any],
        sequences: Any,  # noqa: ANN401
        outputs: Sequence[Sequence[int]],
    ) -> list[float]:
        """Sum each output's log-probabilities, by one more pass over what was chosen.

        The same for one beam and many, and row by row, since the scores that ``generate`` would
        keep take gigabytes at NLLB's vocabulary.
        """
        hidden = self._model.base_model(**inputs, decoder_input_ids=sequences[:, :-1])
        head = self._model.get_output_embeddings()
        return [
            _chosen(head(states[1 : 1 + len(output)]), output)
            for states, output in zip(hidden.last_hidden_state, outputs, strict=True)
        ]

    def _hypothesis(
        self, row: Sequence[int], output: Sequence[int], log_probability: float
    ) -> Hypothesis:
        text = self._tokenizer.decode(
            output, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        flags = {LENGTH_LIMIT} if self._end not in output else set()
        if self._unknown in row or self._unknown in output:
            flags.add(UNKNOWN_TOKEN)
        return Hypothesis(text.strip(), log_probability, len(output), frozenset(flags))


def _chosen(logits: Any, tokens: Sequence[int]) -> float:  # noqa: ANN401
    """Sum the log-probabilities of the tokens under their positions' logits."""
    import torch  # noqa: PLC0415

    index = torch.tensor(tokens, device=logits.device).unsqueeze(1)
    return float(logits.float().log_softmax(dim=-1).gather(1, index).double().sum())


def _from_pretrained(weights: Weights, dtype: Any) -> tuple[Any, Any]:  # noqa: ANN401
    from transformers import (  # noqa: PLC0415
        AutoModelForSeq2SeqLM,
        AutoTokenizer,
        GenerationConfig,
    )

    revision = None if is_folder(weights.model) else weights.revision
    try:
        with _without_progress() if revision is None else nullcontext():
            tokenizer = AutoTokenizer.from_pretrained(weights.model, revision=revision)
            model = AutoModelForSeq2SeqLM.from_pretrained(
                weights.model, revision=revision, dtype=dtype
            )
    except (OSError, ValueError) as error:
        advice = (
            "the folder must hold config.json, tokenizer.json and model.safetensors"
            if revision is None
            else how_to_get(weights.model, revision)
        )
        reason = str(error).strip().split("\n")[0]
        raise TranslationError(f"{weights.model} cannot be loaded ({reason}): {advice}") from error
    model.generation_config = GenerationConfig()
    return tokenizer, model


@contextmanager
def _without_progress() -> Iterator[None]:
    """Show no bar for what takes a second; a download's is left to show."""
    from transformers.utils import logging  # noqa: PLC0415

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
