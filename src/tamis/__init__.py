"""Tamis reads a web page and keeps its main content.

>>> import tamis
>>> tamis.extract("<p>Nothing but text.", extractor="body").text
'Nothing but text.'
"""

import sys
from typing import TYPE_CHECKING, Final

if sys.version_info < (3, 11):  # noqa: UP036 (a checkout is imported without pip, which would refuse)
    raise ImportError(f"Tamis needs Python 3.11 or newer, not {sys.version.split()[0]}")

from tamis.lazy import lazy_names

if TYPE_CHECKING:
    from tamis.api import Block, Extraction, Limits, SitePage, extract, join_pages, learn_site, next_page
    from tamis.batch import extract_many, to_arrow
    from tamis.document import Document
    from tamis.errors import FetchError, MissingExtraError, OptionError, SourceError, TamisError
    from tamis.extractors.registry import Extractor, Selection, register
    from tamis.metadata import Metadata
    from tamis.page import Page, parse_page
    from tamis.render.chunks import Chunk
    from tamis.render.registry import Format, Rendered, register_format
    from tamis.sources.fetch import afetch, afetch_many, fetch
    from tamis.sources.fetched import Fetched

__version__ = "0.1.0"
__all__ = [
    "Block",
    "Chunk",
    "Document",
    "Extraction",
    "Extractor",
    "FetchError",
    "Fetched",
    "Format",
    "Limits",
    "Metadata",
    "MissingExtraError",
    "OptionError",
    "Page",
    "Rendered",
    "Selection",
    "SitePage",
    "SourceError",
    "TamisError",
    "afetch",
    "afetch_many",
    "extract",
    "extract_many",
    "fetch",
    "join_pages",
    "learn_site",
    "next_page",
    "parse_page",
    "register",
    "register_format",
    "to_arrow",
]

# Names are imported on first use, so that `tamis --help` does not wait for numpy. Type checkers see the imports above
# and no `__getattr__`: a misspelt name is an error to them.
_HOMES: Final = {
    **dict.fromkeys([name for name in __all__ if name.endswith("Error")], "tamis.errors"),
    **dict.fromkeys(
        ["Block", "Extraction", "Limits", "SitePage", "extract", "join_pages", "learn_site", "next_page"], "tamis.api"
    ),
    **dict.fromkeys(["Extractor", "Selection"], "tamis.extractors.registry"),
    **dict.fromkeys(["Page", "parse_page"], "tamis.page"),
    **dict.fromkeys(["Format", "register_format"], "tamis.render.registry"),
    **dict.fromkeys(["extract_many", "to_arrow"], "tamis.batch"),
    **dict.fromkeys(["afetch", "afetch_many", "fetch"], "tamis.sources.fetch"),
    "Chunk": "tamis.render.chunks",
    "Document": "tamis.document",
    "Fetched": "tamis.sources.fetched",
    "Metadata": "tamis.metadata",
    "Rendered": "tamis.render.registry",
    "register": "tamis.extractors.registry",
}


if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
