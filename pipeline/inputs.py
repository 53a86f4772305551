"""What a plan reads: found, opened and measured before anything runs."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.evidence.base import EvidenceError
from pipeline.evidence.units import paths, refuse_namesakes
from pipeline.plan import Plan, Source
from pipeline.release.writing import FileEntry
from pipeline.settings import PlanError
from pipeline.stages.evidence import Unit
from pipeline.stages.filesystems import exists, fingerprint, list_files, open_file
from pipeline.stages.meta import Meta, find_tables, open_meta
from pipeline.stages.translation import memory_paths
from translation.memory_files import load_memory
from umls_tools.errors import RrfError
from umls_tools.files import IN_ARCHIVE


@dataclass(frozen=True, slots=True)
class Inputs:
    """A plan's inputs, found."""

    meta: Meta
    units: tuple[Unit, ...]
    memory: tuple[str, ...]
    reference: tuple[str, ...]


def find_inputs(plan: Plan) -> Inputs:
    """Find every input of the plan, and read those that are small.

    Raises PlanError, or the error of the package that reads them, for what is not there, cannot
    be read, or holds nothing.
    """
    meta = find_meta(plan)
    units = tuple(unit for source in plan.evidence for unit in _units(source))
    _refuse_namesakes(units)
    memory = _memory_files("memory", plan.translation.memory)
    reference = _memory_files("reference", plan.translation.reference)
    if plan.notes and not exists(plan.notes):
        raise PlanError(f"notes: {plan.notes} is not there; mend the plan's path")
    for name, outside in plan.overlap.external.items():
        for path in outside.files:
            if not exists(path):
                raise PlanError(f"overlap.external.{name}: {path} is not there; mend the path")
    # The cache must be readable, too, but is no input: without it the same would be made again.
    for paths_of_one in (memory_paths(plan.translation), plan.translation.reference):
        load_memory(paths_of_one, open_file, list_files)
    return Inputs(meta, units, memory, reference)


def _memory_files(key: str, named: Sequence[str]) -> tuple[str, ...]:
    for path in named:
        if not exists(path):
            raise PlanError(f"translation.{key}: {path} is not there; mend the plan's path")
    return tuple(file for path in named for file in list_files(path))


def measure_inputs(plan: Plan, inputs: Inputs) -> list[FileEntry]:
    """Size and sha256 of every input file, under names that do not depend on this machine."""
    return sorted(
        (fingerprint(path, name) for name, path in sorted(set(_named(plan, inputs)))),
        key=lambda entry: entry.path,
    )


def read_notes(plan: Plan) -> str:
    """The sections that people wrote for the card, or nothing."""
    if not plan.notes:
        return ""
    with open_file(plan.notes) as file:
        try:
            return str(file.read().decode("utf-8"))
        except UnicodeDecodeError as error:
            raise PlanError(f"notes: {plan.notes}: not UTF-8: {error}") from error


def find_meta(plan: Plan) -> Meta:
    """The Metathesaurus; a folder that holds none is the plan's fault, a damaged file is not."""
    try:
        tables = find_tables(plan.umls.meta)
    except RrfError as error:
        raise PlanError(f"umls.meta: {error}") from error
    return open_meta(plan, tables)


def _units(source: Source) -> Iterator[Unit]:
    try:
        names = source.reader.units(list_files(source.path))
    except EvidenceError as error:
        raise PlanError(f"evidence {source.name} ({source.path}): {error}") from error
    yield from (Unit(source, name) for name in names)


def _refuse_namesakes(units: Sequence[Unit]) -> None:
    """Ids hold a file's folder and name: two sources of one reader must differ in them too."""
    by_reader: dict[str, list[str]] = {}
    for unit in units:
        by_reader.setdefault(type(unit.source.reader).__name__, []).append(paths(unit.name)[0])
    for reader, leading in sorted(by_reader.items()):
        try:
            refuse_namesakes(reader, leading)
        except EvidenceError as error:
            raise PlanError(f"evidence: {error}") from error


def _named(plan: Plan, inputs: Inputs) -> Iterator[tuple[str, str]]:
    for table in inputs.meta.tables.values():
        for path in table.paths:
            stored = path.partition(IN_ARCHIVE)[0]
            yield f"umls/{posixpath.basename(stored)}", stored
    for unit in inputs.units:
        for path in paths(unit.name):
            yield f"evidence/{unit.source.name}/{_within(path, unit.source.path)}", path
    yield from _beside(plan, inputs)


def _beside(plan: Plan, inputs: Inputs) -> Iterator[tuple[str, str]]:
    """What is neither the Metathesaurus nor evidence."""
    folders = {f"external/{name}": one.files for name, one in plan.overlap.external.items()}
    folders |= {"memory": inputs.memory, "reference": inputs.reference}
    folders |= {f"model/{one.name}": _visible(one) for one in plan.translation.engine.folders()}
    folders |= {"notes": tuple(filter(None, [plan.notes]))}
    for folder, files in folders.items():
        yield from ((f"{folder}/{posixpath.basename(path)}", path) for path in files)


def _visible(folder: Path) -> tuple[str, ...]:
    """The files whose content is the model's revision."""
    files = (one for one in folder.iterdir() if one.is_file() and not one.name.startswith("."))
    return tuple(sorted(map(str, files)))


def _within(path: str, root: str) -> str:
    """A path as seen from the plan's folder; a root that is itself a file leaves its name."""
    return path.removeprefix(root).lstrip("/") or posixpath.basename(path)
