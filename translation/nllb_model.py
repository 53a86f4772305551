"""A loaded NLLB model of transformers: sentences in, hypotheses out. The one user of torch."""

import threading
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from translation.base import TranslationError
from translation.nllb_text import Decoding, Hypothesis, SentenceModel, Vocabulary
from translation.nllb_weights import (
    TOKENIZER,
    how_to_get,
    is_folder,
    model_file,
    without_progress,
)

_LOADING = threading.Lock()
_START = 2  # the decoder's start token and the language's before every output


@dataclass(frozen=True)
class Weights:
    """What is loaded; equal weights are shared by all engines of a process."""

    model: str
    revision: str
    dtype: str
    device: str


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


class NllbModel(SentenceModel):
    """Vocabulary and network of one set of weights, for inference only."""

    def __init__(self, weights: Weights) -> None:
        """Load from a folder or from the hub, by its cache; HF_HUB_OFFLINE is honoured."""
        import torch  # noqa: PLC0415

        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        self._device = automatic if weights.device == "auto" else weights.device
        model = _from_pretrained(weights, getattr(torch, weights.dtype))
        self._model = model.to(self._device).eval()
        self.vocabulary = Vocabulary(model_file(weights.model, weights.revision, TOKENIZER))
        self.input_limit = int(model.config.max_position_embeddings)

    def decode(
        self, texts: Sequence[str], source: str, target: str, decoding: Decoding
    ) -> list[tuple[Hypothesis, ...]]:
        """Translate a batch between two languages under NLLB's codes; of each the best first."""
        import torch  # noqa: PLC0415

        target_id, many = self.vocabulary.language_id(target), decoding.hypotheses
        rows = [self.vocabulary.input_ids(text, source) for text in texts]
        with torch.inference_mode():
            inputs = self._pad(rows)
            settings = self._settings(decoding, target_id)
            sequences = self._model.generate(**inputs, generation_config=settings)
            outputs = [self._content(row) for row in sequences.tolist()]
            read = {name: one.repeat_interleave(many, dim=0) for name, one in inputs.items()}
            totals = self._log_probabilities(read, sequences, outputs)
        asked = (row for row in rows for _ in range(many))
        made = [
            self.vocabulary.hypothesis(row, output, total)
            for row, output, total in zip(asked, outputs, totals, strict=True)
        ]
        return [tuple(made[at : at + many]) for at in range(0, len(made), many)]

    def _pad(self, rows: Sequence[Sequence[int]]) -> dict[str, Any]:
        import torch  # noqa: PLC0415

        width, pad = max(map(len, rows)), self.vocabulary.padding
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
            num_return_sequences=decoding.hypotheses,
            length_penalty=decoding.length_penalty,
            max_new_tokens=decoding.max_new_tokens,
            early_stopping=False,
            do_sample=False,
            decoder_start_token_id=self._model.config.decoder_start_token_id,
            forced_bos_token_id=target_id,
            bos_token_id=self.vocabulary.start,
            eos_token_id=self.vocabulary.end,
            pad_token_id=self.vocabulary.padding,
        )

    def _content(self, sequence: Sequence[int]) -> list[int]:
        """Cut the start off, and what stands behind the end; the end itself stays, if reached."""
        tokens = list(sequence[_START:])
        end = self.vocabulary.end
        return tokens[: tokens.index(end) + 1] if end in tokens else tokens

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


def _chosen(logits: Any, tokens: Sequence[int]) -> float:  # noqa: ANN401
    """Sum the log-probabilities of the tokens under their positions' logits."""
    import torch  # noqa: PLC0415

    index = torch.tensor(tokens, device=logits.device).unsqueeze(1)
    return float(logits.float().log_softmax(dim=-1).gather(1, index).double().sum())


def _from_pretrained(weights: Weights, dtype: Any) -> Any:  # noqa: ANN401
    from transformers import AutoModelForSeq2SeqLM, GenerationConfig  # noqa: PLC0415

    revision = None if is_folder(weights.model) else weights.revision
    try:
        with without_progress() if revision is None else nullcontext():
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
    return model
