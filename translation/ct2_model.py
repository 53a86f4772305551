"""A loaded NLLB model of CTranslate2: sentences in, hypotheses out. The one user of its engine."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from translation.base import TranslationError
from translation.ct2_weights import input_limit
from translation.nllb_text import Decoding, Hypothesis, SentenceModel, Vocabulary
from translation.nllb_weights import TOKENIZER

_LOADING = threading.Lock()


@dataclass(frozen=True)
class Loading:
    """What is loaded and where to; equal ones are shared by all engines of a process."""

    folder: Path
    dtype: str
    device: str  # auto, cpu, cuda, or one of several as cuda:1
    threads: int  # 0 leaves the number to CTranslate2


def load_model(loading: Loading) -> "Ct2Model":
    """Load a converted model or return the loaded one; safe between threads."""
    with _LOADING:
        return _load(loading)


@lru_cache(maxsize=2)  # an engine and one that translates back
def _load(loading: Loading) -> "Ct2Model":
    return Ct2Model(loading)


class Ct2Model(SentenceModel):
    """Vocabulary and network of one converted folder."""

    def __init__(self, loading: Loading) -> None:
        """Load; a type of number that the device has not is refused, never replaced."""
        self._translator = _translator(loading)
        self.vocabulary = Vocabulary(loading.folder / TOKENIZER)
        self.input_limit = input_limit(loading.folder)

    def decode(
        self, texts: Sequence[str], source: str, target: str, decoding: Decoding
    ) -> list[tuple[Hypothesis, ...]]:
        """Translate a batch between two languages under NLLB's codes; of each the best first."""
        prefix = self.vocabulary.tokens([self.vocabulary.language_id(target)])
        rows = [self.vocabulary.input_ids(text, source) for text in texts]
        results = self._translator.translate_batch(
            [self.vocabulary.tokens(row) for row in rows],
            target_prefix=[prefix] * len(rows),
            beam_size=decoding.beams,
            num_hypotheses=decoding.hypotheses,
            length_penalty=decoding.length_penalty,
            patience=decoding.patience,
            max_input_length=0,  # the default cuts, and whoever asks has measured
            max_decoding_length=decoding.max_new_tokens,
            return_end_token=True,
            return_scores=True,
        )
        return [
            tuple(
                self._hypothesis(row, result, place, decoding)
                for place in range(len(result.hypotheses))
            )
            for row, result in zip(rows, results, strict=True)
        ]

    def _hypothesis(
        self,
        row: Sequence[int],
        result: Any,  # noqa: ANN401
        place: int,
        decoding: Decoding,
    ) -> Hypothesis:
        """Take the language's token off, and undo the score's division by length ** penalty."""
        tokens = result.hypotheses[place]
        total = result.scores[place] * len(tokens) ** decoding.length_penalty
        return self.vocabulary.hypothesis(row, self.vocabulary.ids(tokens[1:]), total)


def _translator(loading: Loading) -> Any:  # noqa: ANN401
    try:
        import ctranslate2  # noqa: PLC0415
    except ImportError as error:
        raise TranslationError(
            f"{error}; install the project's own requirements with `pip install mmed-bench-ir`"
        ) from error
    device, _, index = loading.device.partition(":")
    if device == "auto":
        device = "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
    has = ctranslate2.get_supported_compute_types(device)
    if loading.dtype not in has:
        known = ", ".join(sorted(has))
        raise TranslationError(
            f"nllb-ct2: {device} cannot reckon in {loading.dtype}; set dtype to one of {known}"
        )
    return ctranslate2.Translator(
        str(loading.folder),
        device=device,
        device_index=int(index or 0),
        compute_type=loading.dtype,
        intra_threads=loading.threads,
    )
