"""English evidence: passages and questions read from the formats in which they are published."""

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, open_local
from pipeline.evidence.readers import READERS

__all__ = ["READERS", "Evidence", "EvidenceError", "OpenFile", "Reader", "open_local"]
