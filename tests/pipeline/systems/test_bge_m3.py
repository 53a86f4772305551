"""BGE-M3's words and tokens against the same reckoned by hand, one text at a time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.scorer.release import Document
from pipeline.systems import matching
from pipeline.systems.base import Asked, System, SystemsError
from pipeline.systems.choice import build_system

pytestmark = pytest.mark.usefixtures("offline")

DOCUMENTS = [
    Document("d1", "Asthma", "asthma narrows the airways of the lungs"),
    Document("d2", "", "insulin lowers blood sugar and sugar and sugar"),
    Document("d3", "Blood", "blood carries oxygen"),
    Document("d4", "Blood", "blood carries oxygen"),
    Document("d5", "", "糖"),
]
QUERIES = [Asked("q1", "insulin and blood", "en"), Asked("q2", "血糖値が上がります", "ja")]
Checkpoint = Callable[[str], str]
TextStates = tuple[list[int], Any, Any]


def states(folder: str, text: str) -> TextStates:
    """Token ids, states, and the tokenizer's special ids without the mask."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    inputs = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        hidden = AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state[0]
    special = tokenizer.convert_tokens_to_ids(["<s>", "</s>", "<pad>", "<unk>"])
    return inputs["input_ids"][0].tolist(), hidden.numpy(), special


def head(folder: str, name: str, hidden: Any) -> Any:  # noqa: ANN401
    import torch

    weights = torch.load(Path(folder, name), weights_only=True)
    return hidden @ weights["weight"].numpy().T + weights["bias"].numpy()


def words(folder: str, text: str) -> dict[int, float]:
    ids, hidden, special = states(folder, text)
    found: dict[int, float] = {}
    for token, weight in zip(ids, head(folder, "sparse_linear.pt", hidden)[:, 0], strict=True):
        if token not in special and weight > 0:
            found[token] = max(found.get(token, 0), weight)
    return found


def tokens(folder: str, text: str) -> Any:  # noqa: ANN401
    _, hidden, _ = states(folder, text)
    vectors = head(folder, "colbert_linear.pt", hidden)[1:]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def said(document: Document) -> str:
    return f"{document.title} {document.text}".strip()


def small(name: str, checkpoint: Checkpoint, *changes: str) -> System:
    model = f"model={checkpoint('bge_m3')}"
    return build_system(name, [model, "device=cpu", "cache=", *changes])


def scores(system: System, documents: list[Document] = DOCUMENTS) -> dict[tuple[str, str], float]:
    hits = system.index(documents).search(QUERIES, len(documents))
    return {(hit.query_id, hit.document_id): hit.score for hit in hits}


def test_words_in_common_weigh_as_by_hand(checkpoint: Checkpoint) -> None:
    folder = checkpoint("bge_m3")
    expected = {}
    for query in QUERIES:
        asked = words(folder, query.text)
        for document in DOCUMENTS:
            weights = words(folder, said(document))
            score = sum(weight * weights.get(token, 0.0) for token, weight in asked.items())
            if score > 0:
                expected[query.query_id, document.document_id] = score
    assert 0 < len(expected) < len(QUERIES) * len(DOCUMENTS)
    assert scores(small("bge-m3-sparse", checkpoint)) == pytest.approx(expected, rel=1e-4)


def test_the_best_match_of_each_token_counts_as_by_hand(checkpoint: Checkpoint) -> None:
    folder = checkpoint("bge_m3")
    expected = {
        (query.query_id, document.document_id): float(
            (tokens(folder, query.text) @ tokens(folder, said(document)).T).max(axis=1).mean()
        )
        for query in QUERIES
        for document in DOCUMENTS
    }
    assert scores(small("bge-m3-colbert", checkpoint)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", ["bge-m3-sparse", "bge-m3-colbert"])
def test_batches_order_and_blocks_change_nothing(
    name: str, checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = scores(small(name, checkpoint, "batch_size=1"))
    monkeypatch.setattr(matching, "ROWS", 3)
    monkeypatch.setattr(matching, "QUERIES", 1)
    found = scores(small(name, checkpoint, "batch_size=2"), DOCUMENTS[::-1])
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", ["bge-m3-sparse", "bge-m3-colbert"])
def test_every_candidate_is_scored(name: str, checkpoint: Checkpoint) -> None:
    system = small(name, checkpoint)
    shown = {query.query_id: ["d4", "d1", "d3"] for query in QUERIES}
    hits = list(system.index(DOCUMENTS).rerank(QUERIES, shown))
    assert [hit.document_id for hit in hits] == ["d4", "d1", "d3"] * 2
    expected = scores(system)
    for hit in hits:
        score = expected.get((hit.query_id, hit.document_id), 0.0)
        assert hit.score == pytest.approx(score, abs=1e-5)
    assert hits[0].score == hits[2].score


@pytest.mark.parametrize("name", ["bge-m3-sparse", "bge-m3-colbert"])
def test_a_corpus_is_read_back_from_the_cache(
    name: str, checkpoint: Checkpoint, tmp_path: Path
) -> None:
    system = small(name, checkpoint, f"cache={tmp_path}")
    first = scores(system)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert scores(system) == first
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_a_lost_head_is_named(checkpoint: Checkpoint) -> None:
    plain = f"model={checkpoint('xlmr')}"
    lengths = ["query_length=512", "document_length=512"]
    system = build_system("bge-m3-sparse", [plain, *lengths, "device=cpu", "cache="])
    with pytest.raises(SystemsError, match=r"sparse_linear\.pt"):
        system.index(DOCUMENTS)
