"""What others may know of a release without its text: hashes and sketches of its queries."""

import os
from pathlib import Path

from pipeline.release.layout import ReleaseError
from pipeline.release.outside import query_texts
from splits.sketches import sha256_of, sketch_of

_HEADER = "sha256\tsketch\tlanguage\n"


def export_hashes(release: Path, output: Path) -> int:
    """Write a hash and a sketch of every query text of a release; gives the number of texts.

    Rows are sorted, each text once a language: nothing tells which query or task it is.
    """
    if output.resolve().is_relative_to(release.resolve()):
        raise ReleaseError(f"{output}: within the release, which must stay as it is; go elsewhere")
    if output.is_dir():
        raise ReleaseError(f"{output}: is a folder; name a file")
    texts = sorted({(language, text) for _, language, text in query_texts(release)})
    if not texts:
        raise ReleaseError(f"{release}: no queries; name the folder of a release")
    lines = {
        f"{sha256_of(text)}\t{sketch_of(text).hex()}\t{language}\n" for language, text in texts
    }
    _write(output, _HEADER + "".join(sorted(lines)))
    return len(lines)


def _write(output: Path, text: str) -> None:
    """Whole or not at all: a list that was cut short looks like a whole one."""
    output.parent.mkdir(parents=True, exist_ok=True)
    temporary = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, "utf-8")
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)
