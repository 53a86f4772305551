"""NLLB weights in CTranslate2's form: converted once, then kept without need of torch.

A converted folder holds CTranslate2's own files, NLLB's tokenizer.json and ``SOURCE``, which
says what it was made of. It appears under its name whole or not at all, so that any number of
processes may ask for the same one.
"""

import json
import os
import shutil
import tempfile
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from translation.base import TranslationError
from translation.nllb_weights import (
    TOKENIZER,
    how_to_get,
    is_folder,
    model_file,
    short_name,
    without_progress,
)

SOURCE = "source.json"
_BINARY = "model.bin"
_CONVERTING = threading.Lock()  # transformers does not load two models at a time


@dataclass(frozen=True)
class Checkpoint:
    """What is converted, and in which type of number it is kept."""

    model: str
    revision: str
    dtype: str

    @property
    def folder_name(self) -> str:
        """Of the converted folder: other weights or numbers have another one."""
        name = short_name(self.model).replace("/", "--")
        return f"{name}-{self.revision}-{self.dtype}"


def default_cache() -> Path:
    """Where converted models are kept unless the plan says: beside other programs' caches."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "mmed-bench", "ctranslate2")


def converted_folder(checkpoint: Checkpoint, cache: Path) -> Path:
    """The converted model: the model's own folder if it is one, else the cache's, made if need be.

    Raises TranslationError if the checkpoint is not there, or if torch is needed and is not.
    """
    if is_converted(Path(checkpoint.model)):
        return Path(checkpoint.model)
    folder = cache / checkpoint.folder_name
    with _CONVERTING:
        if not is_converted(folder):
            _convert_into(folder, checkpoint)
    return folder


def is_converted(folder: Path) -> bool:
    """Whether a folder holds weights that need no conversion."""
    return all((folder / name).is_file() for name in (_BINARY, SOURCE, TOKENIZER))


def input_limit(folder: Path) -> int:
    """How many tokens the model can read, or write: it knows no further positions."""
    return int(json.loads((folder / SOURCE).read_text("utf-8"))["positions"])


def _convert_into(folder: Path, checkpoint: Checkpoint) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".converting-") as place:
        made = Path(place, "model")
        _convert(checkpoint, made)
        _describe(checkpoint, made)
        try:
            made.rename(folder)
        except OSError:
            # Another process was faster, or something else stands there.
            if not is_converted(folder):
                raise TranslationError(
                    f"{folder}: stands in the way of a converted model; remove it"
                ) from None


def _convert(checkpoint: Checkpoint, target: Path) -> None:
    converters = _import_converters()
    revision = None if is_folder(checkpoint.model) else checkpoint.revision
    try:
        with without_progress() if revision is None else nullcontext():
            converter = converters.TransformersConverter(checkpoint.model, revision=revision)
            converter.convert(str(target), quantization=checkpoint.dtype)
    except (OSError, ValueError) as error:
        advice = (
            "the folder must hold config.json, tokenizer.json and model.safetensors"
            if revision is None
            else how_to_get(checkpoint.model, revision)
        )
        reason = str(error).strip().split("\n")[0]
        message = f"{checkpoint.model} cannot be converted ({reason}): {advice}"
        raise TranslationError(message) from error


def _import_converters() -> Any:  # noqa: ANN401
    try:
        import ctranslate2.converters  # noqa: PLC0415
        import torch  # noqa: F401, PLC0415
        import transformers  # noqa: F401, PLC0415
    except ImportError as error:
        raise TranslationError(
            f"{error}; converting a checkpoint needs `pip install mmed-bench-ir[nllb]`, once: "
            "the converted folder can be copied to where torch is not"
        ) from error
    return ctranslate2.converters


def _describe(checkpoint: Checkpoint, folder: Path) -> None:
    """Add the tokenizer, and what CTranslate2's files do not tell."""
    shutil.copyfile(
        model_file(checkpoint.model, checkpoint.revision, TOKENIZER), folder / TOKENIZER
    )
    config = model_file(checkpoint.model, checkpoint.revision, "config.json")
    source = {
        "model": short_name(checkpoint.model),
        "revision": checkpoint.revision,
        "dtype": checkpoint.dtype,
        "positions": json.loads(config.read_text("utf-8"))["max_position_embeddings"],
    }
    (folder / SOURCE).write_text(json.dumps(source, indent=1) + "\n", "utf-8")
