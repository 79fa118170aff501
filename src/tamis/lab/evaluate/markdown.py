"""Read Markdown: blocks, inline parts, tables, and the text without marks."""

import html
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import turbohtml

__all__ = ["Block", "Elements", "markdown_text", "read_blocks", "read_elements"]

# Read tables that are HTML inside Markdown.


def html_table_rows(html: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of the tables in a fragment of HTML, each as one line of text.

    A table inside a cell is text of that cell.

    >>> html_table_rows("<table><tr><th>Tea</th></tr><tr><td>green<br>fresh</td></tr></table>")
    (('Tea',), ('green fresh',))
    """
    body = turbohtml.parse(html, positions=False).select_one("body")
    if body is None:
        return ()
    return tuple(
        tuple(" ".join(" ".join(cell.strings).split()) for cell in _children(row, "td", "th"))
        for table in _children(body, "table")
        for section in (table, *_children(table, "thead", "tbody", "tfoot"))
        for row in _children(section, "tr")
    )


def _children(element: turbohtml.Element, *tags: str) -> Iterator[turbohtml.Element]:
    for child in element.children:
        if isinstance(child, turbohtml.Element) and child.tag in tags:
            yield child


# Read the inline parts of a Markdown text: code spans, formulas, links, and the text without marks.
#
# The scan goes from left to right once. What a mark may enclose is found beforehand (brackets, runs of backticks)
# or is limited in length (formulas, tags, the destination of a link), so the cost is linear.

#: The longest formula, tag and link destination that is recognized, in characters.
_MAX_SPAN: Final = 2000
_BACKTICKS: Final = re.compile(r"`+")
_MARK: Final = re.compile(r"[\\`$!\[\]<*_~]")
#: A URL between angle brackets.
AUTOLINK: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000})>")
_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]{0,2000}|!--[^<>]{0,2000}--)>")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_PAIRED: Final = re.compile(r"\\.|[\[\]()]", re.DOTALL)
_CLOSING: Final = {"[": "]", "(": ")"}
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]{1,100}\]:?")


@dataclass(slots=True)
class Inline:
    """What a text has: its plain text, code spans, formulas, and links as pairs of text and URL."""

    text: str = ""
    code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def read_inline(source: str) -> Inline:
    r"""Return the inline parts of a text.

    >>> read_inline("Boil `water()`, **then** [pour](/pour 'now') $t^2$.")
    Inline(text='Boil water(), then pour t^2.', code=['water()'], formulas=['t^2'], links=[('pour', '/pour')])
    """
    return _Inline(source).read()


class _Inline:
    """`at` is the next character; `out` is the plain text so far; `open_links` are links whose text is being read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        self.result = Inline()
        self.pairs = matching_pairs(source)
        self.ticks: dict[int, list[int]] = {}
        for run in _BACKTICKS.finditer(source):
            self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        self.open_links: list[tuple[int, int, int, str | None]] = []  # close, end, start in `out`, URL

    def read(self) -> Inline:
        source = self.source
        while match := _MARK.search(source, self.at):
            self.out.append(source[self.at : match.start()])
            self.at = match.start()
            character = source[self.at]
            if character == "[" and (footnote := _FOOTNOTE.match(source, self.at)):
                self.at = footnote.end()
            elif character == "[" and self.at in self.pairs:
                self._link(self.pairs[self.at])
            elif character == "]" and self.open_links and self.open_links[-1][0] == self.at:
                self._close_link()
            elif not self._span(character):
                self._skip_mark(character)
        self.out.append(source[self.at :])
        self.result.text = html.unescape("".join(self.out))
        return self.result

    def _span(self, character: str) -> bool:
        """Read a code span, a formula, an escape or a tag that begins here; return False if there is none."""
        read = {"`": self._code, "$": self._dollars, "\\": self._escape, "<": self._tag}.get(character)
        return read is not None and read()

    def _escape(self) -> bool:
        """Read a formula between brackets with backslashes, or a mark that a backslash turns into a character."""
        source, at = self.source, self.at
        following = source[at + 1 : at + 2]
        closing = {"(": "\\)", "[": "\\]"}.get(following)
        end = source.find(closing, at + 2, at + _MAX_SPAN) if closing else -1
        if end > 0:
            self._formula(source[at + 2 : end], end + 2)
            return True
        if following not in _PUNCTUATION:
            return False
        self.out.append(html.escape(following) if following in "&<" else following)
        self.at += 2
        return True

    def _tag(self) -> bool:
        """Read an URL between angle brackets, or leave out a tag."""
        if link := AUTOLINK.match(self.source, self.at):
            self.result.links.append((link[1], link[1]))
            self.out.append(link[1])
            self.at = link.end()
            return True
        if tag := _TAG.match(self.source, self.at):
            self.out.append(" " if tag[0][1:3].lower() == "br" else "")
            self.at = tag.end()
            return True
        return False

    def _code(self) -> bool:
        run = _BACKTICKS.match(self.source, self.at)
        assert run is not None
        length = run.end() - run.start()
        starts = self.ticks[length]
        position = bisect_left(starts, run.end())
        if position == len(starts):
            self.out.append(run[0])
            self.at = run.end()
            return True
        code = " ".join(self.source[run.end() : starts[position]].split())
        self.result.code.append(code)
        self.out.append(html.escape(code, quote=False))
        self.at = starts[position] + length
        return True

    def _dollars(self) -> bool:
        """Read a formula between dollars; those of prices are followed by a space or a digit where one would end."""
        source, at = self.source, self.at
        mark = "$$" if source.startswith("$$", at) else "$"
        start = at + len(mark)
        end = source.find(mark, start, start + _MAX_SPAN)
        while end > 0 and source[end - 1] == "\\":
            end = source.find(mark, end + 1, start + _MAX_SPAN)
        inner = source[start:end] if end > 0 else ""
        if not inner.strip() or (
            mark == "$" and (inner[0].isspace() or inner[-1].isspace() or source[end + 1 : end + 2].isdigit())
        ):
            return False
        self._formula(inner, end + len(mark))
        return True

    def _formula(self, source: str, end: int) -> None:
        formula = source.strip()
        self.result.formulas.append(formula)
        self.out.append(html.escape(formula, quote=False))
        self.at = end

    def _link(self, close: int) -> None:
        """Enter the text of a link or an image; brackets without a destination are text."""
        destination = self._destination(close + 1)
        image = self.at > 0 and self.source[self.at - 1] == "!"
        if destination is None:
            self.out.append("[")
            self.at += 1
            return
        url, end = destination
        self.open_links.append((close, end, len(self.out), None if image else url))
        self.at += 1

    def _destination(self, at: int) -> tuple[str, int] | None:
        """Return the URL in parentheses at a position and where it ends; a title after it is left out."""
        end = self.pairs.get(at, -1) if self.source.startswith("(", at) else -1
        if not 0 < end - at < _MAX_SPAN:
            return None
        inner = self.source[at + 1 : end].strip()
        url = inner[1 : inner.find(">")] if inner.startswith("<") and ">" in inner else inner.partition(" ")[0]
        return url, end + 1

    def _close_link(self) -> None:
        _, end, start, url = self.open_links.pop()
        if url is None:  # an image: its description is not text of the page
            del self.out[start:]
        else:
            self.result.links.append((" ".join(html.unescape("".join(self.out[start:])).split()), url))
        self.at = end

    def _skip_mark(self, character: str) -> None:
        """Leave out marks of emphasis and the ``!`` of an image; keep other characters."""
        source, at = self.source, self.at
        end = at + 1
        while end < len(source) and source[end] == character and character in "*_~":
            end += 1
        before, after = source[at - 1 : at] if at else "", source[end : end + 1]
        inside_word = before.isalnum() and after.isalnum()
        emphasis = (
            (character == "*" and (before.strip() or after.strip()))
            or (character == "_" and not inside_word)
            or (character == "~" and end - at == len("~~"))
        )
        image = character == "!" and after == "["
        if not emphasis and not image:
            self.out.append(source[at:end])
        self.at = end


def matching_pairs(source: str) -> dict[int, int]:
    """Return the position of the closing bracket or parenthesis for each opening one, in linear time.

    >>> matching_pairs("[a](b)")
    {0: 2, 3: 5}
    """
    pairs: dict[int, int] = {}
    stacks: dict[str, list[int]] = {"]": [], ")": []}
    for match in _PAIRED.finditer(source):
        if match[0] in _CLOSING:
            stacks[_CLOSING[match[0]]].append(match.start())
        elif match[0] in stacks and stacks[match[0]]:
            pairs[stacks[match[0]].pop()] = match.start()
    return pairs


# Split Markdown into blocks: headings, code, formulas, tables and text.
#
# This reads what extractors and corpora write: CommonMark's blocks without their nesting, tables as GitHub writes
# them or as HTML, and formulas between ``$$`` or ``\[ \]`` on lines of their own. Each line is looked at a bounded
# number of times.

BlockType = Literal["heading", "code", "formula", "table", "text"]
#: Cells by row.
Rows = tuple[tuple[str, ...], ...]

#: Quotation marks and list markers at the beginning of a line, and its indentation.
_CONTAINERS: Final = re.compile(r"(?:[ \t]{0,20}>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?")
_LIST_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})([^`]*)\Z")
_HEADING: Final = re.compile(r"(#{1,6})(?:[ \t]+|\Z)")
_UNDERLINE: Final = re.compile(r"[ \t]*(?:=+|-+)[ \t]*\Z")
_DELIMITER_CELL: Final = re.compile(r":?-+:?\Z")
_INDENT: Final = ("    ", "\t")
_TABLE_START: Final = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_END: Final = re.compile(r"</table\s*>", re.IGNORECASE)
#: What opens a formula on lines of its own, and what closes it.
_FORMULA_MARKS: Final = (("$$", "$$"), ("\\[", "\\]"))


@dataclass(frozen=True, slots=True)
class Block:
    """A block of Markdown.

    Attributes:
        type: its type.
        text: its source without the marks of its type: the lines of code, the formula, the text of a heading.
        level: the level of a heading.
        rows: the cells of a table, as Markdown.
    """

    type: BlockType
    text: str
    level: int = 0
    rows: Rows = ()


def read_blocks(markdown: str) -> list[Block]:
    r"""Return the blocks of a Markdown text. Lines of text that follow one another are one block.

    >>> [(block.type, block.text) for block in read_blocks("# Tea\nBoil\nwater.\n\n```\npour()\n```\n$$\nx^2\n$$")]
    [('heading', 'Tea'), ('text', 'Boil\nwater.'), ('code', 'pour()'), ('formula', 'x^2')]
    >>> read_blocks("a | b\n--|--\n1 | 2")[0].rows
    (('a', 'b'), ('1', '2'))
    """
    return list(_Scanner(markdown.splitlines()).blocks())


def split_cells(line: str) -> tuple[str, ...]:
    r"""Return the cells of a table row. A pipe after a backslash does not separate cells.

    >>> split_cells(r"| a \| b | `c` |")
    ('a | b', '`c`')
    """
    cells = line.strip().replace("\\|", "\0").split("|")
    if len(cells) > 1 and not cells[0].strip():
        del cells[0]
    if len(cells) > 1 and not cells[-1].strip():
        del cells[-1]
    return tuple(cell.strip().replace("\0", "|") for cell in cells)


def is_delimiter_row(line: str) -> bool:
    """Return whether a line separates the header of a table from its body.

    >>> is_delimiter_row("| --- | :-: |"), is_delimiter_row("---")
    (True, False)
    """
    return "|" in line and all(_DELIMITER_CELL.match(cell) for cell in split_cells(line))


class _Scanner:
    """Reads lines from the top down. `at` is the next line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.text: list[str] = []
        self.in_list = False
        self.unclosed: set[str] = set()  # marks that do not occur in the rest of the lines

    def blocks(self) -> Iterator[Block]:
        while self.at < len(self.lines):
            block = self._special()
            if block is not None:
                yield from self._flush()
                yield block
                continue
            line = self.lines[self.at]
            self.at += 1
            if line.strip():
                self.text.append(line)
                if not line.startswith(_INDENT):
                    self.in_list = bool(_LIST_ITEM.match(line))
            else:
                yield from self._flush()
        yield from self._flush()

    def _flush(self) -> Iterator[Block]:
        if self.text:
            yield Block("text", "\n".join(self.text))
            self.text = []

    def _special(self) -> Block | None:
        """Return the block that begins at this line if it is not text."""
        line = self.lines[self.at]
        if not self.text and not self.in_list and line.startswith(_INDENT) and line.strip():
            return self._indented()
        match = _CONTAINERS.match(line)
        start = match.end() if match else 0
        content = line[start:]
        if content[:1] in {"`", "~"} and (fence := _FENCE.match(content)):
            return self._fenced(fence[1], start)
        if content[:1] in {"$", "\\"}:
            return self._formula(content)
        if content[:1] == "<" and _TABLE_START.match(content):
            return self._html_table()
        following = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        if "|" in content and is_delimiter_row(following[start:] or following):
            return self._table(start)
        return self._heading(line, content, following)

    def _heading(self, line: str, content: str, following: str) -> Block | None:
        """Read a heading that begins with ``#``, or that is underlined with ``=`` or ``-``."""
        if heading := _HEADING.match(content):
            self.at += 1
            text = content[heading.end() :].rstrip()
            closed = text.rstrip("#")
            return Block("heading", (closed if not closed or closed[-1] in " \t" else text).strip(), len(heading[1]))
        underlined = content and not self.text and _UNDERLINE.match(following)
        if underlined and not _LIST_ITEM.match(line) and not _is_rule(content):
            self.at += 2
            return Block("heading", content.strip(), 1 if "=" in following else 2)
        return None

    def _indented(self) -> Block:
        """Read lines that are indented by four spaces, and the empty lines between them."""
        code: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and not line.startswith(_INDENT):
                break
            code.append(line[1:] if line.startswith("\t") else line[4:])
            self.at += 1
        return Block("code", "\n".join(code).strip("\n"))

    def _fenced(self, fence: str, indent: int) -> Block:
        """Read code between fences. Without a second fence it ends with the text."""
        code: list[str] = []
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            content = line.strip(" \t>")
            if content.startswith(fence) and not content.strip(fence[0]):
                break
            code.append(line[indent:] if not line[:indent].strip(" \t>") else line)
        return Block("code", "\n".join(code).strip("\n"))

    def _formula(self, content: str) -> Block | None:
        for opening, closing in _FORMULA_MARKS:
            if not content.startswith(opening):
                continue
            first = content[len(opening) :].rstrip()
            if first.endswith(closing):
                self.at += 1
                return Block("formula", first[: -len(closing)].strip())
            if closing in first or closing in self.unclosed:
                return None
            for number in range(self.at + 1, len(self.lines)):
                line = self.lines[number].strip(" \t>")
                if line.endswith(closing):
                    inner = [first, *(each.strip(" \t>") for each in self.lines[self.at + 1 : number])]
                    self.at = number + 1
                    return Block("formula", "\n".join([*inner, line[: -len(closing)]]).strip())
            self.unclosed.add(closing)
        return None

    def _table(self, indent: int) -> Block:
        start = self.at
        rows = [split_cells(self.lines[start][indent:])]
        self.at += 2
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            rows.append(split_cells(self.lines[self.at].lstrip(" \t>")))
            self.at += 1
        return Block("table", "\n".join(self.lines[start : self.at]), rows=tuple(rows))

    def _html_table(self) -> Block | None:
        """Read a table in HTML, with the tables in it. Without an end tag it is text."""
        if "</table>" in self.unclosed:
            return None
        depth = 0
        for number in range(self.at, len(self.lines)):
            line = self.lines[number]
            depth += len(_TABLE_START.findall(line)) - len(_TABLE_END.findall(line))
            if depth <= 0:
                source = "\n".join(self.lines[self.at : number + 1])
                self.at = number + 1
                return Block("table", source, rows=html_table_rows(source))
        self.unclosed.add("</table>")
        return None


def _is_rule(content: str) -> bool:
    return not content.strip(" \t-=*_|:")


# The text and the elements of a Markdown text.


@dataclass(slots=True)
class Elements:
    """The elements of a Markdown text, each list in the order of the text.

    Attributes:
        code: code blocks.
        inline_code: code spans.
        formulas: formulas, inline and on lines of their own.
        tables: tables as rows of cells, without marks.
        headings: the texts of headings.
        links: pairs of text and URL.
    """

    code: list[str] = field(default_factory=list)
    inline_code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def read_elements(markdown: str) -> Elements:
    r"""Return the elements of a Markdown text.

    >>> read_elements("# Tea\n\nBoil [water](/w) to $100$.\n\n| a |\n|---|\n| `b` |")
    Elements(code=[], inline_code=['b'], formulas=['100'], tables=[(('a',), ('b',))], headings=['Tea'],
    links=[('water', '/w')])
    """
    return _read(markdown)[0]


def markdown_text(markdown: str) -> str:
    r"""Return the text of Markdown without its marks, a line for each line, cells separated by a space.

    >>> markdown_text("# Tea\n\n- **Boil** [water](/w)\n- pour\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    'Tea\n\nBoil water\npour\n\na b\n1 2'
    """
    return _read(markdown)[1]


def _read(markdown: str) -> tuple[Elements, str]:
    elements, texts = Elements(), []

    def inline(source: str) -> str:
        parts: Inline = read_inline(source)
        elements.inline_code += parts.code
        elements.formulas += parts.formulas
        elements.links += parts.links
        return parts.text

    for block in read_blocks(markdown):
        if block.type == "code":
            elements.code.append(block.text)
            text = block.text
        elif block.type == "formula":
            elements.formulas.append(block.text)
            text = block.text
        elif block.type == "table":
            rows = tuple(tuple(inline(cell).strip() for cell in row) for row in block.rows)
            elements.tables.append(rows)
            text = "\n".join(" ".join(row) for row in rows)
        elif block.type == "heading":
            text = " ".join(inline(block.text).split())
            elements.headings.append(text)
        else:
            text = "\n".join(line.strip() for line in inline(_strip_markers(block.text)).splitlines())
        if text.strip():
            texts.append(text.strip("\n"))
    return elements, "\n\n".join(texts)


def _strip_markers(text: str) -> str:
    """Return lines without the marks of quotations, list items and rules."""
    return "\n".join(_strip_marker(line) for line in text.splitlines())


def _strip_marker(line: str) -> str:
    content = line.lstrip(" \t>")
    if content and not content.strip("-*_ \t"):
        return ""
    first, _, rest = content.partition(" ")
    number = first[:-1]
    if first in {"-", "*", "+"} or (first[-1:] in {".", ")"} and number.isdecimal() and len(number) < 10):  # noqa: PLR2004
        return rest.removeprefix("[ ] ").removeprefix("[x] ")
    return content


# Read Markdown for the evaluation: its text, and its code, formulas, tables, headings and links.
