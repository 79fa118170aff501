"""Tamis reads a web page and keeps its main content.

>>> import tamis
>>> tamis.extract("<p>Nothing but text.", extractor="body").text
'Nothing but text.'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.api import Block, Extraction, Options, extract, extract_page
    from tamis.comments import Comment
    from tamis.document import Document
    from tamis.errors import (
        AddressError,
        BrowserError,
        BudgetError,
        BusyError,
        CorpusError,
        EncodingNameError,
        FetchError,
        FetchTimeoutError,
        ForbiddenAddressError,
        MarkupTypeError,
        MissingExtraError,
        OptionError,
        RenderError,
        SourceError,
        TamisError,
        UnknownExtractorError,
    )
    from tamis.extractors.base import Extractor, Link, Selection
    from tamis.extractors.registry import register
    from tamis.metadata import Metadata
    from tamis.notices import Notice
    from tamis.page import Page, parse_page
    from tamis.render.writer import Rendered
    from tamis.series import Series, merge, next_page

__version__ = "0.1.0"
__all__ = [
    "AddressError",
    "Block",
    "BrowserError",
    "BudgetError",
    "BusyError",
    "Comment",
    "CorpusError",
    "Document",
    "EncodingNameError",
    "Extraction",
    "Extractor",
    "FetchError",
    "FetchTimeoutError",
    "ForbiddenAddressError",
    "Link",
    "MarkupTypeError",
    "Metadata",
    "MissingExtraError",
    "Notice",
    "OptionError",
    "Options",
    "Page",
    "RenderError",
    "Rendered",
    "Selection",
    "Series",
    "SourceError",
    "TamisError",
    "UnknownExtractorError",
    "extract",
    "extract_page",
    "merge",
    "next_page",
    "parse_page",
    "register",
]

# Names are imported when first used, so that `tamis --help` need not wait for numpy.
_HOMES = {
    **dict.fromkeys(["Block", "Extraction", "Options", "extract", "extract_page"], "tamis.api"),
    **dict.fromkeys([name for name in __all__ if name.endswith("Error")], "tamis.errors"),
    **dict.fromkeys(["Extractor", "Link", "Selection"], "tamis.extractors.base"),
    **dict.fromkeys(["Page", "parse_page"], "tamis.page"),
    "register": "tamis.extractors.registry",
    "Comment": "tamis.comments",
    "Document": "tamis.document",
    "Metadata": "tamis.metadata",
    "Notice": "tamis.notices",
    "Rendered": "tamis.render.writer",
    **dict.fromkeys(["Series", "merge", "next_page"], "tamis.series"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (PEP 562)
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
