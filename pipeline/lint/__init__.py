"""What the users of a release would stumble over: its files, its card, its rows, its texts.

`splits.audit.verify` proves that a release is what its manifest and certificate say. These checks
ask more of any release, of ours or of another's in the same layout, and each of less: what one
cannot read another still looks at.
"""

from pipeline.lint.base import Check, Finding, Opened
from pipeline.lint.checks import CHECKS
from pipeline.lint.run import lint

__all__ = ["CHECKS", "Check", "Finding", "Opened", "lint"]
