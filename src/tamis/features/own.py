"""What a block's own text says: its length, its characters, its links, how it begins and ends.

Every measure is a count of kinds of characters, so it means the same in every script. `size` stands for a number of
words: runs of alphabetic script by their characters, ideographs by themselves.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.page import Page, characters, tags
from tamis.page.sums import prefix

Floats = npt.NDArray[np.float32]

#: Characters a word, roughly: alphabetic scripts with the space left out, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
_KINDS: Final = 11  # of characters, see tamis.page.characters

NAMES: Final = (
    "size", "words", "link_share", "links", "fragments", "breaks", "stops", "commas", "punctuation", "digits",
    "upper", "symbols", "wide", "word_length", "begins_upper", "begins_digit", "begins_mark", "ends_stop",
    "ends_mark", "all_link", "short", "bold_share", "images", "fields", "repeats", "told",
)  # fmt: skip
_COUNTED: Final = ("a", "br", "img")
_FIELDS: Final = tags.table("input button select textarea label option")
_BOLD: Final = tags.table("b strong")
_REPEATABLE: Final = 60  # characters: longer texts hardly ever repeat
_QUOTED: Final = 32  # characters of a block's beginning that are looked for in what the page tells of itself


def character_counts(page: Page) -> npt.NDArray[np.float64]:
    """Return how many characters of each kind each block has."""
    blocks = page.blocks
    block_of = np.repeat(blocks.of, np.diff(page.offset))
    mine = block_of >= 0
    keys = block_of[mine] * np.int32(_KINDS) + page.classes[mine]
    return np.bincount(keys, minlength=len(blocks) * _KINDS).reshape(len(blocks), _KINDS).astype(np.float64)


def sizes(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the size of each block in words, whatever its script."""
    wide = counts[:, characters.WIDE]
    ink = counts.sum(axis=1) - counts[:, characters.SPACE] - wide
    return np.asarray(ink / ALPHABETIC + wide / IDEOGRAPHIC)


def measure_own(
    page: Page,
    counts: npt.NDArray[np.float64],
    size: npt.NDArray[np.float64],
    link_ink: npt.NDArray[np.float64],
) -> Floats:
    """Return the columns of `NAMES` for each block."""
    blocks = page.blocks
    ink = np.maximum(counts.sum(axis=1) - counts[:, characters.SPACE], 1)
    words = blocks.sum(page.words)
    first, last = _edges(page)
    links, breaks, images, fields = _elements_within(page)
    shares = counts / ink[:, None]
    repeats, told = _texts(page)
    columns: list[npt.NDArray[Any]] = [
        np.log1p(size),
        np.log1p(words),
        link_ink / ink,
        np.log1p(links),
        np.log1p(np.diff(blocks.first, append=len(blocks.rows))),
        np.log1p(breaks),
        counts[:, characters.STOP] / (size + 1),
        counts[:, characters.COMMA] / (size + 1),
        shares[:, characters.PUNCTUATION],
        shares[:, characters.DIGIT],
        shares[:, characters.UPPER],
        shares[:, characters.SYMBOL],
        shares[:, characters.WIDE],
        np.minimum(ink / np.maximum(words, 1), 30) / 10,
        first == characters.UPPER,
        first == characters.DIGIT,
        first >= characters.STOP,
        last == characters.STOP,
        last > characters.STOP,
        link_ink >= 0.9 * ink,  # a link and the marks around it
        size < 4,  # noqa: PLR2004 (words)
        blocks.sum(np.where(_BOLD[page.tag[page.parent]], page.ink, 0)) / ink,
        np.log1p(images),
        np.log1p(fields),
        np.log1p(repeats),
        told,
    ]
    return np.array(columns, dtype=np.float32).T


def _edges(page: Page) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the kind of the first and of the last character of each block that is not white space."""
    blocks = page.blocks
    dark = np.flatnonzero(page.classes != characters.SPACE)
    first = np.searchsorted(dark, page.offset[blocks.start])
    last = np.searchsorted(dark, page.offset[blocks.stop]) - 1
    kinds = page.classes[dark]
    return kinds[np.minimum(first, len(dark) - 1)], kinds[np.maximum(last, 0)]


def _elements_within(page: Page) -> list[npt.NDArray[np.int64]]:
    """Count links, line breaks, images and fields within the rows of each block."""
    blocks = page.blocks
    begin = np.maximum(blocks.start - 1, 0)  # with the element that opens right before the text
    out = []
    for wanted in (*(page.tag == tags.IDS[name] for name in _COUNTED), _FIELDS[page.tag]):
        sums = prefix(wanted)
        out.append(sums[blocks.stop] - sums[begin])
    return out


def _texts(page: Page) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how often the same short text comes again, and which texts the page's own record repeats.

    Menus, labels and buttons come again and again. What stands in the description for search engines, or in the
    structured data, is what the page is about; its raw text is searched, for that needs no parsing.
    """
    blocks = page.blocks
    repeats, told = np.zeros(len(blocks)), np.zeros(len(blocks))
    seen: dict[str, list[int]] = {}
    record = _record(page)
    text = page.text
    starts, stops = page.offset[blocks.start].tolist(), page.offset[blocks.stop].tolist()
    for block, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        if stop - start <= _REPEATABLE:
            seen.setdefault(text[start:stop].strip(), []).append(block)
        elif record and text[start : start + 3 * _QUOTED].lstrip()[:_QUOTED] in record:
            told[block] = 1.0
    for group in seen.values():
        if len(group) > 1:
            repeats[group] = len(group) - 1
    return repeats, told


def _record(page: Page) -> str:
    """Return what the page tells of itself: its description, and its structured data as written."""
    said = [page.nodes[row].attr("content") or "" for row in page.rows_of("meta").tolist()]
    said += [
        page.nodes[row + 1].data
        for row in page.rows_of("script").tolist()
        if page.end[row] > row + 1 and page.nodes[row].attr("type") == "application/ld+json"
    ]
    return "\n".join(value for value in said if len(value) >= _QUOTED)
