"""Find the code, the formulas and the tables of a Markdown text as the toolkit of WebMainBench does."""

import re
from collections.abc import Iterator
from typing import Final

from tamis.evaluate.markdown.blocks import Rows, split_cells
from tamis.evaluate.markdown.html_tables import html_table_rows

_FENCE: Final = "```"
_INDENT: Final = ("    ", "\t")
#: Indented lines with one of these are a list or prose about money, not code.
_NOT_CODE: Final = re.compile(r"^(?:[-•*]|\d{1,20}\.)\s|\$[\d,]|\b(?:million|billion|thousand)\b", re.IGNORECASE)
_MIN_INDENTED_LINES: Final = 2
#: What opens and closes a formula, in the order in which they are searched.
_FORMULA_MARKS: Final = (("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)"))
_SEPARATOR_CELL: Final = re.compile(r":?-{3,}:?\Z")
_TABLE: Final = re.compile(r"<(/?)table\b[^<>]{0,2000}>", re.IGNORECASE)


def find_code(markdown: str) -> str:
    r"""Return the lines of code: between fences, or at least two indented lines after an empty one.

    >>> find_code("Pour:\n```py\npour()\n```\nThen\n\n    wait()\n    drink()\n")
    'pour()\nwait()\ndrink()'
    """
    blocks, rest = _split_fences(markdown)
    lines = rest.split("\n")
    run: list[str] = []
    after_empty = False
    for line in [*lines[1:], ""]:
        if line.startswith(_INDENT) and (run or after_empty):
            run.append(line)
            continue
        if run:
            blocks += _indented_code(run)
            run = []
        after_empty = not line.strip()
    return "\n".join(blocks)


def _split_fences(markdown: str) -> tuple[list[str], str]:
    """Return the code between fences, and the text around it."""
    parts = markdown.split(_FENCE)
    if len(parts) % 2 == 0:  # the last fence is not closed: what follows it is text
        parts[-2:] = [_FENCE.join(parts[-2:])]
    blocks = ["\n".join(part.split("\n")[1:-1]) for part in parts[1::2]]
    return [block for block in blocks if block], "\n\n".join(parts[::2])


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
    _, text = _split_fences(markdown)
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    text = "".join(parts[::2])
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
    table: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        if "|" in line:
            table.append(line)
            continue
        if len(table) > 1 and _is_separator(table[1]):
            rows += [split_cells(each) for each in table if not _is_separator(each)]
        table = []
    cells = (tuple(cell for cell in row if cell) for row in rows)
    return tuple(row for row in cells if row)


def _is_separator(line: str) -> bool:
    return all(_SEPARATOR_CELL.match(cell) for cell in map(str.strip, line.split("|")) if cell)


def _html_tables(markdown: str) -> Iterator[str]:
    """Yield the source of each table in HTML that is not inside another one."""
    depth, start = 0, 0
    for tag in _TABLE.finditer(markdown):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield markdown[start : tag.end()]
