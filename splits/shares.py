"""How a slot is to be made up: the shares of languages and of semantic groups in its quota."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from splits.candidates import Candidate

REST = "other"  # whatever the plan names no share for


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares by language and by semantic group, each adding up to 1 at most.

    What is left of either belongs to all that it does not name. A part is a language and a group.
    """

    languages: Mapping[str, float] = field(default_factory=dict)
    groups: Mapping[str, float] = field(default_factory=dict)

    def of(self, part: str) -> float:
        """The share of a part in its slot's quota."""
        language, _, group = part.partition("/")
        return _share(self.languages, language) * _share(self.groups, group)


def part_of(one: Candidate, shares: Shares | None) -> str:
    """The part of its slot that a candidate is of; "" where no shares are set."""
    if shares is None:
        return ""
    language = one.language if one.language in shares.languages else REST
    group = one.group if one.group in shares.groups else REST
    return f"{language}/{group}"


def _share(shares: Mapping[str, float], name: str) -> float:
    """All of it, where nothing is shared out."""
    return shares.get(name, max(0.0, 1 - sum(shares.values()))) if shares else 1.0
