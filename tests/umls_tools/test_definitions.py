from collections import Counter

import pyarrow as pa
import pytest

from umls_tools.definitions import DEF_COLUMNS, filter_definitions, plain_text
from umls_tools.licence import Gate


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("<p>A disease.</p><p>It hurts.</p>", "A disease. It hurts."),
        ("A\tdisease \n of <i>E. coli</i>.", "A disease of E. coli."),
        ("one<br/>two<BR>three", "one two three"),
        ('see <a href="https://x.org/?a=1&b=2">there</a>', "see there"),
        ("<ul class=x><li>a</li><li>b</li></ul>", "a b"),
        ("10<sup>-3</sup> m<sup>2</sup> of H<sub>2</sub>O", "10^-3 m^2 of H2O"),
        ("x <b and y> z", "x <b and y> z"),
        ("p < 0.05 and q > 1", "p < 0.05 and q > 1"),
        ("<protein> is kept", "<protein> is kept"),
        ("Sj&#246;gren &amp; Ménière; &lt;p&gt;", "Sjögren & Ménière; <p>"),
        ("AT&T; R&D; m² ½", "AT&T; R&D; m² ½"),
        ("a\u2028b\u00a0c", "a\u2028b\u00a0c"),
        ("<p></p>", ""),
        ("", ""),
    ],
)
def test_only_markup_goes(definition: str, expected: str) -> None:
    assert plain_text(definition) == expected


def test_definitions_are_filtered() -> None:
    fields = [
        ("C1", "MSH", "kept", "N"),
        ("C1", "MSH", "kept too", ""),
        ("C1", "MSH", "old", "O"),
        ("C1", "SNOMEDCT_US", "restricted", "N"),
        ("C1", "UNHEARD_OF", "restricted", "N"),
        ("C1", "MSH", " \t", "N"),
    ]
    columns = [pa.array(column) for column in zip(*fields, strict=True)]
    batch = pa.RecordBatch.from_arrays(columns, names=list(DEF_COLUMNS))
    kept, left_out = filter_definitions(batch, Gate({"MSH": 0, "SNOMEDCT_US": 9}, 0))
    assert kept.column("DEF").to_pylist() == ["kept", "kept too"]
    assert left_out == Counter(definition_suppressed=1, definition_restricted=2, definition_blank=1)
