"""Pages as a reader sees them: one guarded Chromium renders them and computes their layout (extra ``browser``).

All requests of all pages go through a guard that checks addresses where the socket is made; see SECURITY.md.
"""

from typing import TYPE_CHECKING, Final

from tamis.lazy import lazy_names

if TYPE_CHECKING:
    from tamis.browser.browser import Browser, Rendered, shared_browser
    from tamis.browser.config import PHONE, BrowserConfig
    from tamis.browser.modes import RenderMode
    from tamis.browser.store import LayoutFolder
    from tamis.browser.supply import supply_layout
    from tamis.page.layout import Layout, Visibility, with_layout

__all__ = [
    "PHONE",
    "Browser",
    "BrowserConfig",
    "Layout",
    "LayoutFolder",
    "RenderMode",
    "Rendered",
    "Visibility",
    "shared_browser",
    "supply_layout",
    "with_layout",
]

_HOMES: Final = {
    **dict.fromkeys(("Browser", "Rendered", "shared_browser"), "tamis.browser.browser"),
    **dict.fromkeys(("PHONE", "BrowserConfig"), "tamis.browser.config"),
    **dict.fromkeys(("Layout", "Visibility", "with_layout"), "tamis.page.layout"),
    "RenderMode": "tamis.browser.modes",
    "LayoutFolder": "tamis.browser.store",
    "supply_layout": "tamis.browser.supply",
}

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
