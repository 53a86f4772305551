"""Networks and tokenizers of the Hub or of a folder, each at one state that is named."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.systems.base import SystemsError

INSTALL = "pip install 'mmed-bench-ir[encoders]'"
DTYPES = ("float32", "bfloat16", "float16")
# Networks whose first positions are kept for padding: they read that many tokens less.
_SHIFTED = ("camembert", "mpnet", "roberta", "xlm-roberta", "xmod")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """What is loaded: a folder, or a repository of the Hub at a commit; and how."""

    model: str
    revision: str
    device: str
    dtype: str
    size: str = ""  # of the download, for messages

    @property
    def is_folder(self) -> bool:
        """Whether it lies on this machine under that path."""
        return Path(self.model).is_dir()

    @property
    def state(self) -> str:
        """What its content is called: the commit, or for a folder a hash of its files."""
        return _folder_hash(self.model) if self.is_folder else self.revision

    @property
    def how_to_get(self) -> str:
        """What to do where it cannot be loaded."""
        if self.is_folder:
            return "the folder must hold config.json, the tokenizer's files and model.safetensors"
        size = f" ({self.size})" if self.size else ""
        return (
            f"download it{size} with `hf download {self.model} --revision {self.revision}`, "
            "without HF_HUB_OFFLINE set, or set model to a folder that holds it"
        )

    def file(self, name: str) -> Path:
        """A file that lies beside the network's; fetched from the Hub where that is allowed."""
        if self.is_folder:
            return Path(self.model, name)
        from huggingface_hub import hf_hub_download  # noqa: PLC0415

        with self.explained():
            return Path(hf_hub_download(self.model, name, revision=self.revision))

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn what goes wrong in loading into one line that says what to do."""
        try:
            yield
        except SystemsError:
            raise
        except ImportError as error:
            raise SystemsError(f"{error}; {INSTALL}") from error
        except (OSError, ValueError, RuntimeError) as error:
            reason = str(error).strip().split("\n")[0]
            message = f"{self.model} cannot be loaded ({reason}): {self.how_to_get}"
            raise SystemsError(message) from error


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tokenizer and a network that are ready to read."""

    tokenizer: Any
    network: Any
    device: str

    @property
    def limit(self) -> int:
        """How many tokens the network has positions for."""
        config = self.network.config
        shift = (config.pad_token_id or 0) + 1 if config.model_type in _SHIFTED else 0
        return int(config.max_position_embeddings) - shift


def load(weights: Weights, network: str = "transformers:AutoModel") -> Checkpoint:
    """Load a tokenizer and a network, or return the loaded ones; no code of the Hub is run.

    `network` is the class of the network as ``module:Class``.
    """
    with weights.explained():
        return _load(weights, network, weights.state)


def placed(device: str) -> str:
    """The device that is meant; ``auto`` is the first GPU where torch sees one."""
    import torch  # noqa: PLC0415

    has_gpu = torch.cuda.is_available()
    if device.startswith("cuda") and not has_gpu:
        raise SystemsError(f"device {device}: torch sees no GPU here; set device=cpu")
    automatic = "cuda" if has_gpu else "cpu"
    return automatic if device == "auto" else device


@lru_cache(maxsize=2)  # MedCPT has one for queries and one for articles
def _load(weights: Weights, network: str, _: str) -> Checkpoint:
    import importlib  # noqa: PLC0415

    import torch  # noqa: PLC0415
    from transformers import AutoTokenizer  # noqa: PLC0415

    module, _, name = network.partition(":")
    found = getattr(importlib.import_module(module), name)
    revision = None if weights.is_folder else weights.revision
    options = {"revision": revision, "trust_remote_code": False}
    with without_progress():
        tokenizer = AutoTokenizer.from_pretrained(weights.model, **options)
        model, told = found.from_pretrained(
            weights.model, dtype=getattr(torch, weights.dtype), output_loading_info=True, **options
        )
    _refuse_missing(weights, sorted(told["missing_keys"]))
    device = placed(weights.device)
    return Checkpoint(tokenizer, model.to(device).eval(), device)


def _refuse_missing(weights: Weights, missing: Sequence[str]) -> None:
    """Poolers are often left out of checkpoints; anything else would be made up at random."""
    lacking = [key for key in missing if ".pooler." not in f".{key}"]
    if lacking:
        raise SystemsError(
            f"{weights.model}: {len(lacking)} weights are not there, {lacking[0]} among them; "
            "name a checkpoint of the system's own architecture"
        )


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
    """A hash of what a folder holds; read again only when a file has changed."""
    root = Path(folder)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    names = [path.relative_to(root).as_posix() for path in files]
    seen = [
        (name, path.stat().st_size, path.stat().st_mtime_ns)
        for name, path in zip(names, files, strict=True)
        if not any(part.startswith(".") for part in name.split("/"))
    ]
    return _files_hash(str(root.resolve()), tuple(seen))


@lru_cache(maxsize=8)
def _files_hash(folder: str, files: tuple[tuple[str, int, int], ...]) -> str:
    digest = sha256()
    for name, size, _ in files:
        digest.update(f"{name}\0{size}\0".encode())
        with Path(folder, name).open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
