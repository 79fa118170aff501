"""Pages as a reader sees them: Chromium computes the layout of every row of a `Page` (extra ``visual``)."""

from tamis.page.layout import Layout, Visibility, with_layout
from tamis.visual.browser import Browser, shared_browser
from tamis.visual.config import PHONE, BrowserConfig
from tamis.visual.store import LayoutFolder
from tamis.visual.supply import supply_layout

__all__ = [
    "PHONE",
    "Browser",
    "BrowserConfig",
    "Layout",
    "LayoutFolder",
    "Visibility",
    "shared_browser",
    "supply_layout",
    "with_layout",
]
