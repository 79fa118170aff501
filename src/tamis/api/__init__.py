"""`extract` and what it returns. The names a program needs are in `tamis` itself."""

from tamis.api.extract import extract, extract_page
from tamis.api.extraction import Block, Extraction
from tamis.api.learn import SitePage, learn_site
from tamis.api.limits import Limits
from tamis.api.options import Favor, Options
from tamis.api.pagination import PagedArticle, join_pages, next_page

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
