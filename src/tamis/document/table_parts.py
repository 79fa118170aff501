"""Tables: which row is the header where the page declares none, and cells without selected text."""

from dataclasses import replace
from typing import Final

from tamis.document.document import flatten
from tamis.document.frames import Frame
from tamis.document.parts import Cell, Paragraph, Part, Row
from tamis.document.span_tools import without_bold
from tamis.document.spans import Emphasis, plain_text
from tamis.html import tags
from tamis.page import Page

_MIN_ROWS: Final = 2  #: of a table whose first row is its header because it is bold
_MIN_VALUE_ROWS: Final = 3  #: of a table whose first row is its header because values are below it
_MAX_HEADER_CHARS: Final = 40  #: of the name of a column
_MAX_BOLD_HEADER_CHARS: Final = 80  #: of one that is bold, as no other cell is
_MAX_LABEL_WORDS: Final = 3  #: of the name of a column of phrases …
_MIN_PHRASE_WORDS: Final = 5  #: … of each of these phrases …
_MIN_PHRASE_ROWS: Final = 3  #: … and how many there are: the values of a shorter table may be long, except the first


def add_empty_cell(page: Page, frame: Frame, row: int) -> None:
    """Add an empty cell for one without selected text, so that the columns stay aligned."""
    frame.parts.append(
        Cell(element=row, first=row, stop=row + 1, parts=(), header=bool(page.tag[row] == tags.IDS["th"]))
    )


def with_header(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return rows of which the first is the header, if no cell is declared as one and it reads as one."""
    if len(rows) < _MIN_ROWS or any(row.header or any(cell.header for cell in row.cells) for row in rows):
        return rows
    cells = [[plain_text(flatten(cell.parts)).strip() for cell in row.cells] for row in rows]
    names, others = cells[0], cells[1:]
    bold_rows = [all(_is_bold(cell) for cell in row.cells if cell.parts) for row in rows[:3]]
    is_bold = bold_rows[0] and not any(bold_rows[1:])
    max_chars = _MAX_BOLD_HEADER_CHARS if is_bold else _MAX_HEADER_CHARS
    is_short = all(len(name) <= max_chars and not _is_value(name) for name in names)
    if len(names) < 2 or not all(names[1:]) or len(set(names)) < len(names) or not is_short:  # noqa: PLR2004 (columns)
        return rows
    columns = [[row[column] for row in others if len(row) > column] for column in range(len(names))]
    has_values = len(rows) >= _MIN_VALUE_ROWS and any(
        2 * sum(map(_is_value, cells)) > len(others) for cells in columns
    )
    if not is_bold and not has_values and not _name_phrases(names, columns, len(others)):
        return rows
    header = tuple(replace(cell, header=True, parts=tuple(map(_unbold, cell.parts))) for cell in rows[0].cells)
    return (replace(rows[0], cells=header, header=True), *rows[1:])


def _unbold(part: Part) -> Part:
    return replace(part, spans=without_bold(part.spans)) if isinstance(part, Paragraph) else part


def _name_phrases(names: list[str], columns: list[list[str]], row_count: int) -> bool:
    """Tell whether the cells of a row name columns, one of which has nothing but phrases: "Pros" and "Cons"."""
    if row_count < _MIN_PHRASE_ROWS or any(name.endswith((":", "：")) for name in names):
        return False
    return any(
        len(name.split()) <= _MAX_LABEL_WORDS
        and len(cells) == row_count
        and all(len(cell.split()) >= _MIN_PHRASE_WORDS for cell in cells)
        for name, cells in zip(names, columns, strict=True)
    )


def _is_value(text: str) -> bool:
    """Tell whether a cell holds a number, an amount or a date: most of its characters are digits and signs."""
    digits = sum(char.isdigit() for char in text)
    return digits > 0 and 2 * digits >= sum(char.isalnum() for char in text)


def _is_bold(cell: Cell) -> bool:
    spans = flatten(cell.parts)
    return len(spans) == 1 and isinstance(spans[0], Emphasis) and spans[0].tag == "strong"
