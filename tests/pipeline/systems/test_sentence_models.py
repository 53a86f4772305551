"""Models of sentence-transformers against that library's own parts, taken by hand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pipeline.scorer.release import Document
from pipeline.systems.base import Asked, SystemsError
from pipeline.systems.choice import build_system

pytestmark = pytest.mark.usefixtures("offline")
Checkpoint = Callable[[str], str]

DOCUMENTS = [
    Document("d1", "Asthma", "asthma narrows the airways"),
    Document("d2", "", "insulin lowers blood sugar " * 10),
    Document("d3", "", "blood carries oxygen"),
]
QUERIES = [Asked("q1", "blood sugar", "en"), Asked("q2", "糖尿病", "ja")]
PROMPTS = {"query": "ask: ", "document": "say: "}


def saved(checkpoint: Checkpoint, folder: Path, similarity: str) -> str:
    """A model of mean pooling and 24 tokens, with a prompt for either side."""
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    network = Transformer(checkpoint("bert"), max_seq_length=24)
    pooling = Pooling(32, pooling_mode="mean")
    model = library.SentenceTransformer(
        modules=[network, pooling],
        prompts=PROMPTS,
        similarity_fn_name=similarity,
        device="cpu",
    )
    model.save_pretrained(str(folder))
    return str(folder)


def by_hand(folder: str, text: str, length: int) -> "np.ndarray":
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    inputs = tokenizer(text, truncation=True, max_length=length, return_tensors="pt")
    with torch.no_grad():
        hidden = AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state[0]
    mean: np.ndarray = hidden.numpy().mean(axis=0)
    return mean


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
@pytest.mark.parametrize("length", [0, 9])
def test_a_model_is_used_as_it_says(
    similarity: str, length: int, checkpoint: Checkpoint, tmp_path: Path
) -> None:
    folder = saved(checkpoint, tmp_path / "model", similarity)
    settings = [f"model={folder}", f"document_length={length}", "cache=", "device=cpu"]
    index = build_system("sentence-transformers", settings).index(DOCUMENTS)
    found = {(hit.query_id, hit.document_id): hit.score for hit in index.search(QUERIES, 3)}
    for query in QUERIES:
        asked = by_hand(folder, PROMPTS["query"] + query.text, 24)
        for document in DOCUMENTS:
            text = PROMPTS["document"] + f"{document.title} {document.text}".strip()
            said = by_hand(folder, text, length or 24)
            lengths = np.linalg.norm(asked) * np.linalg.norm(said)
            expected = float(asked @ said) / (lengths if similarity == "cosine" else 1.0)
            assert found[query.query_id, document.document_id] == pytest.approx(expected, rel=1e-4)


def test_a_corpus_is_encoded_once(checkpoint: Checkpoint, tmp_path: Path) -> None:
    folder = saved(checkpoint, tmp_path / "model", "cosine")
    settings = [f"model={folder}", f"cache={tmp_path / 'cache'}", "device=cpu"]
    system = build_system("sentence-transformers", settings)
    first = list(system.index(DOCUMENTS).search(QUERIES, 3))
    kept = {path.name: path.read_bytes() for path in (tmp_path / "cache").iterdir()}
    assert list(system.index(DOCUMENTS).search(QUERIES, 3)) == first
    assert {path.name: path.read_bytes() for path in (tmp_path / "cache").iterdir()} == kept


def test_other_similarities_are_refused(checkpoint: Checkpoint, tmp_path: Path) -> None:
    folder = saved(checkpoint, tmp_path / "model", "euclidean")
    system = build_system("sentence-transformers", [f"model={folder}", "cache=", "device=cpu"])
    with pytest.raises(SystemsError, match="compares by euclidean"):
        system.index(DOCUMENTS)
