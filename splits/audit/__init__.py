"""Proof, from the released files alone, that no two tasks overlap.

Nothing here is shared with the claim: own reading, own normalisation, own grams.
"""

from splits.audit.certificate import audit
from splits.audit.files import build_hash
from splits.audit.licence import allowed_level, used_level
from splits.audit.manifest import manifest_hash, read_manifest
from splits.audit.reading import AuditError
from splits.audit.tables import look_at_tables
from splits.audit.verification import verify

__all__ = [
    "AuditError",
    "allowed_level",
    "audit",
    "build_hash",
    "look_at_tables",
    "manifest_hash",
    "read_manifest",
    "used_level",
    "verify",
]
