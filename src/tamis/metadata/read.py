"""Reading metadata: each field of the table, by the first of its readers that finds a value."""

from tamis.metadata.fields import FIELDS, Metadata
from tamis.metadata.source import MetadataSource


def read_metadata(source: MetadataSource) -> Metadata:
    """Return the metadata of a page.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<title>Tea</title><meta name=author content='Ann Lee'>")
    >>> metadata = read_metadata(MetadataSource(read_structured(page)))
    >>> metadata.title, metadata.authors, dict(metadata.sources)
    ('Tea', ('Ann Lee',), {'title': 'title', 'authors': 'meta author'})
    """
    values: dict[str, str | int | tuple[str, ...]] = {}
    sources: dict[str, str] = {}
    for field in FIELDS:
        for reader in field.readers:
            sourced = reader(source)
            if sourced is not None:
                values[field.name], sources[field.name] = sourced.value, sourced.source
                break
    return Metadata(**values, sources=sources)  # type: ignore[arg-type]  # a test holds types to the table
