"""The feature matrix of a page: one row per block, one named column per feature."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import fill, scan
from tamis.features.ancestors import measure_ancestors
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.declarations import measure_declarations
from tamis.features.element_names import ElementNames, read_element_names
from tamis.features.schema import COLUMN, LOG_RANGES, LONG_BLOCK, MAX_DISTANCE, MIN_TEMPLATE, NAMES
from tamis.features.structure import measure_articles, measure_structure
from tamis.features.text import json_ld_texts, measure_text
from tamis.html import tags
from tamis.page import Page

_POSITIONS: Final = fill.PositionColumns(COLUMN)
_CURRENCY_SIGNS: Final = "$€£¥₹"
_HEADING_LEVEL: Final = np.array(
    [int(name[1]) if tags.HEADING[tag] else 0 for tag, name in enumerate(tags.NAMES)], dtype=np.uint8
)


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a page's blocks.

    Attributes:
        matrix: blocks by features, with the columns of `tamis.features.schema`.
        size: the estimated number of words of each block, comparable across scripts.
    """

    matrix: Floats
    size: npt.NDArray[np.float64]

    def column(self, name: str) -> Floats:
        """Return one feature of all blocks."""
        return self.matrix[:, COLUMN[name]]


def measure(page: Page, names: ElementNames | None = None) -> Features:
    """Compute the features of every block of a page; `names` are those of its elements, if they were read before.

    >>> from tamis.page import parse_page
    >>> features = measure(parse_page("<nav><a href=/>Home</a></nav><p>A sentence, and one more. Here.</p>"))
    >>> features.matrix.shape == (2, len(NAMES))
    True
    >>> features.column("link_share").tolist()
    [1.0, 0.0]
    """
    blocks = page.blocks
    if not len(blocks):
        return Features(np.zeros((0, len(NAMES)), dtype=np.float32), np.zeros(0))
    out = np.zeros((len(NAMES), len(blocks)), dtype=np.float32)  # transposed: the loops fill one feature at a time
    json_ld = json_ld_texts(page)
    stats = measure_text(page, json_ld, out)
    names = names or read_element_names(page)
    measure_ancestors(page, stats, names, out)
    measure_structure(page, stats, out)
    heading_level = _HEADING_LEVEL[page.tag[blocks.container]]
    fill.fill_positions(out, _POSITIONS, stats.size, heading_level, _title_match(page), MAX_DISTANCE)
    measure_articles(page, stats, out)
    measure_declarations(page, names.item_types, json_ld, out)
    _measure_page(page, stats, heading_level, out)
    for first, last in LOG_RANGES:
        part = out[first:last]
        np.log(np.add(part, 1, out=part), out=part)
    return Features(out.T, stats.size.astype(np.float64))


def _title_match(page: Page) -> Floats:
    """Return how much of the page's title each block repeats; only blocks of about its length count."""
    blocks = page.blocks
    rows = page.rows_of("title")
    title = page.row_text(int(rows[0])) if len(rows) else ""
    if not title.strip():
        return np.zeros(len(blocks), dtype=np.float32)
    overlap = scan.title_overlap(page.text, page.offset[blocks.start], page.offset[blocks.stop], title)
    return np.frombuffer(overlap, dtype=np.float32)


def _measure_page(page: Page, stats: BlockStats, heading_level: npt.NDArray[np.uint8], out: Floats) -> None:
    """Fill the columns of page features, which have the same value for each block."""
    total, chars, link_chars, stops, in_paragraphs, in_long, in_templates, linked_headings = fill.page_sums(
        (stats.size, stats.nonspace, stats.link_nonspace, stats.stops),
        (heading_level, out[COLUMN["all_links"]], out[COLUMN["template_blocks"]]),
        page.tag[page.blocks.container],
        (tags.IDS["p"], LONG_BLOCK, MIN_TEMPLATE),
    )
    total = max(total, 1.0)
    values = {
        "page_blocks": len(stats.size),
        "page_size": total,
        "page_h2": page.tag_count("h2"),
        "page_images": page.tag_count("img"),
        "page_forms": page.tag_count("form"),
        "page_list_items": page.tag_count("li"),
        "page_cells": page.tag_count("td"),
        "page_h3": page.tag_count("h3"),
        "page_articles": page.tag_count("article"),
        "page_times": page.tag_count("time"),
        "page_code": page.tag_count("pre"),
        "page_linked_headings": linked_headings,
        "page_prices": sum(map(page.text.count, _CURRENCY_SIGNS)),
        "page_h1": min(page.tag_count("h1"), 3),
        "page_link_share": link_chars / chars,
        "page_paragraph_share": in_paragraphs / total,
        "page_stop_rate": stops / total,
        "page_long_share": in_long / total,
        "page_template_share": in_templates / total,
    }
    out[[COLUMN[name] for name in values]] = np.array([*values.values()], dtype=np.float32)[:, None]
