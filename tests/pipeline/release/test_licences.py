import pytest

from pipeline.release.licences import (
    LOCAL_NOTICE,
    NLLB_NOTICE,
    SAMPLE_MODEL,
    SAMPLE_NOTICE,
    UMLS_NOTICE,
    hub_licence,
    licence_text,
)

NLLB = "nllb facebook/nllb-200-distilled-600M abc"
SAMPLE = f"nllb-ct2 {SAMPLE_MODEL} 0123"


@pytest.mark.parametrize(
    ("engines", "licences", "expected"),
    [
        ([], [], ("other", "see-license-md")),
        (["curated"], ["test: CC-BY-4.0"], ("other", "see-license-md")),
        ([NLLB], ["test: CC0-1.0"], ("cc-by-nc-4.0", "")),
        ([NLLB], ["a: CC-BY-4.0", "b: MIT", "c: Apache-2.0"], ("cc-by-nc-4.0", "")),
        ([NLLB], ["test: CC-BY-NC-4.0"], ("cc-by-nc-4.0", "")),
        # no one licence covers what one of its parts forbids, or asks for in its own words
        ([NLLB], ["a: CC-BY-4.0", "b: CC-BY-SA-4.0"], ("other", "see-license-md")),
        ([NLLB], ["a: CC-BY-4.0", "b: LicenseRef-BioASQ"], ("other", "see-license-md")),
        ([], ["test: CC-BY-NC-4.0"], ("other", "see-license-md")),
        ([SAMPLE], ["test: Apache-2.0"], ("other", "see-license-md")),
    ],
)
def test_one_licence_is_named_only_where_it_covers_all(
    engines: list[str], licences: list[str], expected: tuple[str, str]
) -> None:
    assert hub_licence(engines, licences) == expected


@pytest.mark.parametrize(("profile", "warned"), [("open", False), ("local", True)])
@pytest.mark.parametrize(
    ("engines", "notices"),
    [
        ([], []),
        (["curated"], []),
        ([NLLB], [NLLB_NOTICE]),
        ([SAMPLE], [SAMPLE_NOTICE]),
        ([NLLB, SAMPLE], [NLLB_NOTICE, SAMPLE_NOTICE]),
        # any folder counts as NLLB-200 but the sample's own
        ([f"nllb-ct2 my-{SAMPLE_MODEL} 0123"], [NLLB_NOTICE]),
    ],
)
def test_notices_follow_from_what_is_in_the_release(
    profile: str, warned: bool, engines: list[str], notices: list[str]
) -> None:
    text = licence_text(profile, {"MSH": 0, "LNC": 0}, ["b: CC0-1.0", "a: MIT", "a: MIT"], engines)
    assert UMLS_NOTICE in text
    assert (LOCAL_NOTICE in text) == warned
    assert [one for one in (NLLB_NOTICE, SAMPLE_NOTICE) if one in text] == notices
    assert text.index("| LNC | 0 |") < text.index("| MSH | 0 |")
    assert text.count("- `a: MIT`") == 1
    assert text.index("- `a: MIT`") < text.index("- `b: CC0-1.0`")
    assert text.endswith("\n")
