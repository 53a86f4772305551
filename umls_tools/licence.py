"""The licence gate: which texts of which sources a plan may use.

Every source has a restriction level (SRL), and every atom repeats one. Whatever is not known to
be allowed is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

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
    rows = sorted(row for batch in batches for row in _rows(batch))
    current = {source for source, is_current, _ in rows if is_current}
    levels: dict[str, list[int | None]] = {}
    for source, is_current, text in rows:
        if is_current or source not in current:
            levels.setdefault(source, []).append(read_level(text))
    return {
        source: max(level for level in stated if level is not None)
        for source, stated in levels.items()
        if source and None not in stated
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


def _rows(batch: pa.RecordBatch) -> Iterable[tuple[str, bool, str]]:
    source, level, current = (batch.column(name).to_pylist() for name in SOURCE_COLUMNS)
    return zip(source, (flag == "Y" for flag in current), level, strict=True)
