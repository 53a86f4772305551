"""Which NLLB weights a plan means: commits of the hub, or a folder under its content's hash."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from translation.base import TranslationError

DEFAULT_MODEL = "facebook/nllb-200-distilled-600M"

PINNED = {
    DEFAULT_MODEL: ("f8d333a098d19b4fd9a8b18f94170487ad3f821d", "2.5 GB"),
    "facebook/nllb-200-distilled-1.3B": ("7be3e24664b38ce1cac29b8aeed6911aa0cf0576", "5.5 GB"),
    "facebook/nllb-200-3.3B": ("1a07f7d195896b2114afcb79b7b57ab512e7b43e", "17.6 GB"),
}
"""Commit and download of the models that are known here; others need a revision."""

TOKENIZER = "tokenizer.json"
_CHUNK = 1 << 20


def is_folder(model: str) -> bool:
    """Whether the model is a folder of this machine, else it is a name of the hub."""
    return Path(model).is_dir()


def placed_model(model: str, folder: Path) -> str:
    """A model that is named by its path, as seen from a folder; a hub's name stands as it is."""
    path = Path(model).expanduser()
    if model.startswith(("./", "../", "~")) or path.is_absolute():
        return str((folder / path).resolve())
    return model


def short_name(model: str) -> str:
    """Give the name to publish: a folder's own, without where it lies."""
    return Path(model).resolve().name if is_folder(model) else model


def weights_revision(model: str, revision: str = "") -> str:
    """Give a hub model's commit or a folder's content hash, checked against the plan's."""
    if is_folder(model):
        found = _folder_hash(model)
        if revision not in ("", found):
            raise TranslationError(
                f"{model}: content {found}, but the plan's revision is {revision}"
            )
        return found
    if not revision and model not in PINNED:
        raise TranslationError(
            f"{model}: no such folder, and a hub model without a pinned commit; correct the path "
            f"or set revision. Pinned are {', '.join(sorted(PINNED))}"
        )
    return revision or PINNED[model][0]


def how_to_get(model: str, revision: str) -> str:
    """Say how a model that cannot be loaded is fetched, and how large it is."""
    size = f" ({PINNED[model][1]})" if model in PINNED else ""
    return (
        f"download it{size} with `hf download {model} --revision {revision}`, without "
        "HF_HUB_OFFLINE set, or set model to a folder that holds it"
    )


def model_file(model: str, revision: str, name: str) -> Path:
    """Find a small file of a folder, or of the hub's cache; downloads it where that is allowed."""
    if is_folder(model):
        file = Path(model, name)
        if not file.is_file():
            raise TranslationError(f"{file}: not there; the folder must hold NLLB's {name}")
        return file
    from huggingface_hub import hf_hub_download  # noqa: PLC0415

    try:
        return Path(hf_hub_download(model, name, revision=revision))
    except (OSError, ValueError) as error:
        advice = how_to_get(model, revision)
        raise TranslationError(f"{model} cannot be loaded ({error}): {advice}") from error


@contextmanager
def without_progress() -> Iterator[None]:
    """Show no bar of transformers for what takes seconds."""
    from transformers.utils import logging  # noqa: PLC0415

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _folder_hash(folder: str) -> str:
    files = sorted(path for path in Path(folder).iterdir() if path.is_file())
    visible = [path for path in files if not path.name.startswith(".")]
    digest = blake2b(digest_size=16)
    for path in visible:
        state = path.stat()
        digest.update(
            f"{path.name}\x1f{_file_hash(path, state.st_size, state.st_mtime_ns)}\n".encode()
        )
    return digest.hexdigest()


@lru_cache(maxsize=256)
def _file_hash(path: Path, size: int, modified: int) -> str:
    """Hash a file once for as long as it has not changed; models are gigabytes."""
    digest = blake2b(f"{size}\x1f".encode(), digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
