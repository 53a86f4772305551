"""The licence gate: which texts of which sources a plan may use.

Every source has a restriction level (SRL), and every atom repeats one. Whatever is not known to
be allowed is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from umls_tools.sources import stated_by_source

SOURCE_COLUMNS = ("RSAB", "SRL", "CURVER")
# The UMLS licence agreement, appendix 1, knows no others.
KNOWN_LEVELS = frozenset({0, 1, 2, 3, 4, 9})
# A source that states no level gets the highest.
UNSTATED_LEVEL = 9


def read_level(text: str) -> int | None:
    """Return the level that an SRL field states; blank is 9, None what the UMLS does not know."""
    stripped = text.strip()
    if not stripped:
        return UNSTATED_LEVEL
    level = int(stripped) if stripped.isascii() and stripped.isdigit() else -1
    return level if level in KNOWN_LEVELS else None


def source_levels(batches: Iterable[pa.RecordBatch]) -> dict[str, int]:
    """Return the level of each source from rows of MRSAB, keyed as SAB is written elsewhere.

    Of several rows of a source only the current ones count, if any is current, and of these the
    highest level. A source with an unreadable level is left out, which refuses it.
    """
    stated = stated_by_source(batches, "SRL")
    levels = {source: [read_level(text) for text in texts] for source, texts in stated.items()}
    return {
        source: max(level for level in found if level is not None)
        for source, found in levels.items()
        if None not in found
    }


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets through what the plan's highest level allows; knows the level of every source."""

    levels: dict[str, int]
    max_srl: int

    def level(self, sab: str, srl: str) -> int | None:
        """Return the higher of the source's level and the atom's own; None if either is unknown."""
        of_source, of_atom = self.levels.get(sab), read_level(srl)
        if of_source is None or of_atom is None:
            return None
        return max(of_source, of_atom)

    def allows(self, sab: str, srl: str) -> bool:
        """Whether an atom may be used."""
        level = self.level(sab, srl)
        return level is not None and level <= self.max_srl

    def allows_source(self, sab: str) -> bool:
        """Whether a row that states no level of its own, a definition or relation, may be used."""
        return sab in self.levels and self.levels[sab] <= self.max_srl
