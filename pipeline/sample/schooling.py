"""Trains a small checkpoint of NLLB's architecture and tokenizer class on pairs of sentences.

The same lessons, shape and library versions give the same bytes on the same kind of processor: one
thread, a fixed seed, batches in order. Another kind multiplies in another order, and its weights
differ in their last bits.
"""

# torch and transformers ship no types that mypy reads here.
# ruff: noqa: ANN401

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.records import LANGUAGES
from translation.preparation import prepare

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
ROWS = 32  # of a batch


@dataclass(frozen=True, order=True, slots=True)
class Lesson:
    """A text with its translation, between two of the project's languages."""

    source: str
    target: str
    text: str
    translation: str


@dataclass(frozen=True, slots=True)
class Schooling:
    """How large the model is and how long it learns; units and layers are those of M2M100."""

    pieces: int = 900  # of the vocabulary, besides the languages
    width: int = 64
    inner: int = 128
    layers: int = 2  # of the encoder, and as many of the decoder
    heads: int = 4
    positions: int = 128  # tokens that it can read or write
    epochs: int = 60
    rate: float = 6e-3  # at its height, after a tenth of the way
    goal: float = 0.01  # mean loss a token, under which a sentence is reproduced with ease


def both_ways(source: str, target: str, text: str, translation: str) -> tuple[Lesson, Lesson]:
    """A pair as two lessons; what a model is to read is prepared as it will be then."""
    return (
        Lesson(source, target, prepare(text), translation),
        Lesson(target, source, prepare(translation), text),
    )


def train_checkpoint(folder: Path, lessons: Iterable[Lesson], schooling: Schooling) -> float:
    """Train, and save in transformers' form; gives the mean loss a token of the last epoch."""
    import torch  # noqa: PLC0415

    torch.set_num_threads(1)
    ordered = sorted(set(lessons))
    texts = sorted({text for lesson in ordered for text in (lesson.text, lesson.translation)})
    tokenizer = learn_tokenizer(texts, schooling)
    model = _model(tokenizer, schooling)
    loss = _train(model, _batches(tokenizer, ordered), schooling)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return loss


def learn_tokenizer(texts: Sequence[str], schooling: Schooling) -> Any:
    """NLLB's tokenizer class with all its language codes, over pieces of these texts."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: PLC0415
    from transformers import NllbTokenizer  # noqa: PLC0415

    learner = Tokenizer(models.BPE(unk_token="<unk>"))
    learner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=schooling.pieces,
        special_tokens=list(SPECIAL),
        show_progress=False,
        min_frequency=2,
    )
    learner.train_from_iterator(texts, trainer)
    state = json.loads(learner.to_str())["model"]
    merges = [tuple(merge) for merge in state["merges"]]
    return NllbTokenizer(vocab=state["vocab"], merges=merges)


def _model(tokenizer: Any, schooling: Schooling) -> Any:
    import torch  # noqa: PLC0415
    from transformers import M2M100Config, M2M100ForConditionalGeneration  # noqa: PLC0415

    torch.manual_seed(0)
    size = schooling
    config = M2M100Config(
        vocab_size=len(tokenizer),
        d_model=size.width,
        encoder_layers=size.layers,
        decoder_layers=size.layers,
        encoder_attention_heads=size.heads,
        decoder_attention_heads=size.heads,
        encoder_ffn_dim=size.inner,
        decoder_ffn_dim=size.inner,
        encoder_layerdrop=0.0,
        decoder_layerdrop=0.0,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        max_position_embeddings=size.positions,
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id,
    )
    return M2M100ForConditionalGeneration(config)


def _batches(tokenizer: Any, lessons: Sequence[Lesson]) -> list[dict[str, Any]]:
    """Batches of lessons of like length; labels begin with the target language's token."""

    def frame(text: str, language: str) -> list[int]:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        code = tokenizer.convert_tokens_to_ids(LANGUAGES[language].nllb)
        return [code, *ids, tokenizer.eos_token_id]

    framed = sorted(
        (frame(one.text, one.source), frame(one.translation, one.target)) for one in lessons
    )
    framed.sort(key=lambda pair: max(map(len, pair)))
    parts = (framed[at : at + ROWS] for at in range(0, len(framed), ROWS))
    return [_tensors(part, tokenizer.pad_token_id) for part in parts]


def _tensors(framed: Sequence[tuple[list[int], list[int]]], padding: int) -> dict[str, Any]:
    import torch  # noqa: PLC0415

    def pad(ids: list[list[int]], value: int) -> Any:
        width = max(map(len, ids))
        return torch.tensor([[*row, *[value] * (width - len(row))] for row in ids])

    inputs = pad([pair[0] for pair in framed], padding)
    labels = pad([pair[1] for pair in framed], -100)
    mask = (inputs != padding).long()
    return {"input_ids": inputs, "attention_mask": mask, "labels": labels}


def _train(model: Any, batches: Sequence[dict[str, Any]], schooling: Schooling) -> float:
    import torch  # noqa: PLC0415

    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser,
        max_lr=schooling.rate,
        total_steps=schooling.epochs * len(batches),
        pct_start=0.1,
    )
    model.train()
    mean = float("inf")
    shuffler = torch.Generator().manual_seed(0)
    for _ in range(schooling.epochs):
        total = 0.0
        for place in torch.randperm(len(batches), generator=shuffler).tolist():
            loss = model(**batches[place]).loss
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        mean = total / len(batches)
        if mean < schooling.goal:
            break
    model.eval()
    return mean
