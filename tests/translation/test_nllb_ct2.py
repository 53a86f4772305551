"""CTranslate2's engine beside the one of transformers, over the same small model."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.records import Translation, TranslationRequest
from translation.base import TranslationError
from translation.ct2_model import Loading, load_model
from translation.ct2_weights import SOURCE, Checkpoint, converted_folder, input_limit
from translation.memory import TranslationMemory
from translation.nllb import Nllb
from translation.nllb_ct2 import NllbCt2
from translation.translate import pair_signature, translate_batch

Pairs = dict[str, list[tuple[str, str]]]
# Texts that the model has not learned: what it makes of them is chance, and yet the same.
UNKNOWN = (
    "Gout is common.",
    "Take the left hand.",
    "Who has a fever?",
    "Is asthma treated?",
    "Ibuprofen lasted three days.",
)


def checkpoint(ct2: NllbCt2, dtype: str = "float32") -> Checkpoint:
    return Checkpoint(ct2.model, ct2.provenance()[1], dtype)


def test_both_engines_agree_on_every_pair(
    engine: Nllb, ct2: NllbCt2, sentence_pairs: Pairs
) -> None:
    asked = [
        (text, *direction)
        for target, pairs in sentence_pairs.items()
        for english, translation in pairs
        for text, direction in ((english, ("en", target)), (translation, (target, "en")))
    ]
    for text, source, target in asked:
        [one], [other] = (some.translate([text], source, target) for some in (engine, ct2))
        assert (one.text, one.flags) == (other.text, other.flags)
        assert one.score == pytest.approx(other.score, abs=1e-3)


def test_a_short_hypothesis_does_not_win_by_ending_first(
    ct2: NllbCt2, sentence_pairs: Pairs
) -> None:
    texts = [translation for _, translation in sentence_pairs["de"]]
    hasty, patient = (
        replace(ct2, patience=patience).translate(texts, "de", "en") for patience in (1.0, 2.0)
    )
    for one, other in zip(hasty, patient, strict=True):
        assert one.text == other.text or one.score < other.score


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("length_penalty", [0.0, 1.0, 1.5])
def test_scores_mean_the_same_where_nothing_was_learned(
    engine: Nllb, ct2: NllbCt2, beams: int, length_penalty: float
) -> None:
    settings = {"beams": beams, "length_penalty": length_penalty, "length_factor": 0.5}
    ours, theirs = (
        replace(some, **settings).translate(UNKNOWN, "en", "fr")  # type: ignore[arg-type]
        for some in (engine, ct2)
    )
    same = [(a, b) for a, b in zip(ours, theirs, strict=True) if a.text == b.text]
    assert len(same) >= len(UNKNOWN) - 1  # two searches may end at different ties
    for one, other in same:
        assert one.score == pytest.approx(other.score, abs=1e-3)
        assert one.flags == other.flags


def test_a_converted_folder_needs_no_torch(ct2: NllbCt2, tmp_path: Path) -> None:
    folder = shutil.copytree(
        converted_folder(checkpoint(ct2), Path(ct2.converted)), tmp_path / "small"
    )
    script = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from translation.nllb_ct2 import NllbCt2\n"
        f"engine = NllbCt2(model={str(folder)!r}, dtype='float32', device='cpu', threads=1)\n"
        "print(engine.translate(['What is asthma?'], 'en', 'de')[0].text)\n"
        f"again = NllbCt2(model={ct2.model!r}, dtype='float32', device='cpu', threads=1,\n"
        f"                converted={ct2.converted!r})\n"
        "print(again.translate(['Stroke'], 'en', 'de')[0].text)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["Was ist Asthma?", "Schlaganfall"]


def test_a_checkpoint_is_converted_once_whoever_asks(ct2: NllbCt2, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(converted_folder, [checkpoint(ct2)] * 2, [tmp_path] * 2)
    assert first == second
    assert [path.name for path in tmp_path.iterdir()] == [checkpoint(ct2).folder_name]
    stamp = (first / "model.bin").stat().st_mtime_ns
    assert converted_folder(checkpoint(ct2), tmp_path) == first
    assert (first / "model.bin").stat().st_mtime_ns == stamp
    other = converted_folder(checkpoint(ct2, "int8"), tmp_path)
    assert other != first
    assert (other / "model.bin").stat().st_size < (first / "model.bin").stat().st_size


def test_a_conversion_that_fails_leaves_nothing(
    ct2: NllbCt2, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(OSError, match="no space"):
        converted_folder(checkpoint(ct2), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_way_is_named(ct2: NllbCt2, tmp_path: Path) -> None:
    folder = tmp_path / checkpoint(ct2).folder_name
    folder.mkdir()
    (folder / SOURCE).write_text("{}")
    with pytest.raises(TranslationError, match="stands in the way"):
        converted_folder(checkpoint(ct2), tmp_path)


def test_a_base_install_says_what_to_add(
    ct2: NllbCt2, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = converted_folder(checkpoint(ct2), Path(ct2.converted))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(TranslationError, match=r"mmed-bench-ir\[nllb\]"):
        converted_folder(checkpoint(ct2), tmp_path)
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(TranslationError, match="pip install mmed-bench-ir"):
        load_model(Loading(folder, "float32", "cpu", 3))


def test_a_missing_model_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(TranslationError, match=r"2\.5 GB.*hf download facebook/nllb"):
        NllbCt2(converted=str(tmp_path)).load()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".conv")] == []


def test_numbers_that_a_processor_has_not_are_refused(ct2: NllbCt2) -> None:
    with pytest.raises(TranslationError, match="cpu cannot reckon in float16; set dtype to one of"):
        replace(ct2, dtype="float16").load()


def test_the_decoder_keeps_within_the_positions_it_has(ct2: NllbCt2, engine: Nllb) -> None:
    text = " ".join(["fever"] * 20)
    limit = input_limit(converted_folder(checkpoint(ct2), Path(ct2.converted)))
    for some in (ct2, engine):
        far = replace(some, length_extra=10 * limit)
        [output] = far.translate([text], "en", "ja")
        assert len(output.text) < 10 * limit


def test_another_model_may_translate_back(ct2: NllbCt2, tmp_path: Path) -> None:
    other = shutil.copytree(ct2.model, tmp_path / "other")
    (other / "note.txt").write_text("another revision")
    both = replace(ct2, back_model=str(other))
    assert both.returning().provenance()[0] == "other"
    assert pair_signature(both) != pair_signature(ct2) == ct2.signature()
    assert "back: nllb-ct2 other@" in pair_signature(both)
    request = TranslationRequest("What is asthma?", "en", "es")
    [result] = translate_batch([request], both, TranslationMemory())
    assert isinstance(result, Translation)
    assert result.back_translation == request.text
    with pytest.raises(TranslationError, match="back_revision without"):
        replace(ct2, back_revision="ab12")


def test_an_engine_is_known_by_its_numbers(ct2: NllbCt2, int8: NllbCt2) -> None:
    assert ct2.signature() != int8.signature()
    assert replace(ct2, patience=1.0).signature() != ct2.signature()
    assert replace(ct2, batch_size=3, threads=2, converted="x").signature() == ct2.signature()
