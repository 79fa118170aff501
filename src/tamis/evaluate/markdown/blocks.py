r"""Split Markdown into blocks: headings, code, formulas, tables and text.

This reads what extractors and corpora write: CommonMark's blocks without their nesting, tables as GitHub writes them
or as HTML, and formulas between ``$$`` or ``\[ \]`` on lines of their own. Each line is looked at a bounded number of
times.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tamis.evaluate.markdown.html_tables import html_table_rows

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
