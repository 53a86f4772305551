"""The families of relations: which edges there are, of which source, and what they say."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.benchmarks.meta.concepts import Concepts
from tests.benchmarks.meta.edges import Inner, Link, Loop, Shape, Tree, shuffle

# What stands for the children of a parent where edges are no tree.
_LINK, _INNER, _LOOP = 0, -1, -2


class Side(NamedTuple):
    """What one of the two rows of an edge says: REL, RELA, SAB and DIR."""

    rel: str
    rela: str
    source: str
    direction: str


class Relation(NamedTuple):
    """What the two rows of an edge say, and the share of all edges.

    ``rel`` is what the end is to the start, ``inverse`` what the start is to the end. A tree has
    ``width`` children at each parent; its edges start at children.
    """

    source: str
    rel: str
    rela: str
    inverse: str
    inverse_rela: str
    share: int
    width: int = _LINK

    def sides(self) -> tuple[Side, Side]:
        """What the row at the start says, and the row at the end."""
        directions = ("Y", "N") if self.source == "SNOMEDCT_US" else ("", "")
        return (
            Side(self.rel, self.rela, self.source, directions[0]),
            Side(self.inverse, self.inverse_rela, self.source, directions[1]),
        )


# No statistics of MRREL by REL or source were at hand: the shares, in ten thousandths, are rounded
# guesses at a full release. SIB is no longer among the values of 2024AA; older releases have it.
RELATIONS = (
    Relation("SNOMEDCT_US", "PAR", "inverse_isa", "CHD", "isa", 449, 6),
    Relation("SNOMEDCT_US", "PAR", "inverse_isa", "CHD", "isa", 1, _LOOP),
    Relation("NCI", "PAR", "inverse_isa", "CHD", "isa", 250, 12),
    Relation("MSH", "PAR", "", "CHD", "", 150, 5),
    Relation("MDR", "PAR", "", "CHD", "", 80, 10),
    Relation("ICD10", "PAR", "", "CHD", "", 40, 10),
    Relation("NCBI", "PAR", "", "CHD", "", 400, 4),
    Relation("MTH", "RB", "", "RN", "", 350),
    Relation("MSH", "RB", "mapped_from", "RN", "mapped_to", 300),
    Relation("RXNORM", "RB", "has_tradename", "RN", "tradename_of", 200),
    Relation("SNOMEDCT_US", "RO", "finding_site_of", "RO", "has_finding_site", 800, 40),
    Relation("SNOMEDCT_US", "RO", "associated_morphology_of", "RO",
             "has_associated_morphology", 800, 100),
    Relation("SNOMEDCT_US", "RO", "method_of", "RO", "has_method", 600, 300),
    Relation("SNOMEDCT_US", "RO", "interpretation_of", "RO", "has_interpretation", 600),
    Relation("RXNORM", "RO", "ingredient_of", "RO", "has_ingredient", 700, 20),
    Relation("RXNORM", "RO", "dose_form_of", "RO", "has_dose_form", 500, 500),
    Relation("RXNORM", "RO", "consists_of", "RO", "constitutes", 400),
    Relation("LNC", "RO", "component_of", "RO", "has_component", 700, 8),
    Relation("LNC", "RO", "measured_by", "RO", "measures", 500),
    Relation("NCI", "RO", "role_of", "RO", "has_role", 400),
    Relation("MEDCIN", "RO", "", "RO", "", 300),
    Relation("MSH", "AQ", "", "QB", "", 200, 1_000),
    Relation("MSH", "RQ", "mapped_from", "RQ", "mapped_to", 200),
    Relation("MTH", "RQ", "classifies", "RQ", "classified_as", 150),
    Relation("SNOMEDCT_US", "SY", "same_as", "SY", "same_as", 80),
    Relation("NCI", "RL", "", "RL", "", 30),
    Relation("MSH", "SIB", "", "SIB", "", 50),
    Relation("NCI", "XR", "", "XR", "", 50),
    Relation("RCD", "", "", "", "", 20),
    Relation("MSH", "SY", "permuted_term_of", "SY", "has_permuted_term", 400, _INNER),
    Relation("MDR", "SY", "has_expanded_form", "SY", "expanded_form_of", 300, _INNER),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Family:
    """Edges of one relation; ``first`` is the number of the first among all edges."""

    relation: Relation
    shape: Shape
    first: int


def families(concepts: Concepts, edges: int) -> list[Family]:
    """That many edges; what a shape has no room for is divided over several."""
    found: list[Family] = []
    first = 0
    for relation, count in _counts(edges):
        trees = [family.shape for family in found if isinstance(family.shape, Tree)]
        for shape, size in _shapes(concepts, relation, count, trees):
            found.append(Family(relation, shape, first))
            first += size
    return found


def _counts(edges: int) -> Iterator[tuple[Relation, int]]:
    """Edges of each relation, by its share; none is lost by rounding."""
    total = sum(relation.share for relation in RELATIONS)
    end = 0
    for relation in RELATIONS:
        start, end = end, end + relation.share
        yield relation, end * edges // total - start * edges // total


def _shapes(
    concepts: Concepts, relation: Relation, count: int, trees: list[Tree]
) -> Iterator[tuple[Shape, int]]:
    if relation.width == _LOOP:
        yield Loop(trees[0], count), count
        return
    # One place of a tree is its root, which has no edge.
    room = concepts.atoms - concepts.count if relation.width == _INNER else concepts.count - 1
    for part, start in enumerate(range(0, count, room)):
        number = RELATIONS.index(relation) + part * len(RELATIONS)
        size = min(room, count - start)
        yield _shape(concepts, relation, size, number), size


def _shape(concepts: Concepts, relation: Relation, count: int, number: int) -> Shape:
    one, other = (shuffle(concepts.count, 2 * number + side) for side in (0, 1))
    if relation.width == _INNER:
        return Inner(concepts, count)
    if relation.width == _LINK:
        return Link(concepts, count, one, other)
    return Tree(concepts, count, one, relation.width)
