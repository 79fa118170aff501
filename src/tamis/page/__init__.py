"""The page as a table, and its arithmetic."""

from tamis._core.enums import ELEMENT, OTHER, TEXT, Hidden
from tamis.page.columns import Page
from tamis.page.parse import parse_page

__all__ = ["ELEMENT", "OTHER", "TEXT", "Hidden", "Page", "parse_page"]
