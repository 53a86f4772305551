"""Each dense system against the same reckoned by hand: one text at a time, pooled in numpy."""

# ruff: noqa: ANN401 - torch and transformers have no types here

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.scorer.release import Document
from pipeline.settings import PlanError
from pipeline.systems.base import Asked, Hit, System, SystemsError
from pipeline.systems.choice import SYSTEMS, build_system
from pipeline.systems.dense import Dense
from pipeline.systems.encoders import Encoders

pytestmark = pytest.mark.usefixtures("offline")

DOCUMENTS = [
    Document("d1", "Asthma", "asthma narrows the airways of the lungs"),
    Document("d2", "", "insulin lowers blood sugar"),
    Document("d3", "Blood", "blood carries oxygen to every organ of the body"),
    Document("d4", "Blood", "blood carries oxygen to every organ of the body"),
    Document("d5", "Fracture", "a broken bone " * 40),
]
QUERIES = [
    Asked("q1", "what narrows the airways", "en"),
    Asked("q2", "糖尿病", "ja"),
    Asked("q3", "blood sugar and insulin " * 20, "en"),
    Asked("q4", "Was verengt die Atemwege?", "de"),
]
LANGUAGE = {"en": "en_XX", "de": "de_DE", "ja": "ja_XX"}
Checkpoint = Callable[[str], str]


@dataclass(frozen=True)
class Case:
    """What is known of a system from its authors, written out here once more."""

    name: str
    architecture: str
    pooling: str
    unit: bool
    query_length: int
    document_length: int
    prefixes: tuple[str, str] = ("", "")


CASES = [
    Case("ance", "ance", "head", False, 64, 512),
    Case("bge-m3", "bge_m3", "first", True, 8192, 8192),
    Case("multilingual-e5", "xlmr", "mean", True, 512, 512, ("query: ", "passage: ")),
    Case("sapbert", "bert", "first", True, 25, 25),
    Case("medcpt", "bert", "first", False, 64, 512),
    Case("biolord", "mpnet", "mean", True, 128, 128),
    Case("sapbert-xlmr", "xlmr", "first", True, 25, 25),
    Case("coder", "bert", "pooler", True, 32, 32),
    Case("xlm-r", "xlmr", "mean", True, 512, 512),
    Case("x-mod", "xmod", "mean", True, 512, 512),
]


def by_hand(case: Case, folder: str, text: tuple[str, ...], length: int, language: str) -> Any:
    """One text's vector, from the network's raw states alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder).eval()
    padding = {"padding": "max_length"} if case.name == "coder" else {}
    inputs = tokenizer(*text, truncation=True, max_length=length, return_tensors="pt", **padding)
    if case.name == "coder":
        inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    if case.name == "x-mod":
        place = network.config.languages.index(LANGUAGE[language])
        inputs["lang_ids"] = torch.tensor([place])
    with torch.no_grad():
        output = network(**inputs)
    states = output.last_hidden_state[0].numpy().astype(np.float64)
    if case.pooling == "pooler":
        vector = output.pooler_output[0].numpy()
    elif case.pooling == "head":
        vector = ance_head(folder, states[0])
    else:
        vector = states[0] if case.pooling == "first" else states.mean(axis=0)
    return vector / np.linalg.norm(vector) if case.unit else vector


def ance_head(folder: str, state: Any) -> Any:
    from safetensors.numpy import load_file

    weights = load_file(Path(folder, "model.safetensors"))
    linear = weights["embeddingHead.weight"] @ state + weights["embeddingHead.bias"]
    normal = (linear - linear.mean()) / np.sqrt(linear.var() + 1e-5)
    return normal * weights["norm.weight"] + weights["norm.bias"]


def small(name: str, checkpoint: Checkpoint, cache: str = "", **settings: Any) -> System:
    """The system over a small checkpoint of its architecture."""
    (case,) = (one for one in CASES if one.name == name)
    changes = {"model": checkpoint(case.architecture), "device": "cpu", "cache": cache, **settings}
    if name == "medcpt":
        changes["article_model"] = checkpoint("articles")
    return build_system(name, [f"{key}={value!r}" for key, value in changes.items()])


def scores(system: System, documents: list[Document] = DOCUMENTS) -> dict[tuple[str, str], float]:
    hits = system.index(documents).search(QUERIES, len(documents))
    return {(hit.query_id, hit.document_id): hit.score for hit in hits}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_scores_are_those_reckoned_by_hand(case: Case, checkpoint: Checkpoint) -> None:
    folder = checkpoint(case.architecture)
    articles = checkpoint("articles") if case.name == "medcpt" else folder
    expected = {}
    for query in QUERIES:
        asked = by_hand(
            case, folder, (case.prefixes[0] + query.text,), case.query_length, query.language
        )
        for document in DOCUMENTS:
            together = f"{document.title} {document.text}".strip()
            text: tuple[str, ...] = (case.prefixes[1] + together,)
            if case.name == "medcpt":
                text = (document.title, document.text)
            said = by_hand(case, articles, text, case.document_length, "en")
            expected[query.query_id, document.document_id] = float(asked @ said)
    found = scores(small(case.name, checkpoint))
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert max(found.values()) - min(found.values()) > 0.05


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_batches_and_order_change_nothing(case: Case, checkpoint: Checkpoint) -> None:
    expected = scores(small(case.name, checkpoint, batch_size=1))
    mixed = [DOCUMENTS[place] for place in (3, 0, 4, 2, 1)]
    system = small(case.name, checkpoint, batch_size=3)
    hits = system.index(mixed).search(QUERIES[::-1], len(mixed))
    found = {(hit.query_id, hit.document_id): hit.score for hit in hits}
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert found == scores(system)


def test_documents_of_the_same_text_tie(checkpoint: Checkpoint) -> None:
    found = scores(small("xlm-r", checkpoint))
    assert all(found[query.query_id, "d3"] == found[query.query_id, "d4"] for query in QUERIES)
    best = small("xlm-r", checkpoint).index(DOCUMENTS[2:4]).search(QUERIES[:1], 1)
    assert [hit.document_id for hit in best] == ["d4"]


def test_candidates_are_scored_as_when_searched(checkpoint: Checkpoint) -> None:
    system = small("multilingual-e5", checkpoint)
    candidates = {query.query_id: ["d5", "d1", "d4"] for query in QUERIES}
    hits = list(system.index(DOCUMENTS).rerank(QUERIES, candidates))
    assert [(hit.query_id, hit.document_id) for hit in hits] == [
        (query, document) for query, shown in candidates.items() for document in shown
    ]
    expected = scores(system)
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.query_id, hit.document_id], abs=1e-5)


@pytest.mark.parametrize(
    ("name", "key", "cut", "text"),
    [("sapbert", "document_length", 25, "d5"), ("ance", "query_length", 64, "q3")],
)
def test_texts_are_cut_at_their_length(
    name: str, key: str, cut: int, text: str, checkpoint: Checkpoint
) -> None:
    def those(system: System) -> list[float]:
        return [score for pair, score in sorted(scores(system).items()) if text in pair]

    assert those(small(name, checkpoint, **{key: cut})) == those(small(name, checkpoint))
    assert those(small(name, checkpoint, **{key: 60})) != those(small(name, checkpoint))


def test_queries_are_read_by_the_adapter_of_their_language(checkpoint: Checkpoint) -> None:
    index = small("x-mod", checkpoint).index(DOCUMENTS)

    def asked(language: str) -> list[Hit]:
        return list(index.search([Asked("q", "insulin", language)], 9))

    assert asked("de") != asked("en")
    assert asked("en") == asked("en")
    with pytest.raises(SystemsError, match="no adapter for 'ru'"):
        asked("ru")


def test_half_the_digits_come_close(checkpoint: Checkpoint) -> None:
    whole, half = (
        scores(small("bge-m3", checkpoint, dtype=kind)) for kind in ("float32", "bfloat16")
    )
    assert half == pytest.approx(whole, abs=0.1)
    assert half != whole


# A corpus is encoded once.


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the encoder was given."""
    from pipeline.systems import dense

    calls: list[int] = []
    true = dense.encode

    def encode(checkpoint: Any, texts: Any, *rest: Any) -> Any:
        calls.append(len(texts))
        return true(checkpoint, texts, *rest)

    monkeypatch.setattr(dense, "encode", encode)
    return calls


def test_a_corpus_is_encoded_once(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = counted(monkeypatch)
    system = small("xlm-r", checkpoint, str(tmp_path))
    first = scores(system)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(kept) == 2
    assert calls == [4, 4]  # different documents, queries
    assert scores(system) == first
    assert scores(system, DOCUMENTS[::-1]) == first
    assert calls == [4, 4, 4, 4]  # queries alone
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


@pytest.mark.parametrize("damage", [b"", b"\x93NUMPY and no more"])
def test_a_damaged_cache_is_made_anew(
    damage: bytes, checkpoint: Checkpoint, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    system = small("xlm-r", checkpoint, str(tmp_path))
    first = scores(system)
    (vectors,) = tmp_path.glob("*.npy")
    whole = vectors.read_bytes()
    vectors.write_bytes(damage)
    assert scores(system) == first
    assert vectors.read_bytes() == whole
    assert "damaged" in caplog.text


@pytest.mark.parametrize(
    "change", [{"document_length": 20}, {"dtype": "bfloat16"}, {"model": "articles"}]
)
def test_another_encoding_is_kept_apart(
    change: dict[str, Any], checkpoint: Checkpoint, tmp_path: Path
) -> None:
    system = small("sapbert", checkpoint, str(tmp_path))
    system.index(DOCUMENTS)
    system.index(DOCUMENTS)
    assert len(list(tmp_path.glob("*.npy"))) == 1
    if "model" in change:
        change = {"model": checkpoint("articles")}
    assert isinstance(system, Encoders)
    replace(system, **change).index(DOCUMENTS)
    assert len(list(tmp_path.glob("*.npy"))) == 2


# What cannot be read is named.


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("coder", [], "no commit is pinned"),
        ("coder", ["revision=main"], "revision 'main' may move"),
        ("sapbert", ['model="someone/other"'], "someone/other is no folder"),
        ("sapbert", ['model=""'], "no model; set model"),
        ("sapbert", [], r"download it \(0.4 GB\) with `hf download cambridgeltl/SapBERT-from"),
        ("medcpt", ['article_model="/nowhere"'], "/nowhere is no folder"),
    ],
)
def test_what_cannot_be_loaded_is_named(
    name: str, settings: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(SystemsError, match=message):
        build_system(name, [*settings, "cache="]).index(DOCUMENTS)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("dtype=int8", "dtype: 'int8'; known are float32, bfloat16, float16"),
        ("batch_size=0", "batch_size: 0; expected 1 or more"),
        ("query_length=-1", "expected numbers of tokens"),
        ("trust_remote_code=true", "unknown key 'trust_remote_code'"),
    ],
)
def test_settings_of_no_sense_are_refused(setting: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        build_system("bge-m3", [setting])


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemsError, match=r"the folder must hold config\.json"):
        build_system("xlm-r", [f"model={tmp_path}", "cache="]).index(DOCUMENTS)


def test_a_missing_gpu_is_named(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(SystemsError, match="device cuda:1: torch sees no GPU here"):
        small("xlm-r", checkpoint, device="cuda:1").index(DOCUMENTS)


@pytest.mark.parametrize(
    ("name", "library"),
    [("xlm-r", "transformers"), ("sentence-transformers", "sentence_transformers")],
)
def test_a_missing_library_is_named(
    name: str, library: str, checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copied = shutil.copytree(checkpoint("xlmr"), tmp_path / "model")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SystemsError, match=r"pip install 'mmed-bench-ir\[encoders\]'"):
        build_system(name, [f"model={copied}", "cache=", "device=cpu"]).index(DOCUMENTS)


def test_models_are_pinned_to_commits() -> None:
    pinned = {}
    for name, cls in SYSTEMS.items():
        if issubclass(cls, Encoders):
            pinned[name] = [cls.revision, getattr(cls, "article_revision", cls.revision)]
    (unpinned,) = (name for name, commits in pinned.items() if "" in commits)
    assert unpinned == "coder"
    for name in pinned.keys() - {"coder"}:
        assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in pinned[name]), name


def test_weights_are_never_made_up(checkpoint: Checkpoint) -> None:
    plain = checkpoint("xlmr")
    with pytest.raises(SystemsError, match="weights are not there"):
        build_system("ance", [f"model={plain}", "cache=", "device=cpu"]).index(DOCUMENTS)


def test_more_tokens_than_a_network_reads_are_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(SystemsError, match="the network reads 1 to 512"):
        small("xlm-r", checkpoint, document_length=513).index(DOCUMENTS)


def test_a_corpus_of_nothing_is_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(SystemsError, match="holds no document"):
        small("xlm-r", checkpoint).index([])


def test_no_query_is_no_fault(checkpoint: Checkpoint) -> None:
    for name in ("xlm-r", "x-mod"):
        index = small(name, checkpoint).index(DOCUMENTS)
        assert list(index.search([], 5)) == list(index.rerank([], {})) == []


def test_every_dense_system_is_tried_here() -> None:
    dense = {name for name, cls in SYSTEMS.items() if issubclass(cls, Dense)}
    assert {case.name for case in CASES} == dense - {"sentence-transformers"}
