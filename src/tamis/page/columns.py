"""`Page`: a document as a table with one row per node, in document order.

Row 0 is the document. The subtree of a row is ``row : page.end[row]``; its text is the slice
``page.text[page.offset[row] : page.offset[page.end[row]]]``. Extractors, features and renderers read only these
columns.
"""

from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import levels, walk
from tamis.cached import cached_property
from tamis.html import characters, tags
from tamis.page.char_counts import CharCounts, count_characters

if TYPE_CHECKING:
    import turbohtml

    from tamis.page.attribute_tokens import AttributeTokens
    from tamis.page.blocks import Blocks
    from tamis.page.layout import Layout
    from tamis.page.positions import SourcePositions
    from tamis.page.sums import Bools
    from tamis.page.xpaths import XPaths

OTHER: Final = 0  #: the document, a comment, a doctype, a template's fragment
ELEMENT: Final = 1
TEXT: Final = 2


_ABOUT_PAGE: Final = tags.tag_mask("script meta link title")


class Hidden(IntFlag):
    """Why a row is not shown to a reader."""

    ATTRIBUTE = 1  #: the ``hidden`` attribute
    ARIA = 2  #: ``aria-hidden="true"``
    DISPLAY = 4  #: ``display: none`` in its style attribute
    VISIBILITY = 8  #: ``visibility: hidden`` in its style attribute
    ELEMENT = 16  #: an element that is not rendered: ``template``, ``noscript``, ``head`` …


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A parsed document as columns, created by `tamis.page.parse_page`. Immutable.

    Attributes:
        node_type: `ELEMENT`, `TEXT` or `OTHER`.
        tag: an index into `tamis.html.tags.NAMES`.
        parent: the parent's row, -1 for the document.
        end: the row after the last of the subtree.
        depth: 0 for the document.
        offset: where each row's text begins in `text`; one entry more than there are rows.
        link: inside ``a`` (unless it is an anchor without ``href``), ``button`` or ``select``.
        hidden: `Hidden` bits of the row and its ancestors; 0 is shown.
        panels: the rows of collapsed panels. What they contain counts as shown.
        pre: inside ``pre`` or another element that keeps white space.
        block_ancestor: the nearest block-level element, the row itself included; 0 where there is none.
        inline_run: the number of block-level elements that have begun or ended before. Text rows with equal numbers
            belong to one run of inline content.
        text: the text of all text rows, one after another, without scripts and styles.
        nodes: the parser's nodes, read only by the lazy columns (attributes, paths, positions).
        markup: what was parsed.
        encoding: the encoding that bytes were decoded with, else None.
        header_encoding: the encoding that the caller gave.
        declared_encoding: the encoding that the page declares, where its bytes contradict it, else None.
        decoded_again: the encoding of text that a program had decoded wrongly before it was saved, else None.
        layout: where and how a browser shows each row, if the page was rendered (see `tamis.visual`).
        removed: the ranges of rows that `without` has removed.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>one<li>two</ul>")
    >>> [page.tag_name(row) for row in range(len(page)) if page.node_type[row] == ELEMENT]
    ['html', 'head', 'body', 'ul', 'li', 'li']
    """

    node_type: npt.NDArray[np.uint8]
    tag: npt.NDArray[np.uint8]
    parent: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    offset: npt.NDArray[np.int32]
    link: "Bools"
    hidden: npt.NDArray[np.uint8]
    panels: npt.NDArray[np.int32]
    pre: "Bools"
    block_ancestor: npt.NDArray[np.int32]
    inline_run: npt.NDArray[np.int32]
    text: str
    nodes: "list[turbohtml.Node]"
    markup: str | bytes
    encoding: str | None
    header_encoding: str | None
    declared_encoding: str | None = None
    decoded_again: str | None = None
    layout: "Layout | None" = None
    removed: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.node_type)

    def __repr__(self) -> str:
        return f"<Page of {len(self)} rows, {len(self.text)} characters>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the markup: the parser's nodes lose their identity in a pickle, and parsing again is exact."""
        from tamis.page.parse import restore_page  # noqa: PLC0415 (parse imports this module)

        return restore_page, (self.markup, self.header_encoding, self.layout, self.removed)

    def __copy__(self) -> "Page":
        return self  # immutable

    def __deepcopy__(self, _memo: dict[int, object]) -> "Page":
        return self  # immutable

    def without(self, ranges: tuple[tuple[int, int], ...]) -> "Page":
        """Return the page as if some rows had no text and were no elements. All rows keep their numbers.

        Scripts and metadata in them stay: they are about the page.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<ul><li>one</ul><p>two").without(((4, 7),))
        >>> len(page.blocks), page.tag_count("li"), page.removed
        (1, 0, ((4, 7),))
        """
        node_type, tag = self.node_type.copy(), self.tag.copy()
        for start, stop in ranges:
            node_type[start:stop] = OTHER
            tag[start:stop][~_ABOUT_PAGE[tag[start:stop]]] = tags.OTHER
        # What does not depend on those rows, or takes long, is not computed again.
        known = {"char_counts": self.char_counts, "text_classes": self.text_classes}
        page = object.__new__(Page)  # `dataclasses.replace` takes longer than the rest of this function
        page.__dict__.update({name: self.__dict__[name] for name in self.__dataclass_fields__})
        page.__dict__.update(known, node_type=node_type, tag=tag, removed=ranges)
        return page

    def tag_name(self, row: int) -> str:
        """Return the tag of an element row, as the parser spells it; ``""`` for other rows.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<div><template shadowrootmode=open><p>a")
        >>> [page.tag_name(row) for row in range(4, len(page))]
        ['div', 'template', '', 'p', '']
        """
        if self.tag[row] != tags.OTHER:
            return tags.NAMES[int(self.tag[row])]
        return str(self.nodes[row].tag) if self.node_type[row] == ELEMENT else ""  # type: ignore[attr-defined]

    def row_text(self, row: int) -> str:
        """Return the text of a row and its descendants."""
        return self.text[self.offset[row] : self.offset[self.end[row]]]

    def collapsed_text(self, row: int) -> str:
        """Return the text of a row and its descendants with its white space collapsed.

        >>> from tamis.page import parse_page
        >>> parse_page("<p> one <b>two </b> </p>").collapsed_text(4)
        'one two'
        """
        return " ".join(self.row_text(row).split())

    def rows_of(self, name: str) -> npt.NDArray[np.int64]:
        """Return the rows of the elements with a tag, in document order.

        >>> from tamis.page import parse_page
        >>> parse_page("<p>a<p>b").rows_of("p").tolist()
        [4, 6]
        """
        rows: npt.NDArray[np.int64] = (self.tag == tags.IDS[name]).nonzero()[0]
        return rows

    @cached_property
    def _tag_counts(self) -> list[int]:
        counts: list[int] = np.bincount(self.tag, minlength=len(tags.NAMES)).tolist()
        return counts

    def tag_count(self, name: str) -> int:
        """Return the number of elements with a tag.

        >>> from tamis.page import parse_page
        >>> parse_page("<p>a<p>b").tag_count("p")
        2
        """
        return self._tag_counts[tags.IDS[name]]

    @cached_property
    def body(self) -> int:
        """The row of ``body``, else of ``frameset`` or ``html``, else 0."""
        tag_bytes = self.tag.tobytes()
        rows = (tag_bytes.find(tags.IDS[name]) for name in ("body", "frameset", "html"))
        return next((row for row in rows if row >= 0), 0)

    @cached_property
    def is_text(self) -> "Bools":
        """Which rows are text runs."""
        return np.asarray(self.node_type == TEXT)

    @cached_property
    def is_element(self) -> "Bools":
        """Which rows are elements."""
        return np.asarray(self.node_type == ELEMENT)

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code points of `text`."""
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def char_classes(self) -> npt.NDArray[np.uint8]:
        """The class of each character of `text`, see `tamis.html.characters`."""
        return characters.classify(self.codes)

    def count(self, values: "Bools | npt.NDArray[np.int64]") -> npt.NDArray[np.int64]:
        """Sum values of the characters of `text` over each row's text run; booleans are counted."""
        sums = np.zeros(len(values) + 1, dtype=np.int64)
        np.cumsum(values, out=sums[1:])
        return np.asarray(sums[self.offset[1:]] - sums[self.offset[:-1]])

    @cached_property
    def char_counts(self) -> CharCounts:
        """The characters of each row's text run, counted."""
        return count_characters(self.text, self.offset)

    @property
    def words(self) -> npt.NDArray[np.int32]:
        """Words of each text run: maximal runs without white space."""
        return self.char_counts.words

    @property
    def nonspace(self) -> npt.NDArray[np.int32]:
        """Characters of each text run that are not white space."""
        return self.char_counts.nonspace

    @cached_property
    def chars(self) -> npt.NDArray[np.int32]:
        """Characters of each text run after collapsing white space: ``len(" ".join(text.split()))``."""
        return self.nonspace + np.maximum(self.words - 1, 0)

    @cached_property
    def shown(self) -> "Bools":
        """Which rows are visible text: neither blank nor hidden."""
        return np.asarray(self.is_text & (self.hidden == 0) & (self.nonspace > 0))

    @cached_property
    def blocks(self) -> "Blocks":
        """The page's text cut into blocks."""
        from tamis.page.blocks import cut_blocks  # noqa: PLC0415 (imports this module)

        return cut_blocks(self)

    @cached_property
    def block_chars(self) -> npt.NDArray[np.int32]:
        """Characters of each block that are not white space; the page has blocks."""
        counts: npt.NDArray[np.int32] = np.add.reduceat(self.nonspace[self.blocks.rows], self.blocks.first)
        return counts

    @cached_property
    def block_ranges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """The first block of each row's subtree, the block after its last, and which rows are elements with blocks.

        The first column has one entry more than there are rows: the number of blocks.
        """
        first, last, has_blocks = levels.block_ranges(self.blocks.start, self.end, self.node_type)
        int32 = np.int32
        return np.frombuffer(first, int32), np.frombuffer(last, int32), np.frombuffer(has_blocks, np.uint8)

    @cached_property
    def text_classes(self) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
        """The ``class`` of each element with blocks, as a number (0: none), and the classes; the first is number 1.

        >>> from tamis.page import parse_page
        >>> ids, names = parse_page("<div class=a><img class=b></div><div class=c>Tea.</div>").text_classes
        >>> np.flatnonzero(ids).tolist(), names
        ([6], ('c',))
        """
        ids, id_of = walk.class_ids(self.nodes, self.block_ranges[2])
        return np.frombuffer(ids, dtype=np.int32), tuple(id_of)

    @cached_property
    def positions(self) -> "SourcePositions":
        """The position of each row in the source. The first use parses the source a second time."""
        from tamis.page.positions import find_positions  # noqa: PLC0415 (imports this module)

        return find_positions(self)

    @cached_property
    def xpaths(self) -> "XPaths":
        """The XPath of each row."""
        from tamis.page.xpaths import XPaths  # noqa: PLC0415 (only where positions are needed)

        return XPaths(self)

    @cached_property
    def attribute_tokens(self) -> "AttributeTokens":
        """The words of ``class``, ``id`` and ``role``, interned."""
        from tamis.page.attribute_tokens import read_attribute_tokens  # noqa: PLC0415 (imports this module)

        return read_attribute_tokens(self)

    @cached_property
    def class_ids(self) -> tuple[npt.NDArray[np.int32], dict[str, int]]:
        """An id for each row's ``class`` (0: none; equal ids mean equal classes), and the id of each class."""
        ids, id_of = walk.class_ids(self.nodes, self.node_type)
        return np.frombuffer(ids, dtype=np.int32), id_of

    @cached_property
    def _attributes(self) -> dict[str, dict[int, str]]:
        return {}

    def attribute(self, name: str) -> dict[int, str]:
        """Return the values of an attribute by row, for the elements that have it, in document order.

        Each attribute is read on first use.

        >>> from tamis.page import parse_page
        >>> parse_page('<a href="/x">y</a><a>z</a>').attribute("href")
        {4: '/x'}
        """
        column = self._attributes.get(name)
        if column is None:
            if name == "class":  # most elements have one: all are read and interned in one pass
                ids, id_of = self.class_ids
                names = list(id_of)
                column = {row: names[ids[row] - 1] for row in np.flatnonzero(ids).tolist()}
            else:
                nodes = self.nodes
                column = {row: nodes[row].attr(name) or "" for row in self.select(f"[{name}]")}  # type: ignore[attr-defined]
            self._attributes[name] = column
        return column

    def select(self, selector: str) -> list[int]:
        """Return the rows of the elements that match a CSS selector, in document order.

        >>> from tamis.page import parse_page
        >>> parse_page("<p>a<p class=x>b").select("p.x")
        [6]
        """
        from tamis.page.selectors import select_rows  # noqa: PLC0415 (imports this module)

        return select_rows(self, selector)

    def attributes(self, row: int) -> dict[str, str]:
        """Return all attributes of an element; none for a row that is no element, such as a template's fragment."""
        if self.node_type[row] != ELEMENT:
            return {}
        return {
            name: " ".join(value) if isinstance(value, list) else value or ""
            for name, value in self.nodes[row].attrs.items()  # type: ignore[attr-defined]
        }
