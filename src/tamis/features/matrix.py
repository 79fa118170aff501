"""The feature matrix of a page: one row a block, one named column a feature."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import fill, scan
from tamis.features import ancestors as around
from tamis.features import structure
from tamis.features import text as own
from tamis.features.block_stats import BlockStats, Floats
from tamis.html import tags
from tamis.page import Page

_PLACE: Final = (
    "since_heading", "since_title", "block_place", "text_place", "heading_above", "h1_seen", "after_h1", "from_h1",
    "title_match", "title_seen", "after_title", "from_title",
)  # fmt: skip
_PAGE: Final = (
    "page_blocks", "page_size", "page_h2", "page_images", "page_forms", "page_lists", "page_tables",
    "page_h1", "page_link_share", "page_prose", "page_stops", "page_long",
)  # fmt: skip
NAMES: Final[tuple[str, ...]] = (*own.NAMES, *around.NAMES, *structure.NAMES, *_PLACE, *_PAGE)
_OWN: Final = len(own.NAMES)
_AROUND: Final = _OWN + len(around.NAMES)
_STRUCTURE: Final = _AROUND + len(structure.NAMES)
_PLACES: Final = _STRUCTURE + len(_PLACE)
#: The features that are counts, of which the matrix holds the logarithms, by their beginnings and ends.
_LOGARITHMS: Final = (
    *own.LOGARITHMS,
    *((_AROUND + first, _AROUND + last) for first, last in structure.LOGARITHMS),
    (_STRUCTURE, _STRUCTURE + 2),
    (_PLACES, _PLACES + 7),
)
_FAR: Final = 60  # blocks: farther from a heading is just far
_PARAGRAPH: Final = 30  # words
_LEVEL: Final = np.array(
    [int(name[1]) if tags.HEADING[number] else 0 for number, name in enumerate(tags.NAMES)], dtype=np.uint8
)


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a page's blocks.

    Attributes:
        matrix: blocks by features, columns as in `NAMES`.
        size: the size of each block in words, whatever its script.
    """

    matrix: Floats
    size: npt.NDArray[np.float64]


def measure(page: Page) -> Features:
    """Measure every block of a page.

    >>> from tamis.page import parse_page
    >>> found = measure(parse_page("<nav><a href=/>Home</a></nav><p>A sentence, and one more. Here.</p>"))
    >>> found.matrix.shape == (2, len(NAMES))
    True
    """
    blocks = page.blocks
    if not len(blocks):
        return Features(np.zeros((0, len(NAMES)), dtype=np.float32), np.zeros(0))
    out = np.empty((len(NAMES), len(blocks)), dtype=np.float32)  # a feature a row
    stats = own.measure_own(page, out[:_OWN])
    around.measure_around(page, stats, out[_OWN:_AROUND])
    structure.measure_structure(page, stats, out[_AROUND:_STRUCTURE])
    level = _LEVEL[page.tag[blocks.container]]
    fill.fill_positions(out[_STRUCTURE:_PLACES], stats.size, level, _title_match(page), _FAR)
    _measure_page(page, stats, out[_PLACES:])
    for first, last in _LOGARITHMS:
        part = out[first:last]
        np.log(np.add(part, 1, out=part), out=part)
    return Features(out.T, stats.size.astype(np.float64))


def _title_match(page: Page) -> Floats:
    """Return how much each block of about its length says what the page's title says."""
    blocks = page.blocks
    rows = page.rows_of("title")
    title = page.row_text(int(rows[0])) if len(rows) else ""
    if not title.strip():
        return np.zeros(len(blocks), dtype=np.float32)
    found = scan.title_overlap(page.text, page.offset[blocks.start], page.offset[blocks.stop], title)
    return np.frombuffer(found, dtype=np.float32)


def _measure_page(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill in what the page is like as a whole, the same for each block."""
    size, total = stats.size, stats.total
    prose = page.tag[page.blocks.container] == tags.IDS["p"]
    ink = float(stats.nonspace.sum())
    values = (
        len(size),
        total,
        *(page.tag_count(name) for name in ("h2", "img", "form", "li", "td")),
        min(page.tag_count("h1"), 3),
        float(stats.link_nonspace.sum()) / ink,
        float(size[prose].sum()) / total,
        float(stats.stops.sum()) / total,
        float(size[size > _PARAGRAPH].sum()) / total,
    )
    out[:] = np.array(values, dtype=np.float32)[:, None]
