"""What others may know of a release without its text: hashes and sketches of its queries."""

from pathlib import Path

from pipeline.release.layout import ReleaseError
from pipeline.release.outside import query_texts
from splits.sketches import sha256_of, sketch_of

_HEADER = "sha256\tsketch\tlanguage\n"


def export_hashes(release: Path, output: Path) -> int:
    """Write a hash and a sketch of every query text of a release; gives the number of texts.

    Rows are sorted, each text once a language: nothing tells which query or task it is.
    """
    texts = sorted({(language, text) for _, language, text in query_texts(release)})
    if not texts:
        raise ReleaseError(f"{release}: no queries; name the folder of a release")
    lines = {
        f"{sha256_of(text)}\t{sketch_of(text).hex()}\t{language}\n" for language, text in texts
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(_HEADER + "".join(sorted(lines)), "utf-8")
    return len(lines)
