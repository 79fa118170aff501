"""The metadata of a page: title, authors, dates and so on, each with the source that it was read from."""

from typing import TYPE_CHECKING

from tamis.lazy import lazy_names

if TYPE_CHECKING:
    from tamis.metadata.fields import FIELDS, Field, Metadata, read_metadata
    from tamis.metadata.source import MetadataSource
    from tamis.metadata.title import read_title
else:
    __getattr__ = lazy_names(
        __name__,
        {
            **dict.fromkeys(["FIELDS", "Field", "Metadata"], "tamis.metadata.fields"),
            "MetadataSource": "tamis.metadata.source",
            "read_metadata": "tamis.metadata.fields",
            "read_title": "tamis.metadata.title",
        },
    )

__all__ = ["FIELDS", "Field", "Metadata", "MetadataSource", "read_metadata", "read_title"]
