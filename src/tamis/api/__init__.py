"""`extract` and what it returns. The names a program needs are in `tamis` itself."""

from typing import TYPE_CHECKING

from tamis.api.extract import extract, extract_page
from tamis.api.extraction import Block, Extraction
from tamis.api.limits import Limits
from tamis.api.options import Favor, Options
from tamis.lazy_names import lazy_names

if TYPE_CHECKING:
    from tamis.api.learn import SitePage, learn_site
    from tamis.api.pagination import PagedArticle, join_pages, next_page
else:
    _LEARN = dict.fromkeys(("SitePage", "learn_site"), "tamis.api.learn")
    _PAGES = dict.fromkeys(("PagedArticle", "join_pages", "next_page"), "tamis.api.pagination")
    __getattr__ = lazy_names(__name__, _LEARN | _PAGES)

__all__ = [
    "Block",
    "Extraction",
    "Favor",
    "Limits",
    "Options",
    "PagedArticle",
    "SitePage",
    "extract",
    "extract_page",
    "join_pages",
    "learn_site",
    "next_page",
]
