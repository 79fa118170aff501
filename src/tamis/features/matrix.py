"""The feature matrix of a page: one row a block, one named column a feature."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.features import around, own, structure
from tamis.page import Page, characters, tags

Floats = npt.NDArray[np.float32]

_PLACE: Final = (
    "block_place", "text_place", "title_match", "after_h1", "from_h1", "h1_seen", "heading_above", "since_heading",
    "after_title", "from_title", "since_title", "title_seen",
)  # fmt: skip
_PAGE: Final = (
    "page_blocks", "page_size", "page_link_share", "page_prose", "page_stops", "page_h1", "page_h2", "page_images",
    "page_forms", "page_lists", "page_tables", "page_long", "page_wide",
)  # fmt: skip
NAMES: Final[tuple[str, ...]] = (*own.NAMES, *around.NAMES, *structure.NAMES, *_PLACE, *_PAGE)


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
    counts = own.character_counts(page)
    size = own.sizes(counts)
    ink = counts.sum(axis=1) - counts[:, characters.SPACE]
    link_ink = blocks.sum(np.where(page.link, page.ink, 0))
    stops = counts[:, characters.STOP]
    matrix = np.concatenate(
        [
            own.measure_own(page, counts, size, link_ink),
            around.measure_around(page),
            structure.measure_structure(page, size, ink, link_ink, stops),
            _places(page, size),
            _page(page, counts, size, ink, link_ink),
        ],
        axis=1,
    )
    return Features(matrix, size)


def _places(page: Page, size: npt.NDArray[np.float64]) -> Floats:
    """Return where each block stands on the page and after its headings."""
    blocks = page.blocks
    count = len(blocks)
    index = np.arange(count)
    before = np.cumsum(size) - size
    host_tag = page.tag[blocks.host]
    heading = tags.HEADING[host_tag]
    is_h1 = host_tag == tags.IDS["h1"]
    h1 = int(np.argmax(is_h1)) if is_h1.any() else -1
    last_heading = np.maximum.accumulate(np.where(heading, index, -1))
    level = np.where(last_heading >= 0, host_tag[np.maximum(last_heading, 0)] - tags.IDS["h1"] + 1, 0)
    since = before - before[np.maximum(last_heading, 0)]
    match = _title_match(page)
    title = int(np.argmax(match)) if match.any() else -1
    columns: list[npt.NDArray[Any]] = [
        index / count,
        before / max(float(size.sum()), 1.0),
        match,
        index > h1 if h1 >= 0 else np.zeros(count),
        np.clip((index - h1) / 20, -3, 3) if h1 >= 0 else np.zeros(count),
        np.full(count, float(h1 >= 0)),
        level / 6,
        np.log1p(np.maximum(since, 0)) / 3,
        index > title if title >= 0 else np.zeros(count),
        np.clip((index - title) / 20, -3, 3) if title >= 0 else np.zeros(count),
        np.log1p(np.maximum(before - before[max(title, 0)], 0)) / 3,
        np.full(count, match.max()),
    ]
    return np.column_stack(columns).astype(np.float32)


def _title_match(page: Page) -> npt.NDArray[np.float64]:
    """Return how much each block of about its length says what the page's title says."""
    blocks = page.blocks
    out = np.zeros(len(blocks))
    rows = page.rows_of("title")
    title = set(page.row_text(int(rows[0])).casefold().split()) if len(rows) else set()
    if not title:
        return out
    length = len(page.row_text(int(rows[0])))
    starts, stops = page.offset[blocks.start], page.offset[blocks.stop]
    near = (stops - starts <= 2 * length + 40) & (stops - starts >= length // 4)
    for block in np.flatnonzero(near).tolist():
        words = set(page.text[starts[block] : stops[block]].casefold().split())
        common = len(words & title)
        if common:
            out[block] = 2 * common / (len(words) + len(title))
    return out


def _page(
    page: Page,
    counts: npt.NDArray[np.float64],
    size: npt.NDArray[np.float64],
    ink: npt.NDArray[np.float64],
    link_ink: npt.NDArray[np.float64],
) -> Floats:
    """Return what the page is like as a whole, the same for each block."""
    blocks = page.blocks
    total = max(float(size.sum()), 1.0)
    host_tag = page.tag[blocks.host]
    number = np.bincount(page.tag, minlength=len(tags.NAMES))
    prose = float(size[host_tag == tags.IDS["p"]].sum())
    values = (
        np.log1p(len(blocks)) / 5,
        np.log1p(total) / 5,
        float(link_ink.sum()) / max(float(ink.sum()), 1.0),
        prose / total,
        10 * float(counts[:, characters.STOP].sum()) / total,
        min(int(number[tags.IDS["h1"]]), 3),
        np.log1p(number[tags.IDS["h2"]]) / 3,
        np.log1p(number[tags.IDS["img"]]) / 3,
        np.log1p(number[tags.IDS["form"]]),
        np.log1p(number[tags.IDS["li"]]) / 4,
        np.log1p(number[tags.IDS["td"]]) / 4,
        float(size[size > 30].sum()) / total,  # noqa: PLR2004 (words: a paragraph)
        float(counts[:, characters.WIDE].sum()) / max(float(ink.sum()), 1.0),
    )
    return np.tile(np.array(values, dtype=np.float32), (len(blocks), 1))
