import pytest

from translation.preparation import prepare


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("“Alzheimer’s”", '"Alzheimer\'s"'),
        ("«asthme»", '"asthme"'),
        ("5–10 mg — daily…", "5-10 mg - daily..."),
        ("10⁻³ mol, 2×10⁶ cells", "10^-3 mol, 2×10^6 cells"),
        ("1.73 m²", "1.73 m²"),
        ("a\u00a0b\t c\n", "a b c"),
        ("zero\u200bwidth\ufeff\x00", "zerowidth"),
        ("cafe\u0301", "café"),
        ("2型糖尿病（T2D）、高血圧", "2型糖尿病（T2D）、高血圧"),
    ],
)
def test_prepared(raw: str, expected: str) -> None:
    assert prepare(raw) == expected
    assert prepare(prepare(raw)) == expected
