"""What ties two concepts together: a parent, a farther ancestor, a place among codes.

Every answer is symmetric and names its witness, so that whoever doubts a set can look it up.
"""

from umls_tools.confusion.index import ConceptIndex

Steps = tuple[int, int, int]  # steps, label of the source, the ancestor


def shared_parent(index: ConceptIndex, left: int, right: int) -> str:
    """``SAB:CUI`` of the first parent that the two have in one source, or ""."""
    edges = _parents(index, left) & _parents(index, right)
    if not edges:
        return ""
    source, parent = min(edges)
    return f"{index.label(source)}:{index.cui(parent)}"


def _parents(index: ConceptIndex, node: int) -> set[tuple[int, int]]:
    parents = index.hierarchy.parents
    labels, members = parents.labels_of(node).tolist(), parents.of(node).tolist()
    return set(zip(labels, members, strict=True))


def adjacent_code(index: ConceptIndex, left: int, right: int, sources: tuple[str, ...]) -> str:
    """The first of `sources` in which the codes of the two stand beside each other, or ""."""
    labels, members = index.codes.labels_of(left).tolist(), index.codes.of(left).tolist()
    beside = {label for label, node in zip(labels, members, strict=True) if node == right}
    return min((name for label in beside if (name := index.label(label)) in sources), default="")


def nearest_ancestor(index: ConceptIndex, left: int, right: int) -> Steps | None:
    """The nearest common ancestor of any one source; the steps are the longer way's.

    Of several at the same distance the first by source, then by CUI.
    """
    hierarchy = index.hierarchy
    found = []
    for source in set(hierarchy.sources(left)) & set(hierarchy.sources(right)):
        ours, theirs = hierarchy.ancestors(left, source), hierarchy.ancestors(right, source)
        common = ours.keys() & theirs.keys()
        found += [(max(ours[node], theirs[node]), source, node) for node in common]
    return min(found, default=None)
