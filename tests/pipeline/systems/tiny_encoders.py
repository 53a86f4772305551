"""Small checkpoints of the systems' own architectures, with random weights and real tokenizers.

Loaded by path from conftest (``tests`` is no package).
"""

# torch and transformers take seconds to import, and tests that need no model must not wait.
# ruff: noqa: ANN401

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

TEXTS = [
    "asthma narrows the airways of the lungs",
    "insulin lowers blood sugar in diabetes mellitus",
    "blood carries oxygen to every organ",
    "a broken bone is called a fracture",
    "Asthma verengt die Atemwege der Lunge",
    "l'insuline abaisse la glycémie",
    "астма сужает дыхательные пути",
    "糖尿病では血糖値が上がります",
    "哮喘会使气道变窄",
]
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "initializer_range": 0.3,  # so that texts come out far apart
}
LANGUAGES = ["en_XX", "de_DE", "ja_XX"]  # of the X-MOD here


def wordpieces() -> dict[str, int]:
    """BERT's vocabulary of these texts."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.normalizer = normalizers.BertNormalizer()
    learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    learner.train_from_iterator(TEXTS, trainer)
    # The trainer's own order of pieces changes from run to run.
    pieces = [*special, *sorted(learner.get_vocab().keys() - set(special))]
    return {piece: place for place, piece in enumerate(pieces)}


def unigrams() -> list[tuple[str, float]]:
    """XLM-R's kind of vocabulary of these texts: pieces and their scores."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    learner = Tokenizer(models.Unigram())
    learner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(
        vocab_size=260, special_tokens=special, unk_token="<unk>", show_progress=False
    )
    learner.train_from_iterator(TEXTS, trainer)
    pieces = json.loads(learner.to_str())["model"]["vocab"]
    learned = sorted((piece, score) for piece, score in pieces if piece not in special)
    return [*((piece, 0.0) for piece in special), *learned]


def bert(folder: Path, seed: int = 0) -> None:
    from transformers import BertConfig, BertModel, BertTokenizer

    tokenizer = BertTokenizer(vocab=wordpieces())
    config = BertConfig(vocab_size=len(tokenizer), max_position_embeddings=512, **SIZES)
    save(folder, tokenizer, BertModel, config, seed)


def mpnet(folder: Path) -> None:
    from transformers import MPNetConfig, MPNetModel, MPNetTokenizer

    special = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
    order = ["<s>", "<pad>", "</s>", "[UNK]"]
    named = sorted(wordpieces().items(), key=lambda pair: pair[1])
    pieces = [special.get(piece, piece) for piece, _ in named]
    pieces = [*order, *(piece for piece in pieces if piece not in order)]
    tokenizer = MPNetTokenizer(vocab={piece: place for place, piece in enumerate(pieces)})
    config = MPNetConfig(vocab_size=len(tokenizer), max_position_embeddings=514, **SIZES)
    save(folder, tokenizer, MPNetModel, config)


def ance(folder: Path) -> None:
    """RoBERTa and ANCE's head, under the names that the published weights have."""
    import torch
    from safetensors.torch import load_file, save_file
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    learner = ByteLevelBPETokenizer()
    learner.train_from_iterator(
        TEXTS,
        vocab_size=400,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        show_progress=False,
    )
    state = json.loads(learner.to_str())["model"]
    tokenizer = RobertaTokenizer(
        vocab=state["vocab"], merges=[tuple(merge) for merge in state["merges"]]
    )
    config = RobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=514, pad_token_id=1, **SIZES
    )
    save(folder, tokenizer, RobertaModel, config)
    weights = {
        f"roberta.{name}": tensor
        for name, tensor in load_file(folder / "model.safetensors").items()
        if not name.startswith("pooler")
    }
    generator = torch.Generator().manual_seed(5)
    for name, shape in {
        "embeddingHead.weight": (32, 32),
        "embeddingHead.bias": (32,),
        "norm.weight": (32,),
        "norm.bias": (32,),
    }.items():
        weights[name] = torch.randn(shape, generator=generator)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def xlmr(folder: Path, positions: int = 514) -> None:
    from transformers import XLMRobertaConfig, XLMRobertaModel, XLMRobertaTokenizer

    tokenizer = XLMRobertaTokenizer(vocab=unigrams())
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=positions, pad_token_id=1, **SIZES
    )
    save(folder, tokenizer, XLMRobertaModel, config)


def bge_m3(folder: Path) -> None:
    """XLM-R of BGE-M3's length, and its two heads in files of their own."""
    import torch

    xlmr(folder, 8194)
    generator = torch.Generator().manual_seed(7)
    for name, rows in {"sparse_linear.pt": 1, "colbert_linear.pt": 32}.items():
        head = {
            "weight": torch.randn((rows, 32), generator=generator),
            "bias": torch.randn((rows,), generator=generator),
        }
        torch.save(head, folder / name)


def xmod(folder: Path) -> None:
    from transformers import XLMRobertaTokenizer, XmodConfig, XmodModel

    tokenizer = XLMRobertaTokenizer(vocab=unigrams())
    config = XmodConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=514,
        pad_token_id=1,
        languages=LANGUAGES,
        **SIZES,
    )
    save(folder, tokenizer, XmodModel, config)


def save(folder: Path, tokenizer: Any, model: Any, config: Any, seed: int = 0) -> None:
    import torch

    torch.manual_seed(seed)
    tokenizer.save_pretrained(folder)
    model(config).eval().save_pretrained(folder)


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "bert": bert,
    "articles": lambda folder: bert(folder, 1),
    "mpnet": mpnet,
    "ance": ance,
    "xlmr": xlmr,
    "bge_m3": bge_m3,
    "xmod": xmod,
}
