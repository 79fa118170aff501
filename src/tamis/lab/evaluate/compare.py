"""One page, several tools side by side: the comparison, as text and as an HTML page."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, Literal

import numpy as np

from tamis.errors import SourceError, TamisError
from tamis.lab.evaluate.metrics import aligned_words, is_cjk, matching_blocks
from tamis.lab.evaluate.report import html_page, split_tokens, token_key
from tamis.lab.evaluate.table import display_width
from tamis.lab.evaluate.tools import TamisTool, Tool
from tamis.page import Page, parse_page
from tamis.page.sums import Bools
from tamis.render.text import block_texts

# One page, several tools side by side: which blocks of the page each tool keeps.
#
# What an extractor of Tamis keeps is its selection. The text of another program is aligned with the page, word by
# word, which needs rapidfuzz.


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
        unaligned: how many of its words are not on the page, or not in this order.
        hidden: how many of its words are text of the page that is not shown to a reader.
    """

    name: str
    words: int
    unaligned: int
    hidden: int = 0
    error: str | None = None

    @property
    def facts(self) -> str:
        """What there is to say about the output, in one line."""
        if self.error:
            return self.error
        hidden = f", {self.hidden} of them hidden on the page" if self.hidden else ""
        unaligned = f", {self.unaligned} not on the page in this order" if self.unaligned else ""
        return f"{self.words} words{hidden}{unaligned}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A page, and what several tools keep of it."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def compare_page(html: str, tools: Sequence[Tool], url: str | None = None, name: str = "page") -> Comparison:
    """Run tools on one page and align their outputs with its blocks.

    >>> from tamis.lab.evaluate.tools import TamisTool
    >>> comparison = compare_page("<p>One two.<p>Three.", [TamisTool("body")])
    >>> [(row.text, row.kept[0].tolist()) for row in comparison.rows]
    [('One two.', [True, True]), ('Three.', [True])]
    """
    page = parse_page(html)
    numbered = list(block_texts(page, page.shown))
    cjk = is_cjk("\n".join(text for _, text in numbered))
    blocks = [split_tokens(text, cjk=cjk) for _, text in numbered]
    hidden = [[token_key(token) for token in split_tokens(text, cjk=cjk)] for text in _hidden_texts(page)]
    columns, masks = [], []
    for tool in tools:
        mask = np.zeros(sum(map(len, blocks)), dtype=np.bool_)
        column = Column(tool.name, 0, 0)
        try:
            if isinstance(tool, TamisTool):
                extraction = tool.extraction(html, url)
                kept = dict(block_texts(extraction.page, extraction.selection.mask))
                texts = [split_tokens(kept.get(number, ""), cjk=cjk) for number, _ in numbered]
                mask = np.concatenate([mask[:0], *map(_subsequence, blocks, texts)])
                words = len(split_tokens(extraction.text, cjk=cjk))
                fallback = extraction.selection.metadata_fallback is not None
                column = Column(tool.name, words, words if fallback else 0)
            else:
                output = [token_key(token) for token in split_tokens(tool.text(html, url), cjk=cjk)]
                mask, column = _aligned_column(tool.name, blocks, hidden, output)
        except SourceError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever a tool raises is shown)
            reason = str(error) if isinstance(error, TamisError) else f"{type(error).__name__}: {error}"
            column = Column(tool.name, 0, 0, error=reason)
        masks.append(mask)
        columns.append(column)
    stops = np.cumsum([len(block) for block in blocks])
    rows = [
        Row(tuple(block), tuple(mask[stop - len(block) : stop] for mask in masks))
        for block, stop in zip(blocks, stops.tolist(), strict=True)
    ]
    return Comparison(name, tuple(columns), tuple(rows))


def _hidden_texts(page: Page) -> list[str]:
    """Return the texts below the body that a reader does not see, one for each run of hidden rows."""
    is_hidden = page.is_text & (page.hidden != 0) & (page.nonspace > 0) & (np.arange(len(page)) > page.body)
    rows = np.flatnonzero(is_hidden).tolist()
    runs = groupby(rows, key=lambda row: int(page.block_ancestor[row]))
    return [" ".join(page.row_text(row) for row in run) for _, run in runs]


def _subsequence(block: list[str], kept: list[str]) -> Bools:
    """Return which tokens of a block are kept, if those that are kept are in its order."""
    out = np.zeros(len(block), dtype=np.bool_)
    place = 0
    for number, token in enumerate(block):
        if place < len(kept) and token.strip() == kept[place].strip():
            out[number] = True
            place += 1
    return out


def _aligned_column(
    name: str, blocks: list[list[str]], hidden: list[list[str]], output: list[str]
) -> tuple[Bools, Column]:
    """Return which words of the page are in an output, and how many of its words are elsewhere."""
    page_keys = [token_key(token) for block in blocks for token in block]
    matches = matching_blocks(page_keys, output)
    if matches is None:
        raise SourceError("the page is too long to be compared word by word")
    on_page, in_output = np.zeros(len(page_keys), dtype=np.bool_), np.zeros(len(output), dtype=np.bool_)
    for match in matches:
        on_page[match.left : match.left + match.length] = True
        in_output[match.right : match.right + match.length] = True
    _drop_chance_matches(on_page, blocks)
    # What is not found among the shown words may be hidden ones.
    rest = [key for key, found in zip(output, in_output.tolist(), strict=True) if not found]
    is_hidden = aligned_words([key for text in hidden for key in text], rest)
    hidden_count = 0
    if is_hidden is not None:
        _drop_chance_matches(is_hidden, hidden)
        hidden_count = int(is_hidden.sum())
    return on_page, Column(name, len(output), len(output) - int(on_page.sum()) - hidden_count, hidden_count)


def _drop_chance_matches(mask: Bools, blocks: list[list[str]]) -> None:
    start = 0
    for block in blocks:
        stop = start + len(block)
        if _is_chance_match(mask[start:stop]):
            mask[start:stop] = False
        start = stop


def _is_chance_match(kept: Bools) -> bool:
    """Return whether the aligned words of a block match by chance: under half of it, and never three in a row."""
    if 2 * kept.sum() >= len(kept):
        return False
    return not (kept[2:] & kept[1:-1] & kept[:-2]).any()


def kept_by_none(row: Row) -> bool:
    """Return whether no tool keeps anything of a block."""
    return not any(kept.any() for kept in row.kept)


def count_blocks(rows: Sequence[Row]) -> str:
    """Return a number of blocks as words.

    >>> count_blocks([Row(("a",), ())])
    '1 block'
    """
    return f"{len(rows)} block{'s' if len(rows) > 1 else ''}"


def runs(row: Row, kept: Bools) -> list[tuple[bool, str]]:
    """Return the text of a block as runs that are kept or dropped."""
    groups = groupby(zip(row.tokens, kept.tolist(), strict=True), key=lambda pair: pair[1])
    return [(is_kept, "".join(token for token, _ in group)) for is_kept, group in groups]


# A comparison for a terminal: a column for each tool, in colour where the terminal has it.

Style = Literal["plain", "only", "dropped", "head", "error"]
Piece = tuple[Style, str]

#: SGR codes of ECMA-48: green, faint, bold, red.
_CODES: Final[dict[Style, str]] = {"plain": "", "only": "32", "dropped": "2", "head": "1", "error": "31"}
_ELLIPSIS: Final = "…"
_LEGEND: Final[tuple[Piece, ...]] = (
    ("plain", "Kept by all, "), ("only", "kept by some, "), ("dropped", "dropped.")
)  # fmt: skip


def comparison_text(comparison: Comparison, width: int = 100, *, color: bool = False) -> str:
    """Return a comparison for a terminal. Blocks that no tool keeps are counted, not shown.

    With `color`, what some tools keep is green, and what a tool drops is shown faint. Without colours, each column
    has what its tool keeps.
    """
    count = max(1, len(comparison.columns))
    column_width = max(16, (width - 3 * (count - 1)) // count)
    heads: list[list[Piece]] = [
        [("head", f"{column.name}: "), ("error" if column.error else "plain", column.facts)]
        for column in comparison.columns
    ]
    lines = _side_by_side(heads, column_width, color=color)
    lines.append("─┼─".join(["─" * column_width] * count))
    for is_dropped, group in groupby(comparison.rows, key=kept_by_none):
        rows = list(group)
        if is_dropped:
            note = f"┄ {count_blocks(rows)} that no tool keeps ┄"
            lines.append(_paint("dropped", note.center(column_width * count + 3 * (count - 1)).rstrip(), color=color))
            continue
        for row in rows:
            lines += _side_by_side([_cell(row, kept, color=color) for kept in row.kept], column_width, color=color)
            lines.append(" │ ".join([" " * column_width] * count).rstrip())
    if color:
        lines.append("".join(_paint(style, text, color=True) for style, text in _LEGEND))
    return "\n".join(lines)


def _paint(style: Style, text: str, *, color: bool) -> str:
    code = _CODES[style]
    return f"\x1b[{code}m{text}\x1b[0m" if color and code and text else text


def _cell(row: Row, kept: Bools, *, color: bool) -> list[Piece]:
    """Return what a column shows of a block."""
    if not color:
        if not kept.any():
            return []
        return [("plain", text if is_kept else f"{_ELLIPSIS} ") for is_kept, text in runs(row, kept)]
    by_all = row.kept[0].copy()
    for each in row.kept[1:]:
        by_all &= each
    styles: list[Style] = [
        "plain" if all_keep else "only" if is_kept else "dropped"
        for is_kept, all_keep in zip(kept.tolist(), by_all.tolist(), strict=True)
    ]
    pieces = groupby(zip(styles, row.tokens, strict=True), key=lambda pair: pair[0])
    return [(style, "".join(token for _, token in group)) for style, group in pieces]


def _side_by_side(cells: Sequence[list[Piece]], column_width: int, *, color: bool) -> list[str]:
    wrapped = [_wrap(cell, column_width) for cell in cells]
    lines = []
    for number in range(max(map(len, wrapped), default=0)):
        parts = []
        for cell in wrapped:
            pieces = cell[number] if number < len(cell) else []
            padding = " " * (column_width - sum(display_width(text) for _, text in pieces))
            parts.append("".join(_paint(style, text, color=color) for style, text in pieces) + padding)
        lines.append(" │ ".join(parts).rstrip())
    return lines


def _wrap(pieces: list[Piece], width: int) -> list[list[Piece]]:
    """Wrap text to lines of at most `width` columns, between words, or within a word that is longer."""
    lines: list[list[Piece]] = []
    line: list[Piece] = []
    used = 0
    cjk = is_cjk("".join(text for _, text in pieces))
    for style, text in pieces:
        spaced = " ".join(text.split()) + (" " if text[-1:].isspace() else "")
        for token in split_tokens(spaced, cjk=cjk):
            rest = token
            if line and used + display_width(rest.rstrip()) > width:
                lines.append(line)
                line, used = [], 0
            while display_width(rest.rstrip()) > width:
                end = next(end for end in range(len(rest), 0, -1) if display_width(rest[:end]) <= width)
                lines.append([(style, rest[:end])])
                rest = rest[end:]
            line.append((style, rest))
            used += display_width(rest)
    if any(text.strip() for _, text in line):
        lines.append(line)
    return [_trimmed(each) for each in lines]


def _trimmed(line: list[Piece]) -> list[Piece]:
    """Return a line without white space at its end, neighbours of one style joined."""
    joined = [
        (style, "".join(text for _, text in group)) for style, group in groupby(line, key=lambda piece: piece[0])
    ]
    if joined:
        joined[-1] = (joined[-1][0], joined[-1][1].rstrip())
    return joined


# A comparison as an HTML page.


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as an HTML page. Blocks that no tool keeps are folded."""
    count = len(comparison.columns)
    head = "".join(
        f"<th>{escape(column.name)}<br><small{' class=error' if column.error else ''}>"
        f"{escape(column.facts)}</small></th>"
        for column in comparison.columns
    )
    body = []
    for is_dropped, group in groupby(comparison.rows, key=kept_by_none):
        rows = list(group)
        if is_dropped:
            texts = "\n".join(escape(row.text) for row in rows)
            body.append(
                f'<tr><td class="gap" colspan="{count}"><details><summary>{count_blocks(rows)} '
                f"that no tool keeps</summary>"
                f'<div class="diff" style="text-align:left">{texts}</div></details></td></tr>'
            )
            continue
        body += ["<tr>" + "".join(_html_cell(row, kept) for kept in row.kept) + "</tr>" for row in rows]
    title = f"{comparison.name}, side by side"
    return html_page(
        title,
        f'<h1>{escape(title)}</h1><p class="note">Each row is a block of the page. Tinted: kept whole. '
        "<del>Struck out</del>: dropped from a block that is kept in part.</p>"
        f'<div class="wide"><table class="sides" style="--columns:{count}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>",
    )


def _html_cell(row: Row, kept: Bools) -> str:
    if kept.all():
        return f'<td class="text whole">{escape(row.text)}</td>'
    if not kept.any():
        return '<td class="none">dropped</td>'
    texts = [escape(text) if is_kept else f"<del>{escape(text)}</del>" for is_kept, text in runs(row, kept)]
    return f'<td class="text">{"".join(texts)}</td>'
