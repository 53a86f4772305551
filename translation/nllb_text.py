"""NLLB's text as token ids and back: what every engine over its weights has in common.

The ids are laid out here as NLLB was trained, the source language's token before the text and
end-of-sentence after it, so that nothing depends on a tokenizer's legacy switch or on which
language it was last set to (a shared tokenizer with such a state is unsafe between threads).
"""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from translation.base import LENGTH_LIMIT, UNKNOWN_TOKEN, TranslationError

START_OF_SENTENCE, PADDING, END, UNKNOWN = "<s>", "<pad>", "</s>", "<unk>"
_FRAME = 2  # the language's token and end-of-sentence around every input


@dataclass(frozen=True)
class Decoding:
    """How one batch is decoded; ``max_new_tokens`` counts the language's token too.

    ``patience`` × beams is how many hypotheses are finished before the best is taken, for engines
    that stop by number; ``hypotheses`` how many are given, at most as many as beams.
    """

    beams: int
    length_penalty: float
    max_new_tokens: int
    patience: float = 1.0
    hypotheses: int = 1


@dataclass(frozen=True)
class Hypothesis:
    """One sentence's translation with the summed log-probability of its tokens."""

    text: str
    log_probability: float
    tokens: int
    flags: frozenset[str]

    @property
    def mean(self) -> float:
        """The mean log-probability of a token."""
        return self.log_probability / max(1, self.tokens)


class SentenceModel(abc.ABC):
    """Loaded weights that translate single sentences; the vocabulary tells how long one is."""

    vocabulary: "Vocabulary"
    input_limit: int  # tokens, those around the text with them

    @abc.abstractmethod
    def decode(
        self, texts: Sequence[str], source: str, target: str, decoding: Decoding
    ) -> list[tuple[Hypothesis, ...]]:
        """Translate a batch between two languages under NLLB's codes; of each the best first."""


class Vocabulary:
    """NLLB's tokenizer.json, which knows the language codes that the .model file lacks."""

    def __init__(self, file: Path) -> None:
        """Read the file; it is the same for torch and for CTranslate2."""
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._file = file
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        # What looks like a special token in a text is plain text.
        self._tokenizer.encode_special_tokens = True
        self.unknown = self._special(UNKNOWN)
        self.end = self._special(END)
        self.start = self._special(START_OF_SENTENCE)
        self.padding = self._special(PADDING)

    def length(self, text: str) -> int:
        """Count the tokens of an input, those around the text with it."""
        return len(self._text_ids(text)) + _FRAME

    def input_ids(self, text: str, source: str) -> list[int]:
        """Lay out one input as NLLB reads it."""
        return [self.language_id(source), *self._text_ids(text), self.end]

    def language_id(self, code: str) -> int:
        """Find a language's token; an unknown one would silently be the unknown token."""
        found = self._tokenizer.token_to_id(code)
        if found is None or self._tokenizer.id_to_token(found) != code:
            raise TranslationError(
                f"{self._file}: the tokenizer has no language {code}; "
                "the folder needs NLLB's tokenizer.json with its language codes"
            )
        return int(found)

    def tokens(self, ids: Sequence[int]) -> list[str]:
        """The written form of ids, which CTranslate2 reads."""
        return [str(self._tokenizer.id_to_token(one)) for one in ids]

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The ids of written tokens; one that the file does not know is the unknown token."""
        found = (self._tokenizer.token_to_id(token) for token in tokens)
        return [self.unknown if one is None else one for one in found]

    def hypothesis(
        self, row: Sequence[int], output: Sequence[int], log_probability: float
    ) -> Hypothesis:
        """Spell an output out, with flags for what went wrong; its end is there if reached."""
        text = self._tokenizer.decode(list(output), skip_special_tokens=True)
        flags = {LENGTH_LIMIT} if self.end not in output else set()
        if self.unknown in row or self.unknown in output:
            flags.add(UNKNOWN_TOKEN)
        return Hypothesis(text.strip(), log_probability, len(output), frozenset(flags))

    def _text_ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _special(self, token: str) -> int:
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise TranslationError(f"{self._file}: no token {token}; it is no tokenizer of NLLB")
        return int(found)
