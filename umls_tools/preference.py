"""In what order the names of a concept stand: the best of each language first."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.rows import WORD, Mask, Places, Rows, words_of
from umls_tools.selection import ordinals_of


def in_order_of_preference(ordinals: Places, atoms: pa.RecordBatch) -> Places:
    """The places of atoms by concept (its ordinal), language and preference, then the smaller AUI.

    Atoms that are equal in all of these stand in order of everything else, and those that are
    equal in everything are left out but for one.
    """
    language, preference = (atoms.column(name).to_numpy() for name in ("language", "preference"))
    keys = _keys(ordinals, language, preference)
    order: Places = np.argsort(keys, kind="stable")
    tied = _tied(keys[order])
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    rest = order[places]
    texts = atoms.column("atom_id").take(pa.array(rest))
    first, second = words_of(texts), words_of(texts, 8)
    inner = np.lexsort((second, first, keys[rest]))
    order[places] = rest[inner]
    return _settle(order, keys, atoms)


def order_of_rows(
    rows: Rows,
    places: Places,
    spoken: npt.NDArray[np.int8],
    preferences: npt.NDArray[np.int32],
) -> tuple[Places, bool]:
    """What `in_order_of_preference` will find, while atoms are still rows and cheap to move.

    And whether it is sure: neither where rows are not in order of CUI, nor where AUIs are equal
    in their first sixteen bytes.
    """
    concepts = rows.words("CUI", places)
    if (concepts[1:] < concepts[:-1]).any():
        return np.arange(len(places)), False
    keys = _keys(ordinals_of(concepts), spoken[places], preferences)
    order: Places = np.argsort(keys, kind="stable")
    tied = np.flatnonzero(_tied(keys[order]))
    rest = order[tied]
    first, second = (rows.words("AUI", places[rest], skipped) for skipped in (0, WORD))
    inner = np.lexsort((second, first, keys[rest]))
    order[tied] = rest[inner]
    same = _repeated(keys[rest][inner]) & _repeated(first[inner]) & _repeated(second[inner])
    return order, not same.any()


def _settle(order: Places, keys: Places, atoms: pa.RecordBatch) -> Places:
    """Order what even the AUIs leave equal: none is, in a release."""
    ids = atoms.column("atom_id").take(pa.array(order))
    same = np.append(keys[order][1:] == keys[order][:-1], False)
    same[:-1] &= pc.equal(ids[1:], ids[:-1]).to_numpy(zero_copy_only=False)
    tied = same | np.append(False, same[:-1])
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    part = atoms.take(pa.array(order[places]))
    names = ("source", "term_type", "code", "text")
    columns = {"key": pa.array(keys[order[places]]), "atom_id": part.column("atom_id")}
    columns |= {name: part.column(name).cast(pa.string()) for name in names}
    table = pa.table({**columns, "restriction": part.column("restriction")})
    inner = pc.sort_indices(table, [(name, "ascending") for name in table.column_names]).to_numpy()
    order[places] = order[places][inner.astype(np.int64)]
    return order[~_repeats(order, keys, atoms)]


def _repeats(order: Places, keys: Places, atoms: pa.RecordBatch) -> Mask:
    """Whether a row is equal to the one before it."""
    rows = atoms.take(pa.array(order))
    found = np.append(False, keys[order][1:] == keys[order][:-1])
    for column in rows.columns:
        found[1:] &= pc.equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False)
    return found


def _keys(
    ordinals: Places, languages: npt.NDArray[np.int8], preferences: npt.NDArray[np.int32]
) -> Places:
    """Concept, language and preference as one number, in their order."""
    found: Places = (ordinals << 36) | (languages.astype(np.int64) << 32) | preferences
    return found


def _tied(keys: Places) -> Mask:
    same = _repeated(keys)
    found: Mask = same | np.append(same[1:], False)[: len(same)]
    return found


def _repeated(values: npt.NDArray[np.generic]) -> Mask:
    """Whether a value is equal to the one before it."""
    return np.append(np.zeros(min(len(values), 1), np.bool_), values[1:] == values[:-1])
