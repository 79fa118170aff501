"""`Page`: a document as a table with one row per node, in document order.

Row 0 is the document. The subtree of a row is ``row : page.end[row]``; its text is the slice
``page.text[page.offset[row] : page.offset[page.end[row]]]``. Extractors, features and renderers read only these
columns.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from tamis._core.enums import ELEMENT, TEXT, Hidden
from tamis._core.loader import core, count_page_characters
from tamis.html import characters, tags
from tamis.html.attributes import KINDS, LISTED_IN_PART
from tamis.lazy import cached_property, dataclass
from tamis.page.deadline import check_time
from tamis.page.sums import prefix_sums

if TYPE_CHECKING:
    import turbohtml

    from tamis._core.columns import NodeAttributes
    from tamis.page.layout import Layout
    from tamis.page.positions import SourcePositions
    from tamis.page.selectors import XPaths
    from tamis.page.sums import Bools

_T = TypeVar("_T")


@lru_cache(maxsize=128)  # detectors ask for a few dozen; callers of `select` may ask for any
def _parts_table(parts: tuple[str, ...]) -> "core.Parts":
    return core.Parts({1 << k: (part,) for k, part in enumerate(parts)})


# The characters of each text run, counted by class.


class CharCounts(NamedTuple):
    """Counts over the text run of each row; rows that are not text runs have zeros.

    Attributes:
        by_class: characters of each class (`tamis.html.characters`), rows by classes.
        words: maximal runs without white space.
        nonspace: characters that are not white space.
        first_class: the class of the first of those.
        last_class: the class of the last.
        other_count: characters of the whole page that are in class OTHER.
        currency_count: signs of currencies on the whole page.
    """

    by_class: npt.NDArray[np.int32]
    words: npt.NDArray[np.int32]
    nonspace: npt.NDArray[np.int32]
    first_class: npt.NDArray[np.uint8]
    last_class: npt.NDArray[np.uint8]
    other_count: int
    currency_count: int


def count_characters(text: str, offset: npt.NDArray[np.int32]) -> CharCounts:
    """Count the characters of the text runs that begin at the offsets; the last offset is the end of the text.

    >>> counts = count_characters("Two words", np.array([0, 0, 9], dtype=np.int32))
    >>> counts.words.tolist(), counts.nonspace.tolist()
    ([0, 2], [0, 8])
    """
    if count_page_characters is not None:
        return CharCounts(*count_page_characters(text, offset, characters.bmp_classes()))
    by_class, words, nonspace, first_class, last_class, other_count, currency_count = core.count_characters(
        memoryview(text.encode("utf-32-le")).cast("I"), offset, characters.bmp_classes()
    )
    return CharCounts(
        by_class=np.frombuffer(by_class, dtype=np.int32).reshape(len(offset) - 1, characters.CLASSES),
        words=np.frombuffer(words, dtype=np.int32),
        nonspace=np.frombuffer(nonspace, dtype=np.int32),
        first_class=np.frombuffer(first_class, dtype=np.uint8),
        last_class=np.frombuffer(last_class, dtype=np.uint8),
        other_count=other_count,
        currency_count=currency_count,
    )


_SOON: Final = 64  #: rows of the body
#: Rows of a page whose parser's document is parsed again where it is asked for: it takes half of the page's memory.
LARGE: Final = 100_000


class Parsed:
    """The parser's tree of a page, and its document, which is parsed again where the tree is not all of it.

    Code that was set aside (`tamis.page.parse.Code`) is not in the tree; the tree of a large page is not kept, as its
    nodes take more memory than everything else of the page, and few pages need them.

    >>> import turbohtml
    >>> parsed = Parsed(None, lambda: turbohtml.parse("<p>Tea"))
    >>> parsed.document.text, parsed.document is parsed.document is parsed.tree
    ('Tea', True)
    """

    def __init__(
        self, tree: "turbohtml.Document | None", parse_again: "Callable[[], turbohtml.Document] | None" = None
    ) -> None:
        self._tree, self._parse_again = tree, parse_again

    @property
    def is_kept(self) -> bool:
        """Whether the tree is there, and need not be parsed again."""
        return self._tree is not None or "document" in self.__dict__

    @property
    def tree(self) -> "turbohtml.Document":
        """The document, without code that was set aside."""
        return self.document if self._tree is None else self._tree

    @cached_property
    def document(self) -> "turbohtml.Document":
        """The document."""
        if self._parse_again is None:
            assert self._tree is not None
            return self._tree
        return self._parse_again()


class Meta(NamedTuple):
    """A ``meta`` element."""

    row: int
    property: str | None
    name: str | None
    content: str | None


_ABOUT_PAGE: Final = tags.tag_mask("script meta link title").tobytes()  # one byte per tag


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
        parsed: the parser's document, or how it is made again (see `document`).
        attribute_source: where the attributes of elements are read, as they are asked for.
        class_column: a number for each row's ``class`` (0: none; equal numbers mean equal classes).
        classes: the classes; the first is number 1.
        listed: the attributes that were found while the page was read: rows, kinds (`tamis.html.attributes.LISTED`)
            and values.
        markup: what was parsed.
        encoding: the encoding that bytes were decoded with, else None.
        header_encoding: the encoding that the caller gave.
        declared_encoding: the encoding that the page declares, where its bytes contradict it, else None.
        mojibake_encoding: the encoding of text that a program had decoded wrongly before it was saved, else None.
        layout: where and how a browser shows each row, if the page was rendered (see `tamis.browser`).
        removed: the ranges of rows that `with_removed` has removed.
        binary_type: what the data is if it is not a web page, such as ``a PDF document``. It is not parsed, and the
            page is empty.

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
    parsed: "Parsed"
    attribute_source: "NodeAttributes"
    class_column: npt.NDArray[np.int32]
    classes: list[str]
    listed: tuple[list[int], list[int], list[str]]
    markup: str | bytes
    encoding: str | None
    header_encoding: str | None
    declared_encoding: str | None = None
    mojibake_encoding: str | None = None
    layout: "Layout | None" = None
    removed: tuple[tuple[int, int], ...] = ()
    binary_type: str | None = None

    def __len__(self) -> int:
        return len(self.node_type)

    def __repr__(self) -> str:
        return f"<Page of {len(self)} rows, {len(self.text)} characters>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the markup: the parser's nodes lose their identity in a pickle, and parsing again is exact."""
        from tamis.page.parse import restore_page  # noqa: PLC0415 (parse imports this module)

        excluded = np.flatnonzero(self.hidden & Hidden.EXCLUDED)
        return restore_page, (self.markup, self.header_encoding, self.layout, self.removed, excluded)

    def __copy__(self) -> "Page":
        return self  # immutable

    def __deepcopy__(self, _memo: dict[int, object]) -> "Page":
        return self  # immutable

    def with_removed(self, ranges: tuple[tuple[int, int], ...]) -> "Page":
        """Return the page as if some rows had no text and were no elements. All rows keep their numbers.

        Scripts and metadata in them stay: they are about the page.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<ul><li>one</ul><p>two").with_removed(((4, 7),))
        >>> len(page.blocks), page.tag_count("li"), page.removed
        (1, 0, ((4, 7),))
        """
        node_type, tag = self.node_type.copy(), self.tag.copy()
        core.remove_rows(node_type, tag, ranges, _ABOUT_PAGE)
        # What does not depend on those rows, or takes long, is not computed again.
        page = object.__new__(Page)  # `dataclasses.replace` takes longer than the rest of this function
        fields = page.__dict__
        fields.update({name: self.__dict__[name] for name in self.__dataclass_fields__})
        fields.update(node_type=node_type, tag=tag, removed=ranges, char_counts=self.char_counts)
        fields.update(text_classes=self.text_classes, metas=self.metas, link_elements=self.link_elements)
        fields["columns"] = core.Columns(fields, self.char_counts, self.columns)
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
        return self.attribute_source.tag(row) if self.node_type[row] == ELEMENT else ""

    def ancestors(self, row: int, limit: int | None = None) -> Iterator[int]:
        """Yield the elements around a row below ``body``, the innermost first, at most `limit` of them.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<div><ul><li><b>Tea")
        >>> row = int(page.rows_of("b")[0])
        >>> [page.tag_name(k) for k in page.ancestors(row)], [page.tag_name(k) for k in page.ancestors(row, 1)]
        (['li', 'ul', 'div'], ['li'])
        """
        parent, body = self.parent, self.body
        row = int(parent[row])
        count = 0
        while row > body and count != limit:
            yield row
            row = int(parent[row])
            count += 1

    def row_text(self, row: int) -> str:
        """Return the text of a row and its descendants."""
        check_time()
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
        first, number = self.columns.tag_first, tags.IDS[name]
        return np.asarray(self._rows_by_tag[first[number] : first[number + 1]], dtype=np.int64)

    @cached_property
    def _rows_by_tag(self) -> npt.NDArray[np.int32]:
        """The rows of all elements by tag."""
        return np.frombuffer(self.columns.tag_rows, dtype=np.int32)

    def tag_count(self, name: str) -> int:
        """Return the number of elements with a tag.

        >>> from tamis.page import parse_page
        >>> parse_page("<p>a<p>b").tag_count("p")
        2
        """
        first, number = self.columns.tag_first, tags.IDS[name]
        return int(first[number + 1] - first[number])

    @cached_property
    def body(self) -> int:
        """The row of ``body``, else of ``frameset`` or ``html``, else 0."""
        return int(self.columns.body)

    @cached_property
    def is_text_only(self) -> bool:
        r"""Whether the page has text and no element in its body.

        >>> from tamis.page import parse_page
        >>> parse_page("One\nline").is_text_only, parse_page("<p>One</p>").is_text_only
        (True, False)
        """
        first = self.body + 1
        if ELEMENT in self.node_type[first : first + _SOON].tobytes():  # an element comes soon, if there is one
            return False
        return bool(self.body) and not self.is_element[first:].any() and bool(self.is_text[first:].any())

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
        found = self.columns
        return Blocks(*[int32s(getattr(found, name)) for name in _BLOCK_COLUMNS])

    @cached_property
    def block_chars(self) -> npt.NDArray[np.int32]:
        """Characters of each block that are not white space."""
        return int32s(self.columns.block_chars)

    @cached_property
    def block_ranges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """The first block of each row's subtree, the block after its last, and which rows are elements with blocks.

        The first column has one entry more than there are rows: the number of blocks.
        """
        found = self.columns
        return int32s(found.first_block), int32s(found.last_block), np.frombuffer(found.has_blocks, dtype=np.uint8)

    @cached_property
    def text_classes(self) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
        """The ``class`` of each element with blocks, as a number (0: none), and the classes; the first is number 1.

        >>> from tamis.page import parse_page
        >>> ids, names = parse_page("<div class=a><img class=b></div><div class=c>Tea.</div>").text_classes
        >>> np.flatnonzero(ids).tolist(), names
        ([6], ('c',))
        """
        found, classes = self.columns, self.classes
        return int32s(found.class_ids), tuple([classes[number - 1] for number in found.class_order])

    @cached_property
    def columns(self) -> "core.Columns":
        """The columns as the compiled core reads them, with those that follow from the rows."""
        return core.Columns(self.__dict__, self.char_counts)

    @cached_property
    def data_tables(self) -> frozenset[int]:
        """The rows of the tables that contain data; the others are for layout."""
        from tamis.page.tables import find_data_tables  # noqa: PLC0415 (imports this module)

        return find_data_tables(self)

    @cached_property
    def positions(self) -> "SourcePositions":
        """The position of each row in the source. The first use parses the source a second time."""
        from tamis.page.positions import find_positions  # noqa: PLC0415 (imports this module)

        return find_positions(self)

    @cached_property
    def xpaths(self) -> "XPaths":
        """The XPath of each row."""
        from tamis.page.selectors import XPaths  # noqa: PLC0415 (only where positions are needed)

        return XPaths(self)

    @cached_property
    def class_ids(self) -> tuple[npt.NDArray[np.int32], dict[str, int]]:
        """An id for each row's ``class`` (0: none; equal ids mean equal classes), and the id of each class."""
        return self.class_column, {name: number for number, name in enumerate(self.classes, 1)}

    @cached_property
    def _joined_classes(self) -> str:
        """All classes in lower case, a line each."""
        joined = "\0".join(self.classes).lower()
        return (joined.replace("\n", " ") if "\n" in joined else joined).replace("\0", "\n")

    @cached_property
    def _numbers_by_part(self) -> dict[str, list[int]]:
        return {}

    def class_numbers(self, *parts: str) -> list[int]:
        """Return the ids of the classes that contain one of some words in lower case, wherever and in any case.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<p class="My-Note">a</p><p class="tea">b</p>')
        >>> page.class_numbers("note") == [page.class_ids[1]["My-Note"]], page.class_numbers("tip")
        (True, [])
        """
        known = self._numbers_by_part
        if len(parts) > 1:
            self.find_class_parts(parts)
            return sorted({number for part in parts for number in known[part]})
        numbers = known.get(parts[0])
        if numbers is None:
            joined, part = self._joined_classes, parts[0]
            numbers = known[part] = []
            number, line = 1, 0  # the number of the class that begins there
            position = joined.find(part)
            while 0 <= position < len(joined):  # nothing is found at the end too
                number += joined.count("\n", line, position)
                numbers.append(number)
                line = joined.find("\n", position)
                position = joined.find(part, line) if line >= 0 else -1
        return numbers.copy()

    def find_class_parts(self, parts: tuple[str, ...]) -> None:
        """Find the classes that contain each of some words of ASCII, in one pass, for `class_numbers`."""
        table, known = _parts_table(parts), self._numbers_by_part
        if parts[0] in known and all(part in known for part in parts):
            return
        bits, each = core.part_bits(self.classes, table)
        found = np.frombuffer(each, dtype=np.int64)
        for k, part in enumerate(parts):
            known[part] = (np.flatnonzero(found & (1 << k)) + 1).tolist() if bits & (1 << k) else []

    def children(self, parent: int) -> list[int]:
        """Return the rows directly in an element, in document order.

        >>> from tamis.page import parse_page
        >>> parse_page("<p><b>a</b>c").children(4)
        [5, 7]
        """
        out, row, end = [], parent + 1, int(self.end[parent])
        while row < end:
            out.append(row)
            row = int(self.end[row])
        return out

    @cached_property
    def shown_chars(self) -> npt.NDArray[np.int64]:
        """Prefix sums of the characters that are shown, white space not counted."""
        return prefix_sums(np.where(self.shown, self.nonspace, 0))

    def count_selected(self, mask: "Bools") -> npt.NDArray[np.int64]:
        """Return prefix sums of the selected rows, which many detectors ask for."""
        return self.once("selected rows", mask, lambda: prefix_sums(mask))

    @cached_property
    def _attributes(self) -> dict[str, dict[int, str]]:
        return {}

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What detectors found on this page, by name, so that it is found once whoever asks."""
        return {}

    def once(self, name: str, mask: "Bools", find: "Callable[[], _T]") -> "_T":
        """Return what `find` returns for a mask: it runs once while the same mask is asked about.

        The mask must not change afterwards; change a copy.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<p>a")
        >>> [page.once("rows", page.shown, lambda: page.shown.sum().tolist()), page.once("rows", page.shown, exit)]
        [1, 1]
        """
        known = self.memo.get(name)
        if known is None or known[0] is not mask:
            known = self.memo[name] = (mask, find())
        found: _T = known[1]
        return found

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
            elif name in KINDS and name not in LISTED_IN_PART:
                column = self._listed_columns[KINDS[name]]
            else:
                column = self.attribute_source.by_row(name)
            self._attributes[name] = column
        return column

    @cached_property
    def _listed_columns(self) -> list[dict[int, str]]:
        """The values of each kind of listed attributes by row."""
        columns: list[dict[int, str]] = [{} for _ in KINDS]
        for row, kind, value in zip(*self.listed, strict=True):
            columns[kind][row] = value
        return columns

    def select(self, selector: str) -> list[int]:
        """Return the rows of the elements that match a CSS selector, in document order.

        >>> from tamis.page import parse_page
        >>> parse_page("<p>a<p class=x>b").select("p.x")
        [6]
        """
        from tamis.page.selectors import select_rows  # noqa: PLC0415 (imports this module)

        return select_rows(self, selector)

    @property
    def document(self) -> "turbohtml.Document":
        """The parser's document. Who changes it makes the columns of this page wrong."""
        return self.parsed.document

    @cached_property
    def nodes(self) -> "list[turbohtml.Node]":
        """The parser's nodes, for CSS selectors and source positions. Texts side by side are one row.

        Code may be set aside (`raw_text` has it): the text of its node is a mark.
        """
        from turbohtml import Text  # noqa: PLC0415 (few pages need their nodes)

        tree = self.parsed.tree
        nodes: list[turbohtml.Node] = [tree, *tree.descendants]
        if len(nodes) == len(self):
            return nodes
        pairs = zip([None, *nodes], nodes, strict=False)
        return [
            node
            for before, node in pairs
            if not (isinstance(node, Text) and isinstance(before, Text) and node.previous_sibling is before)
        ]

    def elements(self, selector: str, within: int = 0) -> "list[turbohtml.Element]":
        """Return the parser's elements that match a CSS selector, inside a row.

        `select` returns rows. This is for those who only ask whether there are any, or read attributes.
        """
        return self.nodes[within].select(selector)

    def element_rows(self, elements: "list[turbohtml.Element]") -> list[int]:
        """Return the rows of elements, which are in document order."""
        return core.rows_among(self.nodes, elements)

    def attribute_values(self, rows: list[int], name: str) -> list[str]:
        """Return the values of an attribute, for those of the rows that have it.

        >>> from tamis.page import parse_page
        >>> parse_page("<p id=x><p>").attribute_values([4, 5], "id")
        ['x']
        """
        return self.attribute_source.values(rows, name)

    def attribute_column(self, rows: list[int], name: str) -> list[str | None]:
        """Return the value of an attribute for each of the rows, None where it has none.

        >>> from tamis.page import parse_page
        >>> parse_page("<p id=x><p>").attribute_column([4, 5], "id")
        ['x', None]
        """
        return self.attribute_source.column(rows, name)

    def attribute_of(self, row: int, name: str) -> str | None:
        """Return the value of an attribute of an element, or None. One value is read faster than all `attributes`.

        >>> from tamis.page import parse_page
        >>> parse_page("<p id=x>").attribute_of(4, "id")
        'x'
        """
        check_time()
        return self.attribute_source.value(row, name)

    def attribute_table(self, rows: list[int], names: tuple[str, ...]) -> list[list[str | None]]:
        """Return the values of some attributes for each of the rows, None where it has none.

        >>> from tamis.page import parse_page
        >>> parse_page("<p id=x><p>").attribute_table([4, 5], ("id", "lang"))
        [['x', None], [None, None]]
        """
        return self.attribute_source.table(rows, names)

    @cached_property
    def metas(self) -> "list[Meta]":
        """The ``meta`` elements."""
        rows = self.rows_of("meta").tolist()
        values = self.attribute_table(rows, ("property", "name", "content"))
        return [Meta(row, *own) for row, own in zip(rows, values, strict=True)]

    @cached_property
    def link_elements(self) -> list[tuple[int, str | None, str | None]]:
        """The ``link`` elements: row, ``rel`` and ``href``."""
        rows = self.rows_of("link").tolist()
        values = self.attribute_table(rows, ("rel", "href"))
        return [(row, rel, href) for row, (rel, href) in zip(rows, values, strict=True)]

    def fragment_links(self, rows: list[int]) -> list[int]:
        """Return those of the links whose URL has a fragment."""
        return self.attribute_source.with_fragment(rows)

    def raw_text(self, row: int) -> str:
        """Return the text of a row and its descendants as the parser has it: also that of scripts, styles, comments.

        >>> from tamis.page import parse_page
        >>> parse_page("<script>brew()</script>").raw_text(3)
        'brew()'
        """
        raw_text, end = self.attribute_source.raw_text, int(self.end[row])
        text = raw_text(end - 1) if end <= row + 2 else None  # a text, or what a script contains
        if text is not None:
            return text
        data = getattr(self.nodes[row], "data", None) if end == row + 1 else None  # a comment
        return str(data) if data is not None else "".join([raw_text(own) or "" for own in range(row, end)])

    def attributes(self, row: int) -> dict[str, str]:
        """Return all attributes of an element; none for other rows, such as a template's fragment."""
        check_time()
        if self.node_type[row] != ELEMENT:
            return {}
        return self.attribute_source.all(row)


# Blocks: the text of a page in the pieces that a reader sees.
#
# A block is a run of inline content under its nearest block-level element: a paragraph, a heading, a list item, a
# table cell, or text between two block-level elements. Two or more ``br`` in a row end a block, as they end a
# paragraph for the reader. Each shown text row belongs to exactly one block.


_BLOCK_COLUMNS: Final = ("start", "stop", "container", "block_of", "text_rows", "first")


def int32s(column: Any) -> npt.NDArray[np.int32]:  # noqa: ANN401 (any buffer)
    """Return a column of the core as NumPy sees it, without a copy."""
    return np.frombuffer(column, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a page, in document order, as columns.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div>lead <i>in</i><p>para</p>tail<br><br>next</div>")
    >>> [page.text[page.offset[a] : page.offset[b]] for a, b in zip(page.blocks.start, page.blocks.stop)]
    ['lead in', 'para', 'tail', 'next']

    Attributes:
        start: the first text row of each block.
        stop: the row after its last text row.
        container: its nearest block-level element.
        block_of: for each row of the page its block, or -1 for rows that are not shown text.
        rows: the text rows of all blocks, one after another.
        first: where each block's rows begin in `rows`.
    """

    start: npt.NDArray[np.int32]
    stop: npt.NDArray[np.int32]
    container: npt.NDArray[np.int32]
    block_of: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start)

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Sum a column of the page over the text rows of each block.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<p>one <b>two</b></p><p>three</p>")
        >>> page.blocks.sum(page.words).tolist()
        [2.0, 1.0]
        """
        if not len(self):
            return np.zeros(0)
        return np.add.reduceat(values[self.rows], self.first, dtype=np.float64)

    def broadcast(self, values: npt.NDArray[Any], fill: float = 0) -> npt.NDArray[Any]:
        """Return a column of the page: each text row has its block's value, other rows have `fill`."""
        if not len(self):
            return np.full(len(self.block_of), fill, dtype=values.dtype)
        return np.where(self.block_of >= 0, values[self.block_of], np.asarray(fill, dtype=values.dtype))
