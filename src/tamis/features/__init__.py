"""Named feature columns: what the learned extractor knows of each block, computed over the columns of a page."""

from tamis.features.matrix import NAMES, Features, measure

__all__ = ["NAMES", "Features", "measure"]
