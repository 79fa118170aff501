"""Displayed equations of LaTeXML: tables with a cell for each column of an alignment, and one for the number."""

from typing import Final

from tamis.document.detect.formulas.mathml import mathml_to_tex
from tamis.document.detect.formulas.tex import clean_tex
from tamis.html import tags
from tamis.page import Page

_MATH, _TR, _TD = tags.IDS["math"], tags.IDS["tr"], tags.IDS["td"]
_CLASSES: Final = frozenset({"ltx_eqn_table", "ltx_equation", "ltx_equationgroup"})


def is_equation_table(page: Page, row: int, classes: frozenset[str]) -> bool:
    """Tell whether an element is a table with one equation, or with the lines of one."""
    return page.tag_name(row) == "table" and not classes.isdisjoint(_CLASSES)


def equation_table_tex(page: Page, row: int) -> str:
    r"""Return the equation of a table: its one formula, or the formulas of its rows as ``aligned``.

    >>> from tamis.page import parse_page
    >>> cell = '<td class="ltx_eqn_cell"><math alttext="\\displaystyle {}"></math></td>'
    >>> rows = "".join(f"<tr>{cell.format(a)}{cell.format(b)}</tr>" for a, b in (("x", "=1"), ("y", "=2")))
    >>> page = parse_page(f'<table class="ltx_eqn_table">{rows}</table>')
    >>> equation_table_tex(page, int(page.rows_of("table")[0]))
    '\\begin{aligned} x & =1 \\\\ y & =2 \\end{aligned}'
    """
    lines: list[list[str]] = [[""]]
    for k in range(row, int(page.end[row])):
        if page.tag[k] == _TR:
            lines.append([])
        elif page.tag[k] == _TD:
            classes = page.attributes(k).get("class", "")
            if "pad" not in classes and "eqno" not in classes:  # space beside the equation, and its number
                lines[-1].append("")
        elif page.tag[k] == _MATH and lines[-1]:
            alttext = page.attributes(k).get("alttext", "")
            tex = clean_tex(alttext) if alttext.strip() else mathml_to_tex(page, k)
            lines[-1][-1] = " ".join(filter(None, (lines[-1][-1], tex)))
    lines = [line for line in lines if any(line)]
    if not lines:
        return ""
    if len(lines) == 1:
        return " ".join(filter(None, lines[0]))
    return r"\begin{aligned} " + r" \\ ".join(" & ".join(line) for line in lines) + r" \end{aligned}"
