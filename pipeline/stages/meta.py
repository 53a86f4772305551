"""A Metathesaurus as a plan names it: its tables found, its small ones read, the large measured."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.plan import Plan, Umls
from pipeline.stages.filesystems import list_files, open_file
from umls_tools.blocks import Span
from umls_tools.concepts import SCHEMAS, Assembly
from umls_tools.files import TableFile, locate, members, refuse_empty
from umls_tools.inventory import FILE_COLUMNS, Stated, check_columns, stated_files
from umls_tools.reading import Metathesaurus, assembly_of
from umls_tools.rrf import read_batches
from umls_tools.spans import pieces


@dataclass(frozen=True, slots=True)
class Meta:
    """A Metathesaurus: where its tables lie, and what its small ones say."""

    tables: Mapping[str, TableFile]
    assembly: Assembly
    spans: tuple[Span, ...]  # of the tables that tell of concepts, cut by size
    stated: Mapping[str, Stated]  # by MRFILES
    umls: Umls

    @property
    def files(self) -> Metathesaurus:
        """As the plain functions take it, opened through Beam's filesystems."""
        return Metathesaurus(self.tables, self.assembly, open_file)


def find_tables(folder: str) -> dict[str, TableFile]:
    """The tables in a META folder, in archives within it, or in an archive."""
    return locate(members(list_files(folder), open_file), folder)


def open_meta(plan: Plan, tables: Mapping[str, TableFile]) -> Meta:
    """Read what the small tables say of sources, ranks and files, and measure the large ones."""
    refuse_empty(tables, open_file)
    assembly = assembly_of(tables, plan.languages, plan.umls.max_srl, open_file)
    listing = tables.get("MRFILES")
    stated = stated_files(read_batches(listing, FILE_COLUMNS, open_file) if listing else ())
    check_columns(stated)
    spans = tuple(
        piece
        for table in SCHEMAS
        if table in tables
        for piece in pieces(tables[table], _size(tables[table]))
    )
    return Meta(tables, assembly, spans, stated, plan.umls)


def _size(file: TableFile) -> int:
    """The bytes of a file that may be cut; 0 of another, which is read as a whole."""
    if not file.may_be_cut:
        return 0
    with open_file(file.name) as stream:
        return stream.seek(0, 2)
