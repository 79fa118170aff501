"""Features of a block's own text: its length, its characters, its links, how it begins and ends.

Every measure counts character classes, so that it means the same in every script. `size` estimates a number of
words: from the characters of alphabetic scripts, and from the ideographs of the others.
"""

from typing import Final

import numpy as np

from tamis._kernels.loader import fill, similar, walk
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.schema import COLUMN
from tamis.page import Page

#: Characters per word, roughly: alphabetic scripts without the space, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
#: The longest text, in characters, that repeats are counted of: longer texts hardly ever repeat.
MAX_LABEL: Final = 60
#: Characters of a block's beginning or end that are looked for in the metadata and in earlier blocks.
QUOTE: Final = 32
_COLUMNS: Final = fill.TextColumns(COLUMN)


def measure_text(page: Page, json_ld: list[str], out: Floats) -> BlockStats:
    """Fill the text columns of a transposed feature matrix, before logarithms; return measures of the blocks."""
    blocks, counts = page.blocks, page.char_counts
    stats = fill.fill_text(
        out,
        _COLUMNS,
        (blocks.start, blocks.stop, blocks.rows, blocks.first),
        (
            counts.by_class, counts.words, counts.nonspace, counts.first_class, counts.last_class,
            ALPHABETIC, IDEOGRAPHIC,
        ),
        (page.tag, page.parent, page.link.view(np.uint8)),
    )  # fmt: skip
    starts, stops = page.offset.take(blocks.start), page.offset.take(blocks.stop)
    repeats, quotes_earlier, in_metadata = similar.find_repeats(
        page.text, starts, stops, MAX_LABEL, metadata_text(page, json_ld), QUOTE
    )
    out[COLUMN["repeats"]] = repeats
    out[COLUMN["quotes_earlier"]] = quotes_earlier
    out[COLUMN["in_metadata"]] = in_metadata
    if len(page.panels):
        opened = np.zeros(len(blocks) + 1)
        np.add.at(opened, np.searchsorted(blocks.start, page.panels), 1)
        np.add.at(opened, np.searchsorted(blocks.start, page.end[page.panels]), -1)
        out[COLUMN["in_panel"]] = np.cumsum(opened[:-1]) > 0
    size, nonspace, link_nonspace, sentence_ends = (np.frombuffer(column, dtype=np.float32) for column in stats)
    return BlockStats(size, nonspace, link_nonspace, sentence_ends, *page.block_ranges, page.text_classes[0])


def json_ld_texts(page: Page) -> list[str]:
    """Return the texts of the JSON-LD scripts of a page. They are searched as raw text, which needs no parsing."""
    nodes, end = page.nodes, page.end
    return [
        nodes[row + 1].data
        for row in page.rows_of("script").tolist()
        if nodes[row].attr("type") == "application/ld+json" and end[row] > row + 1
    ]


def metadata_text(page: Page, json_ld: list[str]) -> str:
    """Return the longer texts of a page's metadata: values of ``meta`` elements, and JSON-LD as written."""
    texts = walk.attr_values(page.nodes, page.rows_of("meta").tolist(), "content")
    return "\n".join(text for text in (*texts, *json_ld) if len(text) >= QUOTE)
