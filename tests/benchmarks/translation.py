"""How fast each engine translates, over random weights of NLLB-600M's shape.

Random weights never end a sentence, so every output has the same length whatever the engine: what
is compared is the work alone. The weights are made here; nothing is downloaded.
"""

import csv
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import MEGABYTE, Figure, Workshop, ratio
from tests.benchmarks.reading import SAMPLE
from tests.benchmarks.timing import seconds, timed

THREADS = 2
BEAMS = 4
NEW_TOKENS = 24
SINGLE, FEW, MORE = 4, 8, 16  # sentences: one by one, in a batch, and for CTranslate2
BATCH = 8
TARGETS = ("de", "es", "fr", "ja", "ru", "zh")
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
# The shape of facebook/nllb-200-distilled-600M, by its config.json.
SHAPE = {
    "vocab_size": 256_206,
    "d_model": 1024,
    "encoder_layers": 12,
    "decoder_layers": 12,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "max_position_embeddings": 1024,
}


def figures(workshop: Workshop) -> list[Figure]:
    """CTranslate2 beside transformers, batches beside single sentences, ours beside the bare."""
    folder = workshop.prepare("translation:prepare", workshop.folder)
    peer = "translation:transformers"
    runs = workshop.measure(
        {
            "transformers, batches": workshop.ours(peer, folder, BATCH, FEW),
            "transformers, one by one": workshop.ours(
                "translation:transformers", folder, 1, SINGLE
            ),
            "CTranslate2": workshop.ours("translation:bare_ct2", folder),
            "CTranslate2, our stage": workshop.ours("translation:our_stage", folder),
        }
    )
    each = {name: run.seconds["clock"] / run.answer for name, run in runs.items()}
    batches, single, bare, stage = each.values()
    workers = {str(n): workshop.prepare("translation:workers", folder, n) for n in (1, 2)}
    return [
        *(Figure(f"{name}: sentences in 1 s", 1 / took, "per s") for name, took in each.items()),
        *(Figure(f"{name}: peak memory", run.peak / MEGABYTE, "MB") for name, run in runs.items()),
        *(
            Figure(f"{n} worker processes, {len(TARGETS)} languages: peak memory", peak, "MB")
            for n, peak in workers.items()
        ),
        ratio("time of a sentence, int8 to transformers float32", stage, batches, 1 / 2.5),
        ratio("time of a sentence, batches of 8 to one by one", batches, single, 1 / 1.5),
        ratio("time of a sentence, our stage to the bare engine", stage, bare, 1.1),
    ]


def prepare(folder: str) -> str:
    """Make the checkpoint and convert it, once; tells where they are."""
    place = Path(folder)
    checkpoint = place / "nllb-600M-shape"
    if not (checkpoint / "model.safetensors").is_file():
        _make(checkpoint)
    _ct2(folder).load()
    return folder


def workers(folder: str, count: str) -> float:
    """Megabytes that so many processes need together at their peaks, each with all languages."""
    command = [sys.executable, "-m", "tests.benchmarks.job", "translation:all_languages", folder]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(int(count))
    ]
    printed = [process.communicate()[0].strip() for process in running]
    return sum(json.loads(one.rpartition("\n")[2])["answer"] for one in printed)


def all_languages(folder: str) -> float:
    """Translate a sentence into every language; gives the megabytes of this process's peak."""
    engine, texts = _ct2(folder), _texts(1)
    for target in TARGETS:
        engine.translate(texts, "en", target)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / MEGABYTE


def transformers(folder: str, batch: str, count: str) -> int:
    """Translate so many sentences by batches of this size."""
    from translation.nllb import Nllb

    engine = Nllb(**_settings(folder), batch_size=int(batch))
    return _translate(engine, int(count))


def bare_ct2(folder: str) -> int:
    """Call CTranslate2's model on batches that are sorted beforehand."""
    from translation.ct2_model import Ct2Model
    from translation.nllb_text import Decoding
    from translation.preparation import prepare as prepared

    model = _ct2(folder).loaded()
    assert isinstance(model, Ct2Model)
    texts = sorted(map(prepared, _alike(folder, MORE)), key=model.vocabulary.length)
    decoding = Decoding(BEAMS, 1.0, NEW_TOKENS, patience=2.0)
    with clocked():
        for start in range(0, MORE, BATCH):
            batch = texts[start : start + BATCH]
            model.decode(batch, "eng_Latn", "deu_Latn", decoding)
    return MORE


def our_stage(folder: str) -> int:
    """Translate there as the stage does, behind a memory, keeping what was made.

    The way back costs as much again, and random weights have nothing to carry back: an echo stands
    in for it, so that both jobs decode the same sentences.
    """
    from pipeline.records import TranslationRequest
    from pipeline.stages.translation import BATCH as AT_ONCE
    from translation.batches import plan_batches
    from translation.memory import TranslationMemory
    from translation.translate import translate_and_keep

    engine, cache = _one_way(_ct2(folder)), Path(folder, "cache")
    engine.load()
    shutil.rmtree(cache, ignore_errors=True)
    memory = TranslationMemory()
    with clocked():
        for texts in plan_batches(_alike(folder, MORE), AT_ONCE):
            requests = [TranslationRequest(text, "en", "de") for text in texts]
            translate_and_keep(requests, engine, memory, str(cache))
    return MORE


@contextmanager
def clocked() -> Iterator[None]:
    """Time a part by the clock, since threads that wait count as working."""
    start = time.perf_counter()
    with timed("work"):
        yield
    seconds["clock"] = time.perf_counter() - start


def _translate(engine: Any, count: int) -> int:  # noqa: ANN401
    engine.load()
    with clocked():
        engine.translate(_texts(count), "en", "de")
    return count


def _texts(count: int) -> list[str]:
    """Questions of the sample, the first by name, of one length class."""
    with (SAMPLE / "memory" / "curated.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        questions = sorted({row["text"] for row in rows if row["text"].startswith("What ")})
    return [text for text in questions if 30 <= len(text) <= 40][:count]


def _alike(folder: str, count: int) -> list[str]:
    """Questions of one step of length, so that both ways of batching make the same batches."""
    from translation.batches import step_of
    from translation.nllb_text import Vocabulary

    vocabulary = Vocabulary(Path(folder, "nllb-600M-shape", "tokenizer.json"))
    steps: dict[int, list[str]] = {}
    for text in _texts(1000):
        steps.setdefault(step_of(vocabulary.length(text), 16), []).append(text)
    found = max(steps.values(), key=len)[:count]
    assert len(found) == count, f"{len(found)} texts are alike, {count} are needed"
    return found


def _settings(folder: str) -> dict[str, Any]:
    return {
        "model": str(Path(folder, "nllb-600M-shape")),
        "beams": BEAMS,
        "threads": THREADS,
        "device": "cpu",
        "length_factor": 1e-9,
        "length_extra": NEW_TOKENS - 1,
    }


def _ct2(folder: str) -> Any:  # noqa: ANN401
    from translation.nllb_ct2 import NllbCt2

    converted = str(Path(folder, "converted"))
    return NllbCt2(**_settings(folder), dtype="int8", batch_size=BATCH, converted=converted)


def _one_way(engine: Any) -> Any:  # noqa: ANN401
    """The same engine, with a way back that costs nothing."""
    from translation.base import Engine, Output
    from translation.nllb_ct2 import NllbCt2

    class Echo(Engine):
        name = "echo"

        def signature(self) -> str:
            return self.name

        def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
            return [Output(text) for text in texts]

    class OneWay(NllbCt2):
        def returning(self) -> Echo:  # type: ignore[override]
            return Echo()

    return OneWay(**vars(engine))


def _make(checkpoint: Path) -> None:
    """Random weights with a small tokenizer of NLLB's class, which knows its languages."""
    import torch
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    from pipeline.sample.schooling import Schooling, learn_tokenizer

    torch.manual_seed(0)
    tokenizer = learn_tokenizer(sorted(_texts(1000)), Schooling())
    ends = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    model = M2M100ForConditionalGeneration(M2M100Config(**SHAPE, **ends))
    checkpoint.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(checkpoint)
    model.save_pretrained(checkpoint)
