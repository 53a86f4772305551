"""Croissant 1.1 metadata (https://docs.mlcommons.org/croissant): files, hashes, record sets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from pipeline.release.layout import Subset, corpus_folder, subset_folder
from pipeline.release.provenance import NAMESPACES
from pipeline.release.writing import FileEntry
from pipeline.schemas import SCHEMAS

CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "isArray": "cr:isArray",
    "arrayShape": "cr:arrayShape",
    "rai": "http://mlcommons.org/croissant/RAI/",
    **NAMESPACES,
}
# Not the registered application/vnd.apache.parquet: readers of Croissant know this name alone.
PARQUET = "application/x-parquet"


def build_croissant(
    identity: Mapping[str, Any], files: Sequence[FileEntry], found: Sequence[Subset]
) -> dict[str, Any]:
    """The metadata of a release; `identity` is all that does not follow from its files."""
    data = [entry for entry in files if entry.path.startswith("data/")]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        **identity,
        "distribution": [_file_object(entry) for entry in data],
        "recordSet": list(_record_sets(data, found)),
    }


def _file_object(entry: FileEntry) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry.path,
        "name": entry.path,
        "contentUrl": entry.path,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": entry.sha256,
    }


def _record_sets(data: Sequence[FileEntry], found: Sequence[Subset]) -> Iterator[dict[str, Any]]:
    for task in sorted({subset.task for subset in found}):
        yield from _of_folder(f"{task}-corpus", "corpus", corpus_folder(task), data)
    for subset in found:
        for kind in subset.kinds:
            yield from _of_folder(f"{subset.name}-{kind}", kind, subset_folder(subset, kind), data)


def _of_folder(
    name: str, kind: str, folder: str, data: Iterable[FileEntry]
) -> Iterator[dict[str, Any]]:
    """One record set a shard: a Croissant field has exactly one source."""
    shards = [entry for entry in data if entry.path.startswith(folder + "/")]
    for place, shard in enumerate(shards):
        own = name if len(shards) == 1 else f"{name}-{place:05d}"
        fields = [_field(own, field, shard.path) for field in SCHEMAS[kind]]
        yield {"@type": "cr:RecordSet", "@id": own, "name": own, "field": fields}


def _field(record_set: str, field: pa.Field, path: str) -> dict[str, Any]:
    repeated = {"repeated": True} if pa.types.is_list(field.type) else {}
    return {
        "@type": "cr:Field",
        "@id": f"{record_set}/{field.name}",
        "name": field.name,
        "dataType": _data_type(field.type),
        "source": {"fileObject": {"@id": path}, "extract": {"column": field.name}},
        **repeated,
    }


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    return "sc:Integer" if pa.types.is_integer(kind) else "sc:Text"
