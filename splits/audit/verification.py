"""Whether a release is what its manifest and its certificate say."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from splits.audit.certificate import audit
from splits.audit.contract import contract_faults
from splits.audit.files import CERTIFICATE, file_faults
from splits.audit.licence import licence_faults
from splits.audit.manifest import REMEDY, load_object, read_manifest
from splits.audit.quality import quality_faults, reject_faults
from splits.audit.reading import AuditError, tasks_in
from splits.audit.subsets import subset_faults
from splits.audit.tables import look_at_tables


def verify(root: Path) -> list[str]:
    """Everything that is wrong with the release at `root`; empty when all is well.

    Nothing is believed before it was looked at. A task with a table that cannot be read, or is
    none of the contract's, is left out of what compares rows; the rest is looked at all the same.
    """
    manifest, faults = read_manifest(root)
    faults += file_faults(root, manifest)
    try:
        tasks = tasks_in(root)
    except AuditError as error:
        return [*faults, str(error)]
    looked = look_at_tables(root)
    faults += looked.faults
    faults += subset_faults(root, manifest)
    sound = tuple(task for task in tasks if looked.is_sound(f"data/{task}"))
    faults += contract_faults(root, sound)
    faults += licence_faults(root, manifest, sound)
    if looked.is_sound("quality"):
        faults += quality_faults(root, manifest, sound)
        faults += reject_faults(root, manifest)
    if sound == tasks:
        return [*faults, *_certificate_faults(root)]
    return [*faults, f"{CERTIFICATE}: cannot be recomputed from the tables named above; {REMEDY}"]


def _certificate_faults(root: Path) -> Iterator[str]:
    recomputed = audit(root)
    yield from recomputed["faults"]
    stored, fault = load_object(root, CERTIFICATE)
    if fault:
        yield from [fault] if (root / CERTIFICATE).is_file() else []
        return
    for where in _differences(stored, json.loads(json.dumps(recomputed))):
        yield f"{CERTIFICATE}: {where} is not what the released files give"


def _differences(stored: object, recomputed: object, where: str = "") -> Iterable[str]:
    """The paths at which two JSON values differ, as deep as both are objects."""
    if isinstance(stored, dict) and isinstance(recomputed, dict):
        for key in sorted(stored.keys() | recomputed.keys()):
            below = f"{where}.{key}" if where else key
            yield from _differences(stored.get(key), recomputed.get(key), below)
    elif stored != recomputed:
        yield where
