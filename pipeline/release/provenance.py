"""Where a release comes from and what may be done with it, as Croissant 1.1 lets one say it.

Provenance is told in PROV-O (https://www.w3.org/TR/prov-o/), conditions of use in terms of the Data
Use Ontology (https://github.com/EBISPOT/DUO), as the specification's sections on both ask.
"""

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from pipeline.release.layout import ReleaseError
from pipeline.release.writing import FileEntry

NAMESPACES = {"prov": "http://www.w3.org/ns/prov#", "duo": "http://purl.obolibrary.org/obo/DUO_"}
EPOCH = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch
LICENCE_URLS = {"cc-by-nc-4.0": "https://creativecommons.org/licenses/by-nc/4.0/"}
NOTICES = "LICENSE.md"
_NON_COMMERCIAL = ("DUO_0000018", "not for profit, non commercial use only")
_RESEARCH = ("DUO_0000042", "general research use")


def usage(licence: str) -> dict[str, Any]:
    """The licence and the conditions of use; `licence` is an identifier of the Hub's list."""
    terms = [_RESEARCH, *([_NON_COMMERCIAL] if "-nc-" in licence else [])]
    notices = {
        "@type": "sc:CreativeWork",
        "name": "Licences and notices of all sources",
        "url": NOTICES,
    }
    conditions = [
        {"@type": "sc:DefinedTerm", "name": name, "termCode": code, "url": f"duo:{code[4:]}"}
        for code, name in terms
    ]
    return {"license": LICENCE_URLS.get(licence, NOTICES), "usageInfo": [*conditions, notices]}


def provenance(inputs: Iterable[FileEntry], software: Mapping[str, str]) -> dict[str, Any]:
    """The files that a release was made from, each with its hash, and the software that made it."""
    return {
        "prov:wasDerivedFrom": [
            {
                "@type": "prov:Entity",
                "name": entry.path,
                "contentSize": f"{entry.bytes} B",
                "sha256": entry.sha256,
            }
            for entry in inputs
        ],
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "name": "mmed-bench build",
            "prov:wasAssociatedWith": [
                {"@type": "prov:SoftwareAgent", "name": name, "version": version}
                for name, version in sorted(software.items())
            ],
        },
    }


def date_published(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The day of SOURCE_DATE_EPOCH, if it is set: a build looks at no clock.

    Raises:
        ReleaseError: It is set to something else than seconds since 1970.
    """
    text = environment.get(EPOCH, "")
    if not text:
        return {}
    try:
        day = datetime.fromtimestamp(int(text), UTC).date()
    except (ValueError, OverflowError, OSError) as error:
        raise ReleaseError(f"{EPOCH}={text}: expected seconds since 1970") from error
    return {"datePublished": day.isoformat()}
