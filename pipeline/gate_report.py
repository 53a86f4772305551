"""What `mmed-bench check` says of the licence gate: rows of tables for people, or JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.records import LANGUAGES
from umls_tools.gate_table import UNKNOWN, GateTable, Toll
from umls_tools.licence import KNOWN_LEVELS

Sheet = tuple[str, tuple[str, ...], list[tuple[str, ...]]]  # title, head, rows


def gate_rows(gate: GateTable, languages: Sequence[str]) -> Iterator[Sheet]:
    """The tables by language and by source; the plan's languages are named beside their LAT."""
    taken = [str(level) for level in sorted(KNOWN_LEVELS) if level > gate.max_srl]
    fates = ("suppressed", *(f"SRL {level}" for level in taken), "unknown source", "kept")
    asked = {LANGUAGES[code].umls_lat: code for code in languages}
    most = "concepts kept" if gate.is_ordered else "concepts kept, at most"
    spoken = [
        (_lat(lat, asked), *_counts(toll, taken), f"{gate.concepts[lat]:,}")
        for lat, toll in gate.languages.items()
    ]
    title = f"Names by language, licence gate at SRL {gate.max_srl}"
    yield title, ("language", "atoms", *fates, most), spoken
    stated = [
        (sab, *_counts(toll, taken), _level(gate.levels, sab)) for sab, toll in gate.sources.items()
    ]
    yield "Names by source", ("source", "atoms", *fates, "level"), stated


def gate_json(gate: GateTable) -> dict[str, Any]:
    """The same for a machine; the level of a source that MRSAB does not give is null."""
    return {
        "max_srl": gate.max_srl,
        "ordered": gate.is_ordered,
        "languages": {
            lat: {**toll.as_json(), "concepts": gate.concepts[lat]}
            for lat, toll in gate.languages.items()
        },
        "sources": {
            sab: {**toll.as_json(), "level": gate.levels.get(sab)}
            for sab, toll in gate.sources.items()
        },
    }


def _lat(lat: str, asked: Mapping[str, str]) -> str:
    return f"{lat} ({asked[lat]})" if lat in asked else lat


def _counts(toll: Toll, taken: Sequence[str]) -> tuple[str, ...]:
    restricted = (toll.restricted.get(level, 0) for level in (*taken, UNKNOWN))
    return tuple(f"{number:,}" for number in (toll.atoms, toll.suppressed, *restricted, toll.kept))


def _level(levels: Mapping[str, int], sab: str) -> str:
    return str(levels[sab]) if sab in levels else "unknown"
