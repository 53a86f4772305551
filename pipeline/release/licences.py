"""Licence and notice texts of a release, made from what it really contains."""

from collections.abc import Iterable, Mapping

# The statement that the UMLS licence asks for wherever its content is shown.
UMLS_NOTICE = (
    "Some material in the UMLS Metathesaurus is from copyrighted sources of the respective "
    "copyright holders. Users of the UMLS Metathesaurus are solely responsible for compliance "
    "with any copyright, patent or trademark restrictions and are referred to the copyright, "
    "patent or trademark notices appearing in the original sources, all of which are hereby "
    "incorporated by reference."
)
NLLB_NOTICE = (
    "Translations were made with NLLB-200, whose weights are under CC-BY-NC-4.0. Whether its "
    "output inherits that licence is not settled; until it is, treat the translated queries as "
    "CC-BY-NC-4.0. Each row names the model and its revision."
)
SAMPLE_MODEL = "mmed-bench-sample-nllb"
SAMPLE_NOTICE = (
    "Translations were made by a small model of NLLB's architecture that was trained for the "
    "embedded sample, on the sample's own sentences and on nothing else. It is under Apache-2.0 as "
    "the sample is, and no use for any other text: real builds use NLLB-200."
)
# What may be passed on under CC-BY-NC-4.0 as a whole; anything else needs a reader's own eye.
COMPATIBLE_WITH_NC = {"cc-by-4.0", "cc-by-nc-4.0", "cc0-1.0", "mit", "apache-2.0"}
LOCAL_NOTICE = (
    "This release was built under the profile `local`: it may hold text that its sources forbid "
    "to redistribute. It must not be published."
)
IDS_NOTICE = (
    "This release was built under the profile `ids`: where a source forbids to redistribute its "
    "text, a row has the CUI, the AUI and the SHA-256 of the text instead, and the text stands "
    "nowhere. `mmed-bench hydrate RELEASE --umls META` restores it from your own licensed copy of "
    "the UMLS; what it writes must not be published."
)
NOTICES = {"ids": IDS_NOTICE, "local": LOCAL_NOTICE}


def licence_text(
    profile: str,
    sources: Mapping[str, int],
    licences: Iterable[str],
    engines: Iterable[str],
) -> str:
    """LICENSE.md: `sources` are the UMLS sources used with their restriction level."""
    parts = ["# Licences and notices\n"]
    if profile in NOTICES:
        parts.append(NOTICES[profile] + "\n")
    parts.append("## UMLS\n\n" + UMLS_NOTICE + "\n\n" + _sources_table(sources))
    parts.append("## Evidence\n\n" + _bullets(f"`{licence}`" for licence in licences))
    parts += [f"## Translations\n\n{notice}\n" for notice in translation_notices(engines)]
    return "\n".join(parts)


def translation_notices(engines: Iterable[str]) -> list[str]:
    """What is to be said of the models: whatever is not the sample's own counts as NLLB-200."""
    models = [engine for engine in engines if engine.startswith("nllb")]
    own = [engine for engine in models if SAMPLE_MODEL in engine.split()]
    notices = {SAMPLE_NOTICE} if own else set()
    return sorted(notices | ({NLLB_NOTICE} if len(models) > len(own) else set()))


def hub_licence(engines: Iterable[str], licences: Iterable[str]) -> tuple[str, str]:
    """The licence identifier for the Hub's card, and a name where it is none that the Hub lists."""
    terms = {licence.rpartition(": ")[2].lower() for licence in licences}
    translated = NLLB_NOTICE in translation_notices(engines)
    if translated and terms <= COMPATIBLE_WITH_NC:
        return "cc-by-nc-4.0", ""
    return "other", "see-license-md"


def _sources_table(sources: Mapping[str, int]) -> str:
    rows = [f"| {sab} | {level} |" for sab, level in sorted(sources.items())]
    head = ["| source (SAB) | restriction level (SRL) |", "| --- | --- |"]
    what = "Sources whose names are in this release, or whose hierarchies made its confusion sets"
    return f"{what}:\n\n" + "\n".join(head + rows) + "\n"


def _bullets(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in sorted(set(lines)))
