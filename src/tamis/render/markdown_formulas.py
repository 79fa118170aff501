r"""Formulas in Markdown: TeX between dollars, in which nothing is escaped."""

import re
from typing import Final

from tamis.document.spans import FormulaSpan

_BAR: Final = re.compile(r"\\\\|\\\||\|")
_COMMENT: Final = re.compile(r"(?<!\\)%[^\n]*")


def formula_markdown(span: FormulaSpan, *, in_table: bool = False) -> str:
    r"""Return a formula in a line.

    In a table a bar would end the cell, and a backslash before it would be a part of the formula: it is written as a
    command.

    >>> formula_markdown(FormulaSpan("|x|_1")), formula_markdown(FormulaSpan(r"|x| \| y"), in_table=True)
    ('$|x|_1$', '$\\vert x\\vert \\Vert y$')
    """
    tex = " ".join(_without_comments(span.tex).split())
    if in_table:
        tex = " ".join(_BAR.sub(_bar_command, tex).split())
    return f"$${tex}$$" if span.display else f"${tex}$"


def _without_comments(tex: str) -> str:
    """Return TeX without comments: on one line they would hide what follows."""
    return _COMMENT.sub("", tex) if "%" in tex and "\n" in tex else tex


def _bar_command(match: re.Match[str]) -> str:
    return {"|": r"\vert ", r"\|": r"\Vert "}.get(match[0], match[0])
