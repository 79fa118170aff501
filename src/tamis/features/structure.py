"""Features of the tree around a block: totals of its ancestors at several levels, and structures that repeat.

Levels count branch points: from a block up to the next element that contains more blocks than the one before.
Wrappers that add nothing are skipped, so the same content has the same features however deep it is wrapped.
"""

from typing import Final

import numpy as np

from tamis._kernels.loader import levels, similar
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.schema import COLUMN, CONTAINERS
from tamis.html import tags
from tamis.page import Page

_LEVELS: Final = levels.LevelColumns(COLUMN)
_PROSE: Final = levels.ProseColumns(COLUMN)
_CONTAINERS: Final = slice(COLUMN["container:p"], COLUMN["container:p"] + len(CONTAINERS))
_BODY_DEPTH: Final = 2  #: below the document and the html element
_MAX_ARTICLES: Final = 200  #: article elements that are looked at: a page of more is a list whatever they contain


def measure_structure(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill the columns of levels, templates, prose and depth, before logarithms."""
    container = page.blocks.container
    block_stats = (stats.size, stats.nonspace, stats.link_nonspace, stats.stops)
    signature = (stats.class_ids, page.tag)
    root = _common_ancestor(page, stats)
    branch_point, is_branch_point, elements_before = levels.find_branch_points(
        page.parent, page.end, stats.first_block, page.node_type, page.tag, root
    )
    level_rows = levels.fill_levels(
        out,
        _LEVELS,
        container,
        (page.tag, page.parent, page.end, stats.first_block, elements_before),
        (branch_point, similar.count_similar_siblings(page.parent, signature, is_branch_point)),
        block_stats,
        root,
    )
    levels.fill_prose(out, _PROSE, level_rows, (page.end, stats.first_block), block_stats)
    template_blocks, template_size, template_link_share = similar.count_templates(
        signature, page.parent, container, block_stats[:3]
    )
    out[COLUMN["template_blocks"]] = template_blocks
    out[COLUMN["template_size"]] = template_size
    out[COLUMN["template_link_share"]] = template_link_share
    out[COLUMN["depth"]] = page.depth[container] - page.depth[root] + _BODY_DEPTH
    if page.tag[root] == tags.IDS["div"]:
        directly = container == root
        out[_CONTAINERS, directly] = 0
        out[COLUMN["container:body"], directly] = 1


def _common_ancestor(page: Page, stats: BlockStats) -> int:
    """Return the innermost element that contains all blocks.

    It takes the place of the body, so that an element more around the page changes no feature.
    """
    row = int(page.blocks.container[0])
    while row > page.body and (stats.first_block[row] > 0 or stats.last_block[row] < len(stats.size)):
        row = int(page.parent[row])
    return row


def measure_articles(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill the columns of ``article`` elements, which are zero before. A page of teasers has several of one size."""
    if not page.tag_count("article"):
        return
    rows = page.rows_of("article")[:_MAX_ARTICLES]
    first, last = stats.first_block[rows], stats.last_block[rows]
    sums = np.concatenate(([0.0], np.cumsum(stats.size, dtype=np.float64)))
    size = sums[last] - sums[first]
    largest = max(float(size.max()), 1.0)
    innermost = np.full(len(stats.size), -1)
    for number, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        innermost[begin:end] = number
    inside = innermost >= 0
    out[COLUMN["article_share"], inside] = size[innermost[inside]] / largest
    out[COLUMN["article_number"], inside] = innermost[inside] + 1
