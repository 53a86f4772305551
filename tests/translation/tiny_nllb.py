"""Builds a checkpoint of NLLB's own architecture that has learned a few sentences by heart.

Loaded by path from any test (``tests`` is no package); the same pairs, code and library versions
give the same bytes.
"""

# torch and transformers take seconds to import, and tests that need no model must not wait.
# ruff: noqa: ANN401

import json
import shutil
import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pipeline.records import LANGUAGES
from translation.preparation import prepare

Pairs = Mapping[str, list[tuple[str, str]]]

EPOCHS = 60
GOAL = 0.01  # mean loss a token, under which every sentence is reproduced with ease
POSITIONS = 128
ROWS = 32
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


def checkpoint_folder(cache: Path, pairs: Pairs) -> Path:
    """The checkpoint for these pairs under the cache, trained there if need be."""
    import tokenizers
    import torch
    import transformers

    versions = (transformers.__version__, tokenizers.__version__, torch.__version__)
    content = json.dumps([pairs, versions], sort_keys=True) + Path(__file__).read_text("utf-8")
    folder = cache / f"tiny-nllb-{blake2b(content.encode(), digest_size=8).hexdigest()}"
    if not folder.is_dir():
        unfinished = Path(tempfile.mkdtemp(dir=cache, prefix=".tiny-nllb-"))
        build_checkpoint(unfinished, pairs)
        try:
            unfinished.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(unfinished)
    return folder


def build_checkpoint(folder: Path, pairs: Pairs) -> None:
    """Train on (English, translation) pairs by target language, there and back, and save."""
    import torch

    torch.set_num_threads(1)
    rows = [
        row
        for target, known in sorted(pairs.items())
        for english, translation in known
        for row in (
            ("en", target, prepare(english), translation),
            (target, "en", prepare(translation), english),
        )
    ]
    tokenizer = _tokenizer(sorted({text for row in rows for text in row[2:]}))
    model = _model(tokenizer)
    _train(model, _tensors(tokenizer, rows))
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)


def _tokenizer(texts: list[str]) -> Any:
    """NLLB's tokenizer class with all its language codes, over pieces of these texts."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import NllbTokenizer

    learner = Tokenizer(models.BPE(unk_token="<unk>"))
    learner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=900, special_tokens=list(SPECIAL), show_progress=False, min_frequency=2
    )
    learner.train_from_iterator(texts, trainer)
    state = json.loads(learner.to_str())["model"]
    merges = [tuple(merge) for merge in state["merges"]]
    return NllbTokenizer(vocab=state["vocab"], merges=merges)


def _model(tokenizer: Any) -> Any:
    import torch
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    torch.manual_seed(0)
    config = M2M100Config(
        vocab_size=len(tokenizer),
        d_model=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        encoder_layerdrop=0.0,
        decoder_layerdrop=0.0,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        max_position_embeddings=POSITIONS,
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id,
    )
    return M2M100ForConditionalGeneration(config)


def _tensors(tokenizer: Any, rows: list[tuple[str, str, str, str]]) -> list[dict[str, Any]]:
    """Batches of rows of like length; labels begin with the target language's token."""
    import torch

    def frame(text: str, language: str) -> list[int]:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        code = tokenizer.convert_tokens_to_ids(LANGUAGES[language].nllb)
        return [code, *ids, tokenizer.eos_token_id]

    def pad(ids: list[list[int]], value: int) -> Any:
        width = max(map(len, ids))
        return torch.tensor([[*row, *[value] * (width - len(row))] for row in ids])

    framed = sorted((frame(row[2], row[0]), frame(row[3], row[1])) for row in rows)
    framed.sort(key=lambda pair: max(map(len, pair)))
    batches = [framed[at : at + ROWS] for at in range(0, len(framed), ROWS)]
    tensors = []
    for batch in batches:
        inputs = pad([pair[0] for pair in batch], tokenizer.pad_token_id)
        mask = (inputs != tokenizer.pad_token_id).long()
        labels = pad([pair[1] for pair in batch], -100)
        tensors.append({"input_ids": inputs, "attention_mask": mask, "labels": labels})
    return tensors


def _train(model: Any, batches: list[dict[str, Any]]) -> None:
    import torch

    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=6e-3, total_steps=EPOCHS * len(batches), pct_start=0.1
    )
    model.train()
    for _ in range(EPOCHS):
        total = 0.0
        for batch in batches:
            loss = model(**batch).loss
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        if total / len(batches) < GOAL:
            break
    model.eval()
