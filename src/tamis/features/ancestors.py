"""Features of the elements above a block: its container, the tags of its ancestors, and what their names say."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import scan
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.element_names import ElementNames
from tamis.features.name_categories import NAME_CATEGORIES
from tamis.features.schema import ANCESTORS, COLUMN, CONTAINERS, MAX_ANCESTORS, NEAR_BLOCKS
from tamis.html import tags
from tamis.page import Page


def _tag_columns(families: tuple[str, ...], prefix: str) -> npt.NDArray[np.int32]:
    """Return the column of each tag: that of its family, or -1."""
    columns = np.full(len(tags.NAMES), -1, dtype=np.int32)
    for family in families:
        names = family.split()
        for name in names:
            columns[tags.IDS[name]] = COLUMN[f"{prefix}:{names[0]}"]
    return columns


_COLUMNS: Final = (
    _tag_columns(CONTAINERS, "container"),
    _tag_columns(ANCESTORS, "ancestor"),
    np.array([COLUMN[f"near:{category}"] for category in NAME_CATEGORIES], dtype=np.int32),
    np.array([COLUMN[f"far:{category}"] for category in NAME_CATEGORIES], dtype=np.int32),
)


def measure_ancestors(page: Page, stats: BlockStats, names: ElementNames, out: Floats) -> None:
    """Fill the columns of containers, ancestors and name categories, which are zero before."""
    scan.fill_ancestors(
        out,
        _COLUMNS,
        page.blocks.container,
        (page.tag, stats.first_block, stats.last_block),
        (names.named, names.name_of, names.first, names.categories),
        (NEAR_BLOCKS, MAX_ANCESTORS),
    )
