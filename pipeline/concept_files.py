"""The concepts of a Metathesaurus on their own, as Parquet files: to look at, or to work with."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.inputs import find_meta
from pipeline.plan import Plan
from pipeline.release.folder import commit, staged
from pipeline.release.manifest import StageCount
from pipeline.settings import PlanError
from pipeline.stages.running import Engine, run_concepts


@dataclass(frozen=True, slots=True)
class ConceptFiles:
    """A folder of files with umls_tools.concept_batches.CONCEPT_SCHEMA, and what was counted."""

    folder: Path
    files: tuple[str, ...]
    counts: tuple[StageCount, ...]


def write_concepts(plan: Plan, folder: Path, engine: Engine) -> ConceptFiles:
    """Read the plan's Metathesaurus, as far as it may be seen, into a folder of Parquet files.

    Each file holds the concepts from the CUI in its name on, in order, or, where the rows of the
    Metathesaurus are in no order, those of one bucket. The folder appears whole or not at all.
    Raises what `pipeline.build.build` raises for a Metathesaurus.
    """
    _refuse_strangers(folder)
    meta = find_meta(plan)
    with staged(folder) as staging:
        counts = run_concepts(meta, str(staging), engine)
        files = sorted(path.name for path in staging.iterdir())
        commit(staging, folder)
    return ConceptFiles(folder, tuple(files), tuple(counts))


def _refuse_strangers(folder: Path) -> None:
    """What an earlier reading wrote gives way; anything else stays."""
    if not folder.exists() and not folder.is_symlink():
        return
    ours = folder.is_dir() and all(path.match("concepts-*.parquet") for path in folder.iterdir())
    if folder.is_symlink() or not ours:
        raise PlanError(
            f"{folder}: something else than files of concepts stands there; remove it or name "
            "another --output"
        )
