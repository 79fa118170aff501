"""One page, several tools side by side: for each block of the page, what each of them keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

import numpy as np

from tamis.errors import SourceError
from tamis.evaluate.align import align
from tamis.evaluate.difference import key_of, pieces_of
from tamis.evaluate.style import document
from tamis.evaluate.table import display_width
from tamis.evaluate.tools import Tool
from tamis.evaluate.words import by_character
from tamis.page import parse_page
from tamis.page.sums import Bools
from tamis.render.row_text import block_texts

_LEFT_OUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Row:
    """A block of the page, cut into pieces, and for each tool which pieces it keeps."""

    pieces: tuple[str, ...]
    kept: tuple[Bools, ...]

    @property
    def text(self) -> str:
        """The block's text."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Column:
    """A tool's whole result: how many words, how many of them are not on the page in this order, or its error."""

    name: str
    words: int
    elsewhere: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A page as seen by several tools."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def compare_page(html: str, tools: Sequence[Tool], url: str | None = None, name: str = "page") -> Comparison:
    """Run tools on one page and lay their results out along it.

    >>> from tamis.evaluate.tools import Own
    >>> found = compare_page("<p>One two.<p>Three.", [Own("body")])
    >>> [(row.text, row.kept[0].tolist()) for row in found.rows]
    [('One two.', [True, True]), ('Three.', [True])]
    """
    page = parse_page(html)
    blocks = [text for _, text in block_texts(page, page.shown)]
    characters = by_character("\n".join(blocks))
    cut = [pieces_of(block, characters=characters) for block in blocks]
    keys = [key_of(piece) for block in cut for piece in block]
    columns, masks = [], []
    for tool in tools:
        error = None
        try:
            text = tool.text(html, url)
        except Exception as problem:  # noqa: BLE001 (whatever a tool raises is what there is to show)
            text, error = "", f"{type(problem).__name__}: {problem}"
        pieces = [key_of(piece) for piece in pieces_of(text, characters=characters)]
        stretches = align(keys, pieces)
        if stretches is None:
            raise SourceError("the page is too long to be compared word by word")
        mask = np.zeros(len(keys), dtype=np.bool_)
        for stretch in stretches:
            mask[stretch.left : stretch.left + stretch.length] = True
        masks.append(mask)
        columns.append((tool.name, len(pieces), error))
    rows, start = [], 0
    for block in cut:
        stop = start + len(block)
        for mask in masks:
            if _stray(mask[start:stop]):
                mask[start:stop] = False
        rows.append(Row(tuple(block), tuple(mask[start:stop] for mask in masks)))
        start = stop
    told = zip(columns, masks, strict=True)
    made = [Column(tool, words, words - int(mask.sum()), error) for (tool, words, error), mask in told]
    return Comparison(name, tuple(made), tuple(rows))


def _stray(kept: Bools) -> bool:
    """Return whether what aligns in a block is chance: less than half of it, and never three words in a row."""
    if 2 * kept.sum() >= len(kept):
        return False
    return not (kept[2:] & kept[1:-1] & kept[:-2]).any()


def side_by_side(comparison: Comparison, width: int = 100) -> str:
    """Return a comparison for a terminal; blocks that no tool keeps are counted, not shown."""
    count = max(1, len(comparison.columns))
    wide = max(16, (width - 3 * (count - 1)) // count)
    lines = _columns([_heading(column) for column in comparison.columns], wide)
    lines.append("─┼─".join(["─" * wide] * count))
    for lost, group in groupby(comparison.rows, key=_nobody):
        rows = list(group)
        if lost:
            told = f"┄ {len(rows)} block{'s' if len(rows) > 1 else ''} that none keeps ┄"
            lines.append(told.center(wide * count + 3 * (count - 1)).rstrip())
            continue
        for row in rows:
            lines += _columns([_shortened(row, kept) for kept in row.kept], wide)
            lines.append(" │ ".join([" " * wide] * count).rstrip())
    return "\n".join(lines)


def _nobody(row: Row) -> bool:
    return not any(kept.any() for kept in row.kept)


def _heading(column: Column) -> str:
    if column.error:
        return f"{column.name}: {column.error}"
    elsewhere = f", {column.elsewhere} not on the page in this order" if column.elsewhere else ""
    return f"{column.name}: {column.words} words{elsewhere}"


def _shortened(row: Row, kept: Bools) -> str:
    """Return the kept words of a block, with a sign for what is left out of its middle."""
    if not kept.any():
        return ""
    out = []
    for keep, group in groupby(zip(row.pieces, kept.tolist(), strict=True), key=lambda pair: pair[1]):
        out.append("".join(piece for piece, _ in group) if keep else f"{_LEFT_OUT} ")
    return "".join(out)


def _columns(cells: Sequence[str], wide: int) -> list[str]:
    wrapped = [_wrapped(cell, wide) for cell in cells]
    height = max(map(len, wrapped), default=0)
    out = []
    for number in range(height):
        line = [cell[number] if number < len(cell) else "" for cell in wrapped]
        out.append(" │ ".join(text + " " * (wide - display_width(text)) for text in line).rstrip())
    return out


def _wrapped(text: str, wide: int) -> list[str]:
    """Return a text in lines of at most `wide` columns, cut between words, or anywhere where there are none."""
    out: list[str] = []
    line = ""
    for piece in pieces_of(" ".join(text.split()), characters=by_character(text)):
        if line and display_width(line + piece.rstrip()) > wide:
            out.append(line.rstrip())
            line = ""
        line += piece
        while display_width(line.rstrip()) > wide:
            fit = next(end for end in range(len(line), 0, -1) if display_width(line[:end]) <= wide)
            out.append(line[:fit])
            line = line[fit:]
    if line.strip():
        out.append(line.rstrip())
    return out


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as a page: kept blocks in colour, what is left out of them struck, runs of rest folded."""
    count = len(comparison.columns)
    head = "".join(
        f"<th>{escape(column.name)}<br><small{' class=error' if column.error else ''}>"
        f"{escape(_heading(column).removeprefix(f'{column.name}: '))}</small></th>"
        for column in comparison.columns
    )
    body = []
    for lost, group in groupby(comparison.rows, key=_nobody):
        rows = list(group)
        if lost:
            texts = "\n".join(escape(row.text) for row in rows)
            body.append(
                f'<tr><td class="gap" colspan="{count}"><details><summary>{len(rows)} '
                f"block{'s' if len(rows) > 1 else ''} that none keeps</summary>"
                f'<div class="diff" style="text-align:left">{texts}</div></details></td></tr>'
            )
            continue
        body += ["<tr>" + "".join(_cell(row, kept) for kept in row.kept) + "</tr>" for row in rows]
    title = f"{comparison.name}, side by side"
    return document(
        title,
        f'<h1>{escape(title)}</h1><p class="note">A row is a block of the page. Tinted: kept whole. '
        "<del>Struck out</del>: left out of a block that is kept in part.</p>"
        f'<table class="sides"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>',
    )


def _cell(row: Row, kept: Bools) -> str:
    if kept.all():
        return f'<td class="text whole">{escape(row.text)}</td>'
    if not kept.any():
        return '<td class="none">left out</td>'
    runs = []
    for keep, group in groupby(zip(row.pieces, kept.tolist(), strict=True), key=lambda pair: pair[1]):
        text = escape("".join(piece for piece, _ in group))
        runs.append(text if keep else f"<del>{text}</del>")
    return f'<td class="text">{"".join(runs)}</td>'
