"""Proof, from the released files alone, that no two tasks overlap.

Nothing here is shared with the claim: own reading, own normalisation, own grams.
"""

from splits.audit.certificate import audit
from splits.audit.reading import AuditError
from splits.audit.verification import build_hash, verify

__all__ = ["AuditError", "audit", "build_hash", "verify"]
