"""The words of the ``class``, ``id`` and ``role`` attributes of a page, as columns."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tamis.page.columns import Page

ATTRIBUTES: Final = ("class", "id", "role")


@dataclass(frozen=True, slots=True)
class AttributeTokens:
    """The words of three attributes, each word stored once.

    `row`, `word` and `attribute` run in parallel: element `row` has `words[word]` in `ATTRIBUTES[attribute]`.
    """

    row: npt.NDArray[np.int32]
    word: npt.NDArray[np.int32]
    attribute: npt.NDArray[np.uint8]
    words: tuple[str, ...]


def read_attribute_tokens(page: "Page") -> AttributeTokens:
    """Return the words of the three attributes, attribute by attribute, in document order.

    >>> from tamis.page import parse_page
    >>> tokens = read_attribute_tokens(parse_page('<p class="a b"><p id=a>'))
    >>> tokens.words, tokens.word.tolist()
    (('a', 'b'), [0, 1, 0])
    """
    index_of: dict[str, int] = {}
    rows: list[int] = []
    words: list[int] = []
    attributes: list[int] = []
    for attribute, name in enumerate(ATTRIBUTES):
        for row, value in page.attribute(name).items():
            for word in value.split():
                rows.append(row)
                words.append(index_of.setdefault(word, len(index_of)))
                attributes.append(attribute)
    return AttributeTokens(
        np.array(rows, dtype=np.int32),
        np.array(words, dtype=np.int32),
        np.array(attributes, dtype=np.uint8),
        tuple(index_of),
    )
