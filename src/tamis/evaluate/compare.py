"""One page, several tools side by side: which blocks of the page each tool keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from tamis.errors import SourceError
from tamis.evaluate.align import aligned_words
from tamis.evaluate.difference import split_tokens, token_key
from tamis.evaluate.html_page import html_page
from tamis.evaluate.table import display_width
from tamis.evaluate.tools import Tool
from tamis.evaluate.words import is_cjk
from tamis.page import parse_page
from tamis.page.sums import Bools
from tamis.render.row_text import block_texts

_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class Row:
    """A block of the page as tokens, and for each tool a mask of the tokens that it keeps."""

    tokens: tuple[str, ...]
    kept: tuple[Bools, ...]

    @property
    def text(self) -> str:
        """The text of the block."""
        return "".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Column:
    """The output of a tool.

    Attributes:
        name: the name of the tool.
        words: the number of words that it returned.
        unaligned: how many of them are not on the page, or not in this order.
        error: why it failed, or None.
    """

    name: str
    words: int
    unaligned: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A page, and what several tools keep of it."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def compare_page(html: str, tools: Sequence[Tool], url: str | None = None, name: str = "page") -> Comparison:
    """Run tools on one page and align their outputs with its blocks.

    >>> from tamis.evaluate.tools import TamisTool
    >>> comparison = compare_page("<p>One two.<p>Three.", [TamisTool("body")])
    >>> [(row.text, row.kept[0].tolist()) for row in comparison.rows]
    [('One two.', [True, True]), ('Three.', [True])]
    """
    page = parse_page(html)
    texts = [text for _, text in block_texts(page, page.shown)]
    cjk = is_cjk("\n".join(texts))
    blocks = [split_tokens(text, cjk=cjk) for text in texts]
    page_keys = [token_key(token) for block in blocks for token in block]
    outputs, masks = [], []
    for tool in tools:
        text, error = _run(tool, html, url)
        output_keys = [token_key(token) for token in split_tokens(text, cjk=cjk)]
        mask = aligned_words(page_keys, output_keys)
        if mask is None:
            raise SourceError("the page is too long to be compared word by word")
        masks.append(mask)
        outputs.append((tool.name, len(output_keys), error))
    rows, start = [], 0
    for block in blocks:
        stop = start + len(block)
        for mask in masks:
            if _is_chance_match(mask[start:stop]):
                mask[start:stop] = False
        rows.append(Row(tuple(block), tuple(mask[start:stop] for mask in masks)))
        start = stop
    columns = [
        Column(tool_name, words, words - int(mask.sum()), error)
        for (tool_name, words, error), mask in zip(outputs, masks, strict=True)
    ]
    return Comparison(name, tuple(columns), tuple(rows))


def _run(tool: Tool, html: str, url: str | None) -> tuple[str, str | None]:
    """Return the text of a page, or no text and the error."""
    try:
        return tool.text(html, url), None
    except Exception as error:  # noqa: BLE001 (whatever a tool raises is shown)
        return "", f"{type(error).__name__}: {error}"


def _is_chance_match(kept: Bools) -> bool:
    """Return whether the aligned words of a block match by chance: under half of it, and never three in a row."""
    if 2 * kept.sum() >= len(kept):
        return False
    return not (kept[2:] & kept[1:-1] & kept[:-2]).any()


def comparison_text(comparison: Comparison, width: int = 100) -> str:
    """Return a comparison for a terminal. Blocks that no tool keeps are counted, not shown."""
    count = max(1, len(comparison.columns))
    column_width = max(16, (width - 3 * (count - 1)) // count)
    lines = _side_by_side([_heading(column) for column in comparison.columns], column_width)
    lines.append("─┼─".join(["─" * column_width] * count))
    for is_dropped, group in groupby(comparison.rows, key=_kept_by_none):
        rows = list(group)
        if is_dropped:
            note = f"┄ {_count_blocks(rows)} that no tool keeps ┄"
            lines.append(note.center(column_width * count + 3 * (count - 1)).rstrip())
            continue
        for row in rows:
            lines += _side_by_side([_kept_text(row, kept) for kept in row.kept], column_width)
            lines.append(" │ ".join([" " * column_width] * count).rstrip())
    return "\n".join(lines)


def _kept_by_none(row: Row) -> bool:
    return not any(kept.any() for kept in row.kept)


def _count_blocks(rows: Sequence[Row]) -> str:
    return f"{len(rows)} block{'s' if len(rows) > 1 else ''}"


def _heading(column: Column) -> str:
    if column.error:
        return f"{column.name}: {column.error}"
    unaligned = f", {column.unaligned} not on the page in this order" if column.unaligned else ""
    return f"{column.name}: {column.words} words{unaligned}"


def _runs(row: Row, kept: Bools) -> list[tuple[bool, str]]:
    """Return the text of a block as runs that are kept or dropped."""
    groups = groupby(zip(row.tokens, kept.tolist(), strict=True), key=lambda pair: pair[1])
    return [(is_kept, "".join(token for token, _ in group)) for is_kept, group in groups]


def _kept_text(row: Row, kept: Bools) -> str:
    """Return the kept words of a block, with an ellipsis for what is dropped."""
    if not kept.any():
        return ""
    return "".join(text if is_kept else f"{_ELLIPSIS} " for is_kept, text in _runs(row, kept))


def _side_by_side(cells: Sequence[str], column_width: int) -> list[str]:
    wrapped = [_wrap(cell, column_width) for cell in cells]
    lines = []
    for number in range(max(map(len, wrapped), default=0)):
        parts = [cell[number] if number < len(cell) else "" for cell in wrapped]
        lines.append(" │ ".join(text + " " * (column_width - display_width(text)) for text in parts).rstrip())
    return lines


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a text to lines of at most `width` columns, between words, or within a word that is longer."""
    lines: list[str] = []
    line = ""
    for token in split_tokens(" ".join(text.split()), cjk=is_cjk(text)):
        if line and display_width(line + token.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += token
        while display_width(line.rstrip()) > width:
            end = next(end for end in range(len(line), 0, -1) if display_width(line[:end]) <= width)
            lines.append(line[:end])
            line = line[end:]
    if line.strip():
        lines.append(line.rstrip())
    return lines


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as an HTML page. Blocks that no tool keeps are folded."""
    count = len(comparison.columns)
    head = "".join(
        f"<th>{escape(column.name)}<br><small{' class=error' if column.error else ''}>"
        f"{escape(_heading(column).removeprefix(f'{column.name}: '))}</small></th>"
        for column in comparison.columns
    )
    body = []
    for is_dropped, group in groupby(comparison.rows, key=_kept_by_none):
        rows = list(group)
        if is_dropped:
            texts = "\n".join(escape(row.text) for row in rows)
            body.append(
                f'<tr><td class="gap" colspan="{count}"><details><summary>{_count_blocks(rows)} '
                f"that no tool keeps</summary>"
                f'<div class="diff" style="text-align:left">{texts}</div></details></td></tr>'
            )
            continue
        body += ["<tr>" + "".join(_cell(row, kept) for kept in row.kept) + "</tr>" for row in rows]
    title = f"{comparison.name}, side by side"
    return html_page(
        title,
        f'<h1>{escape(title)}</h1><p class="note">Each row is a block of the page. Tinted: kept whole. '
        "<del>Struck out</del>: dropped from a block that is kept in part.</p>"
        f'<table class="sides"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>',
    )


def _cell(row: Row, kept: Bools) -> str:
    if kept.all():
        return f'<td class="text whole">{escape(row.text)}</td>'
    if not kept.any():
        return '<td class="none">dropped</td>'
    runs = [escape(text) if is_kept else f"<del>{escape(text)}</del>" for is_kept, text in _runs(row, kept)]
    return f'<td class="text">{"".join(runs)}</td>'
