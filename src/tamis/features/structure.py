"""The shape of the tree around a block: totals at several heights, and structures that repeat.

Heights are counted in elements that matter: from a block up to the next element that holds more blocks than the one
before. Wrappers that add nothing are stepped over, so the same content looks the same however deep it is wrapped.
"""

from typing import Final

from tamis._kernels.loader import fill, similar
from tamis.features.block_stats import BlockStats, Floats
from tamis.html import tags
from tamis.page import Page

HEIGHTS: Final = 5
#: At each height: counts, of which the matrix holds the logarithms, then shares.
_COUNTS: Final = ("size", "blocks", "mean_size", "density", "twins")
_SHARES: Final = ("share", "link_share", "stops", "place", "paragraphs")
_HEIGHTED: Final = tuple(f"{name}@{height}" for name in (*_COUNTS, *_SHARES) for height in range(HEIGHTS))
_TEMPLATE: Final = ("template", "template_size", "template_link")
_BESIDE: Final = ("before_prose", "after_prose", "in_prose", "height_to_prose", "prose_share")
NAMES: Final = (*_HEIGHTED, *_TEMPLATE, *_BESIDE, "depth")
_TEMPLATES: Final = len(_HEIGHTED)
_BESIDES: Final = _TEMPLATES + len(_TEMPLATE)
_DEPTH: Final = _BESIDES + len(_BESIDE)
#: The rows of counts, by their beginnings and ends.
LOGARITHMS: Final = ((0, len(_COUNTS) * HEIGHTS), (_TEMPLATES, _TEMPLATES + 2), (_BESIDES, _BESIDES + 2))
_PROSE: Final = tags.tag_mask("p blockquote pre").tobytes()


def measure_structure(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill the rows of `NAMES` for the blocks of a page (the logarithms are taken later, all at once)."""
    blocks, size, ink, link_ink, stops = page.blocks, stats.size, stats.nonspace, stats.link_nonspace, stats.stops
    looks = (stats.class_ids, page.tag)
    head_of, is_head, elements = fill.find_branch_points(
        page.parent, page.end, stats.begun, page.node_type, page.body
    )
    above = fill.fill_ancestor_levels(
        out[:_TEMPLATES],
        (blocks.container,),
        (page.parent, page.end, stats.begun, elements),
        (head_of, similar.count_similar_siblings(page.parent, looks, is_head)),
        (size, ink, link_ink, stops, page.tag, _PROSE),
        page.body,
    )
    similar.fill_templates(out[_TEMPLATES:_BESIDES], looks, page.parent, blocks.container, (size, ink, link_ink))
    fill.fill_prose(out[_BESIDES:_DEPTH], above, page.end, stats.begun, (size, ink, link_ink, stops))
    out[_DEPTH] = page.depth[blocks.container]
