"""Pages as a reader sees them: drawn by a real Chromium, every row of a `Page` with its box (extra ``visual``)."""

from tamis.visual.boxes import Boxes, Unseen
from tamis.visual.settings import PHONE, Settings

__all__ = ["PHONE", "Boxes", "Settings", "Unseen"]
