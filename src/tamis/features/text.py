"""What a block's own text says: its length, its characters, its links, how it begins and ends.

Every measure is a count of kinds of characters, so it means the same in every script. `size` stands for a number of
words: runs of alphabetic script by their characters, ideographs by themselves.
"""

from typing import Final

import numpy as np

from tamis._kernels.loader import fill, similar, walk
from tamis.features.block_stats import BlockStats, Floats
from tamis.html import tags
from tamis.page import Page

#: Characters a word, roughly: alphabetic scripts with the space left out, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
NAMES: Final = (
    "size", "words", "fragments", "links", "breaks", "images", "fields", "repeats",
    "link_share", "stops", "commas", "punctuation", "digits", "upper", "symbols", "wide", "word_length",
    "begins_upper", "begins_digit", "begins_mark", "ends_stop", "ends_mark", "all_link", "short", "bold_share",
    "told", "echo",
)  # fmt: skip
#: The rows of counts, of which the matrix holds the logarithms.
LOGARITHMS: Final = ((0, NAMES.index("repeats") + 1),)
_REPEATS: Final = NAMES.index("repeats")
_TOLD, _ECHO = NAMES.index("told"), NAMES.index("echo")
_COUNTED: Final = ("a", "br", "img", "input button select textarea label option", "b strong")
#: For each tag: whether it is a link, a line break, a picture, a field, or bold; a bit each.
_MEANING: Final = bytes(
    sum(int(tags.tag_mask(names)[number]) << bit for bit, names in enumerate(_COUNTED))
    for number in range(len(tags.NAMES))
)
_REPEATABLE: Final = 60  # characters: longer texts hardly ever repeat
_QUOTED: Final = 32  # characters of a block's beginning that are looked for in what the page tells of itself


def measure_own(page: Page, out: Floats) -> BlockStats:
    """Fill the rows of `NAMES` for the blocks of a page (the logarithms are taken later, all at once)."""
    blocks, tally = page.blocks, page.char_counts
    measures = fill.fill_text(
        out,
        (blocks.start, blocks.stop, blocks.rows, blocks.first),
        (tally.by_class, tally.words, tally.nonspace, tally.first_class, tally.last_class, ALPHABETIC, IDEOGRAPHIC),
        (page.tag, page.parent, page.link.view(np.uint8), _MEANING),
    )
    starts, stops = page.offset.take(blocks.start), page.offset.take(blocks.stop)
    repeats, echoes, told = similar.find_repeats(page.text, starts, stops, _REPEATABLE, _record(page), _QUOTED)
    out[_REPEATS], out[_ECHO], out[_TOLD] = repeats, echoes, told
    size, ink, link_ink, ends = (np.frombuffer(column, dtype=np.float32) for column in measures)
    begun, until, holds = fill.block_ranges(blocks.start, page.end, page.node_type)
    looks, classes = walk.class_ids(page.nodes, holds)
    return BlockStats(
        size,
        ink,
        link_ink,
        ends,
        np.frombuffer(begun, dtype=np.int32),
        np.frombuffer(until, dtype=np.int32),
        np.frombuffer(holds, dtype=np.uint8),
        np.frombuffer(looks, dtype=np.int32),
        tuple(classes),
    )


def _record(page: Page) -> str:
    """Return what the page tells of itself: its description, and its structured data as written.

    What stands there is what the page is about. The raw text is searched, for that needs no parsing.
    """
    nodes, end = page.nodes, page.end
    said = walk.attr_values(nodes, page.rows_of("meta").tolist(), "content")
    said += [
        nodes[row + 1].data
        for row in page.rows_of("script").tolist()
        if nodes[row].attr("type") == "application/ld+json" and end[row] > row + 1
    ]
    return "\n".join(value for value in said if len(value) >= _QUOTED)
