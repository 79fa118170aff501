"""Find the code, the formulas and the tables of a Markdown text as the toolkit of WebMainBench does."""

import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final

from tamis.evaluate.markdown.blocks import Rows
from tamis.evaluate.markdown.html_tables import html_table_rows

_FENCE: Final = "```"
_INDENT: Final = ("    ", "\t")
#: Indented lines with one of these are a list or prose about money, not code.
_NOT_CODE: Final = re.compile(r"^(?:[-•*]|\d{1,20}\.)\s|\$[\d,]|\b(?:million|billion|thousand)\b", re.IGNORECASE)
_MIN_INDENTED_LINES: Final = 2
#: What opens and closes a formula, in the order in which they are searched.
_FORMULA_MARKS: Final = (("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)"))
_SEPARATOR_CELL: Final = re.compile(r":?-{3,}:?\Z")
#: A row that only separates others.
_RULE: Final = re.compile(r"[\s|:-]+\Z")
_TABLE: Final = re.compile(r"<(/?)table\b[^<>]{0,2000}>", re.IGNORECASE)


def find_code(markdown: str) -> str:
    r"""Return the lines of code: between fences, and at least two indented lines after an empty one.

    As in the toolkit, indented lines between fences count again, and a second block of indented lines counts only if
    two empty lines separate it from the first.

    >>> find_code("Pour:\n```py\npour()\n```\nThen\n\n    wait()\n    drink()\n")
    'pour()\nwait()\ndrink()'
    """
    blocks, _ = _split_fences(markdown)
    run: list[str] = []
    empty_lines = 0
    for line in [*markdown.split("\n")[1:], ""]:
        if line.startswith(_INDENT) and (run or empty_lines > 0):
            run.append(line)
            continue
        if len(run) >= _MIN_INDENTED_LINES:
            blocks += _indented_code(run)
            empty_lines = -1
        elif run:
            empty_lines = 0
        run = []
        empty_lines = 0 if line.strip() else empty_lines + 1
    return "\n".join(blocks)


def _split_fences(markdown: str) -> tuple[list[str], str]:
    """Return the code between fences, and the text around it."""
    parts = markdown.split(_FENCE)
    if len(parts) % 2 == 0:  # the last fence is not closed: what follows it is text
        parts[-2:] = [_FENCE.join(parts[-2:])]
    blocks = ["\n".join(part.split("\n")[1:-1]) for part in parts[1::2]]
    return [block for block in blocks if block], "".join(parts[::2])


def _remove_code(markdown: str) -> str:
    """Return the text without code blocks between fences and without code spans."""
    parts = _split_fences(markdown)[1].split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(parts[::2])


def _indented_code(lines: list[str]) -> list[str]:
    lines = [line for line in lines if line.strip()]
    if len(lines) < _MIN_INDENTED_LINES or any(_NOT_CODE.search(line.strip()) for line in lines):
        return []
    return ["\n".join(line[1:] if line.startswith("\t") else line[4:] for line in lines)]


def find_formulas(markdown: str) -> str:
    r"""Return the formulas, those on lines of their own first, one below another. Code is left out.

    >>> find_formulas(r"Is $a$ or `$x` or $$b$$ or \(c\)?")
    'b\na\nc'
    """
    text = _remove_code(markdown)
    found = (formula.strip() for marks in _FORMULA_MARKS for formula in _between(text, *marks))
    return "\n".join(formula for formula in found if formula)


def _between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield what is between marks that have no backslash before them."""
    position = 0
    while (start := _find_mark(text, opening, position)) >= 0:
        start += len(opening)
        end = _find_mark(text, closing, start)
        if end < 0:
            return
        yield text[start:end]
        position = end + len(closing)


def _find_mark(text: str, mark: str, position: int) -> int:
    found = text.find(mark, position)
    while found > 0 and text[found - 1] == "\\":
        found = text.find(mark, found + 1)
    return found


def find_tables(markdown: str) -> Rows:
    r"""Return the rows of all tables: those in HTML first, then those in Markdown. Empty cells are left out.

    >>> find_tables("a | b\n---|---\n1 | 2")
    (('a', 'b'), ('1', '2'))
    """
    rows = [row for source in _html_tables(markdown) for row in html_table_rows(source)]
    cells = (tuple(cell for cell in row if cell) for row in rows)
    return (*(row for row in cells if row), *_markdown_rows(_markdown_tables(markdown)))


def find_table_html(markdown: str) -> str:
    r"""Return the tables as the text that ``table_edit`` compares: HTML, without white space between its tags.

    Tables in Markdown become one table. If there are tables in HTML, all of them stay as they are written.

    >>> find_table_html("a | b\n---|---\n1 | 2")
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
    """
    in_html, in_markdown = list(_html_tables(markdown)), _markdown_tables(markdown)
    if in_html:
        return "\n".join([*in_html, *("\n".join(table) for table in in_markdown)])
    if not in_markdown:
        return ""
    rows = (
        "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
        for row, tag in zip(_markdown_rows(in_markdown), chain(["th"], repeat("td")), strict=False)
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _markdown_tables(markdown: str) -> list[list[str]]:
    """Return the lines of each table in Markdown: lines with a pipe, the second one a separator."""
    tables: list[list[str]] = []
    table: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        if "|" in line:
            table.append(line)
            continue
        if len(table) > 1 and _is_separator(table[1]):
            tables.append(table)
        table = []
    return tables


def _markdown_rows(tables: list[list[str]]) -> Rows:
    """Return the cells of tables in Markdown, without separators and empty cells."""
    lines = (line for table in tables for line in table if not _RULE.match(line))
    rows = (tuple(cell.strip() for cell in line.split("|") if cell.strip()) for line in lines)
    return tuple(row for row in rows if row)


def _is_separator(line: str) -> bool:
    return all(_SEPARATOR_CELL.match(cell) for cell in map(str.strip, line.split("|")) if cell)


def _html_tables(markdown: str) -> Iterator[str]:
    """Yield the source of each table in HTML that is not inside another one or in code."""
    markdown = _remove_code(markdown)
    depth, start = 0, 0
    for tag in _TABLE.finditer(markdown):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield markdown[start : tag.end()]
