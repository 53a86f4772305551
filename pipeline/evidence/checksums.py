"""The MD5 sums that NLM publishes beside its files, checked before a file is read."""

import hashlib
import posixpath
import re
from collections.abc import Iterable, Sequence

from pipeline.evidence.base import EvidenceError, OpenFile
from pipeline.evidence.units import bundle

_ENDING = ".md5"
# "MD5(pubmed25n0001.xml.gz)= 5d41…" of OpenSSL, "5d41…  pubmed25n0001.xml.gz" of md5sum.
_SUM = re.compile(rb"(?<![0-9A-Za-z])[0-9A-Fa-f]{32}(?![0-9A-Za-z])")
_BLOCK = 1 << 20


def with_sums(chosen: Iterable[str], listing: Sequence[str]) -> tuple[str, ...]:
    """Each file as a unit, bundled with its sum where one lies beside it.

    A sum without its file raises: what was meant to be downloaded is not there.
    """
    files, there = tuple(chosen), frozenset(listing)
    for path in sorted(there):
        if path.endswith((".xml" + _ENDING, ".xml.gz" + _ENDING)) and _summed(path) not in there:
            raise EvidenceError(
                f"{path}: {posixpath.basename(_summed(path))} is not beside it; "
                "download that file, or remove its sum"
            )
    sums = {path: [path + _ENDING] if path + _ENDING in there else [] for path in files}
    return tuple(bundle([path, *sums[path]]) for path in files)


def check_sum(path: str, sums: str, open_file: OpenFile) -> None:
    """Raise when a file's bytes, as stored, have another MD5 than the one in ``sums``."""
    with open_file(sums) as stream:
        found = _SUM.search(stream.read(_BLOCK))
    if found is None:
        raise EvidenceError(f"{sums}: holds no MD5 of 32 hexadecimal digits; download it again")
    expected, actual = found[0].decode().lower(), _md5(path, open_file)
    if actual != expected:
        raise EvidenceError(
            f"{path}: its MD5 is {actual}, but {posixpath.basename(sums)} says {expected}; "
            "download both again"
        )


def _summed(path: str) -> str:
    return path.removesuffix(_ENDING)


def _md5(path: str, open_file: OpenFile) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with open_file(path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
