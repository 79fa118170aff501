"""Named features of each block of a page. `tamis.features.schema` lists them."""

from tamis.features.matrix import Features, measure
from tamis.features.schema import COLUMN, NAMES

__all__ = ["COLUMN", "NAMES", "Features", "measure"]
