"""The metadata of a page: title, authors, dates and so on, each with the source that it was read from."""

from tamis.metadata.fields import FIELDS, Field, Metadata
from tamis.metadata.read import read_metadata, read_title
from tamis.metadata.source import MetadataSource

__all__ = ["FIELDS", "Field", "Metadata", "MetadataSource", "read_metadata", "read_title"]
