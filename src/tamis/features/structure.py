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
    *(f"{name}@{height}" for height in range(HEIGHTS) for name in _AT_HEIGHT),
    "template", "template_size", "template_link",
)  # fmt: skip
_PROSE: Final = tags.table("p blockquote pre")


def measure_structure(
    page: Page, size: npt.NDArray[np.float64], ink: npt.NDArray[np.float64], stops: npt.NDArray[np.float64]
) -> Floats:
    """Return the columns of `NAMES` for each block."""
    blocks = page.blocks
    count = len(blocks)
    at_row = prefix(np.bincount(blocks.start, minlength=len(page)))
    holds = at_row[page.end] - at_row[: len(page)]
    heads = np.flatnonzero(page.is_element & (holds > 0) & (holds[np.maximum(page.parent, 0)] > holds))
    heads = np.union1d(heads, [page.body])
    head_of = nearest(page.end, heads)
    link_ink = blocks.sum(np.where(page.link, page.ink, 0))
    sums = {name: prefix(values) for name, values in _totals(page, size, ink, link_ink, stops).items()}
    tag_count = prefix(page.is_element)
    signature = _signatures(page)
    twins = _twins(page, heads, signature)

    total = max(float(size.sum()), 1.0)
    out: list[npt.NDArray[Any]] = [page.depth[blocks.host] / 10.0]
    row = np.maximum(head_of[blocks.host], page.body)
    for _ in range(HEIGHTS):
        first, last = at_row[row], at_row[page.end[row]]
        here = {name: column[last] - column[first] for name, column in sums.items()}
        number = np.maximum(last - first, 1)
        out += [
            np.log1p(here["size"]),
            here["size"] / total,
            here["link"] / np.maximum(here["ink"], 1),
            np.log1p(number),
            np.log1p(here["size"] / number),
            here["stops"] / (here["size"] + 1),
            (np.arange(count) - first) / number,
            np.log1p(here["ink"] / np.maximum(tag_count[page.end[row]] - tag_count[row], 1)),
            np.log1p(twins[row]),
            here["prose"] / np.maximum(here["size"], 1),
        ]
        row = np.maximum(head_of[np.maximum(page.parent[row], page.body)], page.body)
    out += _templates(page, signature, size, link_ink, ink)
    return np.column_stack(out).astype(np.float32)


def _totals(
    page: Page,
    size: npt.NDArray[np.float64],
    ink: npt.NDArray[np.float64],
    link_ink: npt.NDArray[np.float64],
    stops: npt.NDArray[np.float64],
) -> dict[str, npt.NDArray[np.float64]]:
    prose = np.where(_PROSE[page.tag[page.blocks.host]], size, 0.0)
    return {"size": size, "ink": ink, "link": link_ink, "stops": stops, "prose": prose}


def _signatures(page: Page) -> npt.NDArray[np.int64]:
    """Return a number for each row's tag and class: equal numbers are equal looks."""
    looks = np.zeros(len(page), dtype=np.int64)
    known: dict[str, int] = {}
    column = page.attribute("class")
    if column:
        looks[list(column)] = [known.setdefault(value, len(known) + 1) for value in column.values()]
    return looks * len(tags.NAMES) + page.tag


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
    top = page.parent[np.maximum(up, 0)]
    many = int(signature.max(initial=0)) + 1
    _, first = np.unique(signature[host] * many + signature[up], return_inverse=True)
    _, group = np.unique(first * many + signature[np.maximum(top, 0)], return_inverse=True)
    count = np.bincount(group)
    mean_size = np.bincount(group, weights=size) / count
    link = np.bincount(group, weights=link_ink) / np.maximum(np.bincount(group, weights=ink), 1)
    return [np.log1p(count[group]), np.log1p(mean_size[group]), link[group]]
