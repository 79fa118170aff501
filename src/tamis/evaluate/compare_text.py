"""A comparison for a terminal: a column for each tool, in colour where the terminal has it."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Literal

from tamis.evaluate.compare import Comparison, Row, count_blocks, kept_by_none, runs
from tamis.evaluate.difference import split_tokens
from tamis.evaluate.table import display_width
from tamis.evaluate.words import is_cjk
from tamis.page.sums import Bools

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

    Args:
        comparison: the comparison.
        width: the columns of the terminal.
        color: what some tools keep is green, and what a tool drops is shown faint. Without colours, each column has
            what its tool keeps.
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
