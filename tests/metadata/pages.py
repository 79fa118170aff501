"""How these tests read the metadata of a page."""

import tamis
from tamis.metadata import Metadata, MetadataSource
from tamis.metadata.structured import read_structured
from tamis.page import parse_page


def read(html: str, url: str | None = "https://www.example.org/a") -> Metadata:
    """Return the metadata of a page whose visible text is all content."""
    return tamis.extract(html, url, extractor="body").metadata


def source_of(html: str, url: str | None = None, page_type: str | None = None) -> MetadataSource:
    """Return what single readers take, for a page of a type."""
    return MetadataSource(read_structured(parse_page(html)), url, page_type=page_type)
