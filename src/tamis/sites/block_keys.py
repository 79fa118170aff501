"""Keys of blocks: what makes two blocks of different pages of a site the same text, or the same template."""

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.page import Page

_DIGITS: Final = re.compile(r"\d+")
#: Their classes identify the page, not the layout (``page-id-123``).
_PAGE_TAGS: Final = tags.tag_mask("html body")
_PATH_LEVELS: Final = 5  #: elements of a path that is written for people

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class BlockKeys:
    """The keys of the blocks of a page, in document order.

    Attributes:
        text: a hash of each block's text, without regard to case and white space.
        template: a hash of the tags and classes from the root down to the block's container.
        words: the number of words of each block.
    """

    text: Hashes
    template: Hashes
    words: npt.NDArray[np.int64]


def block_keys(page: Page) -> BlockKeys:
    """Return the keys of a page's blocks. Numbers in class names do not count (``post-17``).

    >>> from tamis.page import parse_page
    >>> first = block_keys(parse_page("<div class=post-1><p>One.</p></div><div class=post-2><p>ONE.</p></div>"))
    >>> first.text[0] == first.text[1], first.template[0] == first.template[1]
    (np.True_, np.True_)
    """
    texts = [" ".join(text.lower().split()) for text in raw_texts(page)]
    text = [text_key(each) for each in texts]
    return BlockKeys(
        np.array(text, dtype=np.uint64),
        np.array(_templates(page), dtype=np.uint64),
        np.array([len(each.split()) for each in texts], dtype=np.int64),
    )


def raw_texts(page: Page) -> list[str]:
    """Return the text of each block as the page has it."""
    start, stop = page.offset[page.blocks.start].tolist(), page.offset[page.blocks.stop].tolist()
    return [page.text[a:b] for a, b in zip(start, stop, strict=True)]


def text_key(text: str) -> int:
    """Return the key of a text."""
    return _hash(" ".join(text.lower().split()))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def element_name(page: Page, row: int, class_name: str) -> str:
    """Return the tag and the classes of an element as a CSS selector, without numbers."""
    if _PAGE_TAGS[page.tag[row]]:
        return page.tag_name(row)
    names = sorted({_DIGITS.sub("#", name) for name in class_name.split()})
    return ".".join([page.tag_name(row), *names])


def _templates(page: Page) -> list[int]:
    """Return the hash of each block's template. Each element is looked at once, whatever its depth."""
    ids, _ = page.class_ids
    classes = page.attribute("class")
    parents, tag_ids, class_ids = page.parent.tolist(), page.tag.tolist(), ids.tolist()
    known: dict[int, int] = {-1: 0, 0: 0}  # the hash of each element
    hash_of: dict[tuple[int, int, int], int] = {}
    out = []
    for container in page.blocks.container.tolist():
        chain = []
        row = container
        while row not in known:
            chain.append(row)
            row = parents[row]
        above = known[row]
        for each in reversed(chain):
            key = (above, tag_ids[each], class_ids[each])
            if key not in hash_of:
                hash_of[key] = _hash(f"{above:x} {element_name(page, each, classes.get(each, ''))}")
            above = known[each] = hash_of[key]
        out.append(above)
    return out


def template_path(page: Page, block: int) -> str:
    """Return the innermost elements of a block's template, for people.

    >>> from tamis.page import parse_page
    >>> template_path(parse_page("<div class='menu top-2'><ul><li>Home"), 0)
    'html > body > div.menu.top-# > ul > li'
    """
    classes = page.attribute("class")
    row = int(page.blocks.container[block])
    names: list[str] = []
    while row > 0 and len(names) < _PATH_LEVELS:
        names.append(element_name(page, row, classes.get(row, "")))
        row = int(page.parent[row])
    return " > ".join(reversed(names))
