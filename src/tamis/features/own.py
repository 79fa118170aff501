"""What a block's own text says: its length, its characters, its links, how it begins and ends.

Every measure is a count of kinds of characters, so it means the same in every script. `size` stands for a number of
words: runs of alphabetic script by their characters, ideographs by themselves.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page import Page, characters, tags
from tamis.page.sums import prefix

Floats = npt.NDArray[np.float32]

#: Characters a word, roughly: alphabetic scripts with the space left out, and Chinese, Japanese and Korean.
ALPHABETIC, IDEOGRAPHIC = 5.0, 1.7
_KINDS = 11  # of characters, see tamis.page.characters

NAMES = (
    "size", "words", "link_share", "links", "fragments", "breaks", "stops", "commas", "punctuation", "digits",
    "upper", "symbols", "wide", "word_length", "begins_upper", "begins_digit", "begins_mark", "ends_stop", "ends_mark",
    "all_link", "short", "bold_share", "images", "fields", "repeats",
)  # fmt: skip


def character_counts(page: Page) -> npt.NDArray[np.float64]:
    """Return how many characters of each kind each block has."""
    blocks = page.blocks
    lengths = np.diff(page.offset)
    block_of = np.repeat(blocks.of, lengths)
    mine = block_of >= 0
    keys = block_of[mine] * _KINDS + page.classes[mine]
    return np.bincount(keys, minlength=len(blocks) * _KINDS).reshape(len(blocks), _KINDS).astype(np.float64)


def sizes(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the size of each block in words, whatever its script."""
    wide = counts[:, characters.WIDE]
    ink = counts.sum(axis=1) - counts[:, characters.SPACE] - wide
    return np.asarray(ink / ALPHABETIC + wide / IDEOGRAPHIC)


def measure_own(page: Page, counts: npt.NDArray[np.float64], size: npt.NDArray[np.float64]) -> Floats:
    """Return the columns of `NAMES` for each block."""
    blocks = page.blocks
    ink = np.maximum(counts.sum(axis=1) - counts[:, characters.SPACE], 1)
    words = blocks.sum(page.words)
    link_ink = blocks.sum(np.where(page.link, page.ink, 0))
    first, last = _edges(page)
    tag_sums = _tag_sums(page)
    out: list[npt.NDArray[Any]] = [
        np.log1p(size),
        np.log1p(words),
        link_ink / ink,
        np.log1p(tag_sums["a"]),
        np.log1p(blocks.sum(page.is_text)),
        np.log1p(tag_sums["br"]),
        counts[:, characters.STOP] / (size + 1),
        counts[:, characters.COMMA] / (size + 1),
        counts[:, characters.PUNCTUATION] / ink,
        counts[:, characters.DIGIT] / ink,
        counts[:, characters.UPPER] / ink,
        counts[:, characters.SYMBOL] / ink,
        counts[:, characters.WIDE] / ink,
        np.minimum(ink / np.maximum(words, 1), 30) / 10,
        first == characters.UPPER,
        first == characters.DIGIT,
        (first >= characters.STOP),
        last == characters.STOP,
        last > characters.STOP,
        link_ink >= 0.9 * ink,
        size < 4,  # noqa: PLR2004 (words)
        blocks.sum(np.where(_bold(page), page.ink, 0)) / ink,
        np.log1p(tag_sums["img"]),
        np.log1p(tag_sums["input"]),
        np.log1p(_repeats(page, words)),
    ]
    return np.column_stack(out).astype(np.float32)


def _edges(page: Page) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the kind of the first and of the last character of each block that is not white space."""
    blocks = page.blocks
    dark = np.flatnonzero(page.classes != characters.SPACE)
    first = np.searchsorted(dark, page.offset[blocks.start])
    last = np.searchsorted(dark, page.offset[blocks.stop]) - 1
    kinds = page.classes[dark]
    return kinds[np.minimum(first, len(dark) - 1)], kinds[np.maximum(last, 0)]


def _tag_sums(page: Page) -> dict[str, npt.NDArray[np.int64]]:
    """Count some elements within the rows of each block."""
    blocks = page.blocks
    out = {}
    for name, wanted in (
        ("a", page.tag == tags.IDS["a"]),
        ("br", page.tag == tags.IDS["br"]),
        ("img", page.tag == tags.IDS["img"]),
        ("input", _FIELDS[page.tag]),
    ):
        sums = prefix(wanted)
        begin = np.maximum(blocks.start - 1, 0)  # the element that opens right before the text
        out[name] = sums[blocks.stop] - sums[begin]
    return out


_FIELDS = tags.table("input button select textarea label option")
_BOLD = tags.table("b strong")


def _bold(page: Page) -> npt.NDArray[np.bool_]:
    """Return which text rows stand directly in a bold element."""
    return np.asarray(_BOLD[page.tag[page.parent]])


def _repeats(page: Page, words: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Count how often the same short text stands on the page: menus, labels and buttons come again and again."""
    blocks = page.blocks
    out = np.zeros(len(blocks))
    seen: dict[str, list[int]] = {}
    offset, text = page.offset, page.text
    starts, stops = offset[blocks.start].tolist(), offset[blocks.stop].tolist()
    for block in np.flatnonzero(words <= 8).tolist():  # noqa: PLR2004 (words; long texts hardly ever repeat)
        seen.setdefault(text[starts[block] : stops[block]].strip(), []).append(block)
    for group in seen.values():
        if len(group) > 1:
            out[group] = len(group) - 1
    return out
