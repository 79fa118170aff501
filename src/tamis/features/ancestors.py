"""Features of the elements above a block: its container, the tags of its ancestors, and what their names say."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import scan, walk
from tamis._kernels.scan import word_table
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.name_categories import CATEGORY_OF, NAME_CATEGORIES
from tamis.features.schema import ANCESTORS, COLUMN, CONTAINERS, MAX_ANCESTORS, NEAR_BLOCKS
from tamis.html import tags
from tamis.page import Page

_ATTRIBUTES: Final = ("id", "role", "itemprop")  # besides class
_SELECTOR: Final = ",".join(f"[{name}]" for name in _ATTRIBUTES)
_WORDS: Final = word_table(CATEGORY_OF)


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


def measure_ancestors(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill the columns of containers, ancestors and name categories, which are zero before."""
    names = list(stats.class_names)
    elements = page.nodes[0].select(_SELECTOR)
    named, name_of = scan.read_names(
        elements, walk.rows_among(page.nodes, elements), (stats.has_blocks, stats.class_ids), _ATTRIBUTES, names
    )
    scan.fill_ancestors(
        out,
        _COLUMNS,
        page.blocks.container,
        (page.tag, stats.first_block, stats.last_block),
        (named, name_of, *scan.categorize(names, _WORDS, len(NAME_CATEGORIES))),
        (NEAR_BLOCKS, MAX_ANCESTORS),
    )
