"""The shape of the tree around a block: totals at several heights, and structures that repeat.

Heights are counted in elements that matter: from a block up to the next element that holds more blocks than the one
before. Wrappers that add nothing are stepped over, so the same content looks the same however deep it is wrapped.
"""

from typing import Final

from tamis.features.ground import Floats, Ground
from tamis.features.loops import count_twins, fill_heights, fill_prose, fill_templates, find_heads
from tamis.page import Page, tags

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
_PROSE: Final = tags.table("p blockquote pre").tobytes()


def measure_structure(page: Page, ground: Ground, out: Floats) -> None:
    """Fill the rows of `NAMES` for the blocks of a page (the logarithms are taken later, all at once)."""
    blocks, size, ink, link_ink, stops = page.blocks, ground.size, ground.ink, ground.link_ink, ground.stops
    looks = (ground.looks, page.tag)
    head_of, is_head, elements = find_heads(page.parent, page.end, ground.begun, page.kind, page.body)
    above = fill_heights(
        out[:_TEMPLATES],
        (blocks.host,),
        (page.parent, page.end, ground.begun, elements),
        (head_of, count_twins(page.parent, looks, is_head)),
        (size, ink, link_ink, stops, page.tag, _PROSE),
        page.body,
    )
    fill_templates(out[_TEMPLATES:_BESIDES], looks, page.parent, blocks.host, (size, ink, link_ink))
    fill_prose(out[_BESIDES:_DEPTH], above, page.end, ground.begun, (size, ink, link_ink, stops))
    out[_DEPTH] = page.depth[blocks.host]
