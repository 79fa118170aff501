"""The page as a table, and its arithmetic."""

from tamis.page.columns import ELEMENT, OTHER, TEXT, Hidden, Page
from tamis.page.parse import parse_page

__all__ = ["ELEMENT", "OTHER", "TEXT", "Hidden", "Page", "parse_page"]
