"""Pages as a reader sees them: rendered by a real Chromium, every row of a `Page` with its box (extra ``visual``)."""

from tamis.page.layout import Layout, Visibility
from tamis.visual.config import PHONE, Settings

__all__ = ["PHONE", "Layout", "Settings", "Visibility"]
