"""Read Markdown for the evaluation: its text, and its headings, items, code, formulas, tables, notes and links.

markdown-it-py parses it as CommonMark with the tables of GitHub, footnotes, and formulas between dollars. Tables in
HTML, which Markdown writers use where a pipe table is too weak, also count as tables here.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import turbohtml

from tamis.errors import needs_extra

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

__all__ = ["Elements", "Rows", "html_table_rows", "markdown_text", "read_elements"]

#: Cells by row.
Rows = tuple[tuple[str, ...], ...]
_TABLE_START: Final = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_END: Final = re.compile(r"</table\s*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{0,2000}>")
_CALLOUT: Final = re.compile(r"\[!(\w+)\][-+]?[^\S\n]*")
_BOX: Final = re.compile(r"\[[ xX]\]\s")  #: of a task
#: Levels of lists and quotations that are read; pages stay below it.
_MAX_NESTING: Final = 60
#: Elements of a cell that do not keep the text before and after them apart.
_INLINE: Final = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q",
    "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
})  # fmt: skip


@dataclass(slots=True)
class Elements:
    """The elements of a Markdown text, each list in the order of the text.

    Attributes:
        text: the text without marks, a line for each line, cells separated by a space.
        code: code blocks, as language and text.
        tables: tables as rows of cells, without marks.
        headings: headings, as level and text.
        items: items of lists with the text of their first paragraph, as nesting from 1 on and text.
        links: pairs of text and URL.
        callouts: callouts, as type and text, its title first.
    """

    text: str = ""
    code: list[tuple[str, str]] = field(default_factory=list)
    inline_code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    items: list[tuple[int, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    callouts: list[tuple[str, str]] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)


def read_elements(markdown: str) -> Elements:
    r"""Return the elements of a Markdown text.

    >>> elements = read_elements("# Tea\n\nBoil [water](/w) to $100$.\n\n| a |\n|---|\n| `b` |")
    >>> elements.headings, elements.links, elements.formulas, elements.tables, elements.inline_code
    ([(1, 'Tea')], [('water', '/w')], ['100'], [(('a',), ('b',))], ['b'])
    """
    return _Reader().read(_parser().parse(markdown))


def markdown_text(markdown: str) -> str:
    r"""Return the text of Markdown without its marks.

    >>> markdown_text("# Tea\n\n- **Boil** [water](/w)\n- pour\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    'Tea\n\nBoil water\n\npour\n\na b\n1 2'
    """
    return read_elements(markdown).text


@cache
def _parser() -> "MarkdownIt":
    with needs_extra("markdown-it-py", "eval"):
        from markdown_it import MarkdownIt  # noqa: PLC0415 (of an extra)
        from mdit_py_plugins.dollarmath import dollarmath_plugin  # noqa: PLC0415
        from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table").enable("strikethrough")
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    # A dollar beside a space or a digit is a price, as pandoc reads it.
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    parser.block.ruler.before("html_block", "html_table", _html_table, {"alt": ["paragraph"]})
    return parser


def _html_table(state: "StateBlock", start: int, stop: int, silent: bool) -> bool:  # noqa: FBT001 (a rule of the parser)
    """Add a table in HTML as one block, with the tables and the blank lines in it."""
    first = state.bMarks[start] + state.tShift[start]
    if not _TABLE_START.match(state.src, first):
        return False
    depth = 0
    for line in range(start, stop):
        source = state.src[state.bMarks[line] : state.eMarks[line]]
        depth += len(_TABLE_START.findall(source)) - len(_TABLE_END.findall(source))
        if depth <= 0:
            if not silent:
                state.line = line + 1
                token = state.push("html_table", "", 0)
                token.content = state.src[first : state.eMarks[line]]
            return True
    return False


def html_table_rows(markup: str) -> Rows:
    """Return the cells of the tables in a fragment of HTML, each as one line of text.

    A table inside a cell is text of that cell.

    >>> html_table_rows("<table><tr><th>Tea</th></tr><tr><td>gr<i>ee</i>n<br>fresh</td></tr></table>")
    (('Tea',), ('green fresh',))
    """
    body = turbohtml.parse(markup, positions=False).select_one("body")
    if body is None:
        return ()
    return tuple(
        tuple(" ".join("".join(_pieces(cell)).split()) for cell in _children(row, "td", "th"))
        for table in _children(body, "table")
        for section in (table, *_children(table, "thead", "tbody", "tfoot"))
        for row in _children(section, "tr")
    )


def _pieces(element: turbohtml.Element) -> Iterator[str]:
    """Yield the texts in an element, with a space before and after blocks and line breaks."""
    stack: list[turbohtml.Node | str] = [*reversed(element.children)]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, turbohtml.Element):
            apart = " " if node.tag not in _INLINE else ""
            stack += [apart, *reversed(node.children), apart]
        elif isinstance(node, turbohtml.Text):
            yield node.data


def _children(element: turbohtml.Element, *tags: str) -> Iterator[turbohtml.Element]:
    for child in element.children:
        if isinstance(child, turbohtml.Element) and child.tag in tags:
            yield child


class _Reader:
    """Reads the tokens of a text from the first to the last.

    `texts` are the texts of the blocks so far; `open` the containers that are open: the type, and where its texts
    begin.
    """

    def __init__(self) -> None:
        self.out = Elements()
        self.texts: list[str] = []
        self.open: list[tuple[str, int]] = []
        self.block = ""  # what the next inline token is the content of
        self.rows: list[tuple[str, ...]] = []

    def read(self, tokens: "Iterable[Token]") -> Elements:
        for token in tokens:
            self._read(token)
        self.out.text = "\n\n".join(self.texts)
        return self.out

    def _read(self, token: "Token") -> None:  # noqa: C901 (one case per type)
        out = self.out
        match token.type:
            case "heading_open" | "td_open" | "th_open":
                self.block = token.tag
            case "inline":
                self._content(self._inline(token.children or []))
            case "fence" | "code_block":
                out.code.append((token.info.split()[0].lower() if token.info.strip() else "", token.content))
                self._add(token.content)
            case "math_block" | "math_block_label":
                out.formulas.append(token.content.strip())
                self._add(token.content)
            case "html_table":
                rows = html_table_rows(token.content)
                out.tables.append(rows)
                self._add("\n".join(" ".join(row) for row in rows))
            case "html_block":
                self._add(html.unescape(_TAG.sub(" ", token.content)))
            case "tr_open":
                self.rows.append(())
            case "table_close":
                out.tables.append(tuple(self.rows))
                self._add("\n".join(" ".join(row) for row in self.rows))
                self.rows = []
            case "list_item_open" | "blockquote_open" | "footnote_reference_open":
                self.open.append((token.type.removesuffix("_open"), len(self.texts)))
            case "list_item_close" | "blockquote_close" | "footnote_reference_close":
                self._close(*self.open.pop())

    def _content(self, text: str) -> None:
        """Add the inline content of a block."""
        out, block, self.block = self.out, self.block, ""
        if block in {"td", "th"}:
            self.rows[-1] = (*self.rows[-1], " ".join(text.split()))
            return
        if block:
            text = " ".join(text.split())
            out.headings.append((int(block[1]), text))
        elif self.open and self.open[-1] == ("list_item", len(self.texts)):
            text = _BOX.sub("", text, count=1) if _BOX.match(text) else text
            depth = sum(kind == "list_item" for kind, _ in self.open)
            out.items.append((depth, text))
        self._add(text)

    def _add(self, text: str) -> None:
        if text.strip():
            self.texts.append(text.strip("\n"))

    def _close(self, kind: str, start: int) -> None:
        texts = self.texts[start:]
        if kind == "footnote_reference":
            self.out.notes.append("\n".join(texts))
        elif kind == "blockquote" and texts:
            callout = _CALLOUT.match(texts[0])
            if callout:
                texts[0] = self.texts[start] = texts[0][callout.end() :]
                self.out.callouts.append((callout[1].lower(), "\n".join(texts)))
            elif all(outer != "blockquote" for outer, _ in self.open):  # a quotation in another one is part of it
                self.out.quotes.append("\n".join(texts))

    def _inline(self, tokens: "list[Token]") -> str:  # noqa: C901 (one case per type)
        """Return the text of inline tokens, and add the elements among them."""
        out, pieces = self.out, list[str]()
        links: list[tuple[str, int]] = []  # that are open: the URL, and where the text begins
        for token in tokens:
            match token.type:
                case "text" | "text_special":
                    pieces.append(token.content)
                case "softbreak" | "hardbreak":
                    pieces.append("\n")
                case "code_inline":
                    out.inline_code.append(token.content)
                    pieces.append(token.content)
                case "math_inline" | "math_inline_double":
                    out.formulas.append(token.content.strip())
                    pieces.append(token.content)
                case "image":
                    out.pictures.append(str(token.attrs.get("src", "")))
                case "footnote_ref":
                    out.references.append(str(token.meta["label"]))
                case "html_inline":
                    pieces.append(" " if token.content.startswith("<br") else "")
                case "link_open":
                    links.append((str(token.attrs.get("href", "")), len(pieces)))
                case "link_close":
                    url, start = links.pop()
                    out.links.append((" ".join("".join(pieces[start:]).split()), url))
        return "\n".join(line.strip() for line in "".join(pieces).split("\n"))
