"""The shape of the tree around a block: totals at several heights, and structures that repeat.

Heights are counted in elements that matter: from a block up to the next element that holds more blocks than the one
before. Wrappers that add nothing are stepped over, so the same content looks the same however deep it is wrapped.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.page import Page, tags
from tamis.page.sums import nearest, prefix

Floats = npt.NDArray[np.float32]

HEIGHTS: Final = 5
_AT_HEIGHT: Final = (
    "size", "share", "link_share", "blocks", "mean_size", "stops", "place", "density", "twins", "paragraphs",
)  # fmt: skip
NAMES: Final = (
    "depth",
    *(f"{name}@{height}" for name in _AT_HEIGHT for height in range(HEIGHTS)),
    "in_prose", "before_prose", "after_prose", "height_to_prose", "prose_share",
    "template", "template_size", "template_link",
)  # fmt: skip
_PROSE: Final = tags.table("p blockquote pre")


def measure_structure(
    page: Page,
    size: npt.NDArray[np.float64],
    ink: npt.NDArray[np.float64],
    link_ink: npt.NDArray[np.float64],
    stops: npt.NDArray[np.float64],
) -> Floats:
    """Return the columns of `NAMES` for each block."""
    blocks = page.blocks
    count = len(blocks)
    at_row = prefix(np.bincount(blocks.start, minlength=len(page)))
    heads, head_of = _heads(page, at_row)
    signature = _signatures(page)
    rows = np.empty((HEIGHTS, count), dtype=np.int64)
    rows[0] = np.maximum(head_of[blocks.host], page.body)
    for height in range(1, HEIGHTS):
        above = np.maximum(page.parent[rows[height - 1]], page.body)
        rows[height] = np.maximum(head_of[above], page.body)

    first, last = at_row[rows], at_row[page.end[rows]]
    number = np.maximum(last - first, 1)
    prose = np.where(_PROSE[page.tag[blocks.host]], size, 0.0)
    sums = np.zeros((5, count + 1))
    np.cumsum([size, ink, link_ink, stops, prose], axis=1, out=sums[:, 1:])
    here_size, here_ink, here_link, here_stops, here_prose = sums[:, last] - sums[:, first]
    tag_count = prefix(page.is_element)
    tags_here = np.maximum(tag_count[page.end[rows]] - tag_count[rows], 1)
    out = np.empty((len(NAMES), count), dtype=np.float32)
    out[0] = page.depth[blocks.host] / 10.0
    columns: list[npt.NDArray[Any]] = [
        np.log1p(here_size),
        here_size / max(float(size.sum()), 1.0),
        here_link / np.maximum(here_ink, 1),
        np.log1p(number),
        np.log1p(here_size / number),
        here_stops / (here_size + 1),
        (np.arange(count) - first) / number,
        np.log1p(here_ink / tags_here),
        np.log1p(_twins(page, heads, signature)[rows]),
        here_prose / np.maximum(here_size, 1),
    ]
    for place, column in enumerate(columns):
        out[1 + place * HEIGHTS : 1 + (place + 1) * HEIGHTS] = column
    out[-8:-3] = _beside_prose(page, rows, at_row, size * (1 - link_ink / np.maximum(ink, 1)) * (stops > 0))
    out[-3:] = _templates(page, signature, size, link_ink, ink)
    return out.T


def _beside_prose(
    page: Page, rows: npt.NDArray[np.int64], at_row: npt.NDArray[Any], prose: npt.NDArray[np.float64]
) -> list[npt.NDArray[Any]]:
    """Return where each block stands to the element that holds the most prose.

    As readers of articles have long found it: every block of sentences speaks for the element around it, and half as
    much for the one around that.
    """
    count = rows.shape[1]
    score = np.bincount(rows[1], weights=prose, minlength=len(page)).astype(np.float64)
    score = score + 0.5 * np.bincount(rows[2], weights=prose, minlength=len(page))
    main = int(np.argmax(score))
    first, last = int(at_row[main]), int(at_row[page.end[main]])
    index = np.arange(count)
    holds = (rows <= main) & (page.end[rows] > main)
    height = np.where(holds.any(axis=0), np.argmax(holds, axis=0), HEIGHTS)
    within = (index >= first) & (index < last)
    share = float(prose[within].sum()) / max(float(prose.sum()), 1.0)
    return [
        within,
        np.log1p(np.maximum(first - index, 0)) / 3,
        np.log1p(np.maximum(index - last + 1, 0)) / 3,
        height / HEIGHTS,
        np.full(count, share),
    ]


def _heads(page: Page, at_row: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the elements whose parents hold more blocks than they do, and for each row the one it stands in."""
    holds = at_row[page.end] - at_row[: len(page)]
    outer = page.is_element & (holds > 0) & (holds[page.parent] > holds)
    outer[page.body] = True
    heads = np.flatnonzero(outer)
    return heads, nearest(page.end, heads)


def _signatures(page: Page) -> npt.NDArray[np.int64]:
    """Return a number for each row's tag and class: equal numbers are equal looks."""
    return page.looks[0] * len(tags.NAMES) + page.tag


def _twins(page: Page, heads: npt.NDArray[np.int64], signature: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count for each head how many siblings look like it: items of a list, posts of a thread."""
    out = np.zeros(len(page), dtype=np.int64)
    key = page.parent[heads].astype(np.int64) * (int(signature.max(initial=0)) + 1) + signature[heads]
    _, group, count = np.unique(key, return_inverse=True, return_counts=True)
    out[heads] = count[group] - 1
    return out


def _templates(
    page: Page,
    signature: npt.NDArray[np.int64],
    size: npt.NDArray[np.float64],
    link_ink: npt.NDArray[np.float64],
    ink: npt.NDArray[np.float64],
) -> list[npt.NDArray[np.float64]]:
    """Return how many blocks stand in the same look of three elements, and what those blocks are like."""
    host = page.blocks.host
    up = page.parent[host]
    many = int(signature.max(initial=0)) + 1
    _, pair = np.unique(signature[host] * many + signature[up], return_inverse=True)
    _, group = np.unique(pair * many + signature[page.parent[up]], return_inverse=True)
    count = np.bincount(group)
    mean_size = np.bincount(group, weights=size) / count
    link = np.bincount(group, weights=link_ink) / np.maximum(np.bincount(group, weights=ink), 1)
    return [np.log1p(count[group]), np.log1p(mean_size[group]), link[group]]
