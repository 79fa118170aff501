"""`extract` and what it returns. The names a program needs are in `tamis` itself."""

from typing import TYPE_CHECKING

from tamis.api.extraction import Extraction, extract
from tamis.api.options import Favor, Limits, Options
from tamis.lazy import lazy_names
from tamis.render.content import Block

if TYPE_CHECKING:
    from tamis.api.pagination import PagedArticle, join_pages, next_page
    from tamis.sites.learn import SitePage, learn_site
else:
    _LEARN = dict.fromkeys(("SitePage", "learn_site"), "tamis.sites.learn")
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
    "join_pages",
    "learn_site",
    "next_page",
]
