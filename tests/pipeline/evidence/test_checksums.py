import hashlib
import io
from collections.abc import Callable

import pytest

from pipeline.evidence import EvidenceError
from pipeline.evidence.checksums import check_sum, with_sums
from pipeline.evidence.units import paths

CONTENT = b"<PubmedArticleSet/>"
SUM = hashlib.md5(CONTENT).hexdigest()


def opener(sums: str) -> Callable[[str], io.BytesIO]:
    return lambda path: io.BytesIO(sums.encode() if path.endswith(".md5") else CONTENT)


@pytest.mark.parametrize(
    "sums",
    [f"MD5(a.xml.gz)= {SUM}\n", f"{SUM}  a.xml.gz\n", SUM, f"MD5 (a.xml.gz) = {SUM.upper()}"],
)
def test_a_file_with_its_sum_passes(sums: str) -> None:
    check_sum("a.xml.gz", "a.xml.gz.md5", opener(sums))


@pytest.mark.parametrize(
    ("sums", "message"),
    [
        (f"MD5(a.xml.gz)= {'0' * 32}", f"a.xml.gz: its MD5 is {SUM}, but a.xml.gz.md5 says 000"),
        ("", "a.xml.gz.md5: holds no MD5"),
        ("<html>Not found</html>", "a.xml.gz.md5: holds no MD5"),
        (f"{SUM}0", "a.xml.gz.md5: holds no MD5"),
    ],
)
def test_another_sum_is_an_error(sums: str, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        check_sum("a.xml.gz", "a.xml.gz.md5", opener(sums))


def test_a_sum_goes_with_its_file() -> None:
    listing = ["p/a.xml.gz", "p/a.xml.gz.md5", "p/b.xml", "q/a.xml.gz.md5.txt"]
    units = with_sums(["p/b.xml", "p/a.xml.gz"], listing)
    assert [paths(unit) for unit in units] == [("p/b.xml",), ("p/a.xml.gz", "p/a.xml.gz.md5")]


def test_a_sum_without_its_file_is_an_error() -> None:
    with pytest.raises(EvidenceError, match=r"p/b.xml.gz.md5: b.xml.gz is not beside it; download"):
        with_sums(["p/a.xml.gz"], ["p/a.xml.gz", "p/b.xml.gz.md5"])
