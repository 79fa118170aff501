"""Inserts: formulas, references to notes and marks of notes that take the place of characters in a text row."""

from dataclasses import dataclass

from tamis.document.detect.formulas.delimited import DelimitedFormula
from tamis.document.detect.notes.model import Notes
from tamis.document.spans import FormulaSpan, Link, Text
from tamis.page import Page


@dataclass(frozen=True, slots=True)
class Insert:
    """A span in place of a range of `Page.text`.

    Attributes:
        start: where the range begins.
        stop: where it ends.
        span: a formula, a reference or backlink without its text, or other text; None where nothing takes its place.
        rows_stop: the row after the last row that it takes characters from.
    """

    start: int
    stop: int
    span: FormulaSpan | Link | Text | None
    rows_stop: int = 0


def formula_inserts(page: Page, formulas: list[DelimitedFormula]) -> tuple[dict[int, list[Insert]], set[int]]:
    """Return the formulas of each text row, and the rows inside of formulas that go over several."""
    inserts: dict[int, list[Insert]] = {}
    covered: set[int] = set()
    for formula in formulas:
        span = FormulaSpan(formula.tex, formula.display) if formula.tex else Text("$")
        stop = min(formula.stop, int(page.offset[formula.first + 1]))
        inserts.setdefault(formula.first, []).append(Insert(formula.start, stop, span, formula.last + 1))
        if formula.last > formula.first:
            covered.update(range(formula.first + 1, formula.last))
            rest = Insert(int(page.offset[formula.last]), formula.stop, None, formula.last + 1)
            inserts.setdefault(formula.last, []).append(rest)
    return inserts, covered


def note_inserts(inserts: dict[int, list[Insert]], notes: Notes) -> None:
    """Add the references and marks of notes in text rows."""
    rows: set[int] = set()
    for role, marks_by_row in (("noteref", notes.text_references), ("backlink", notes.marks)):
        for row, marks in marks_by_row.items():
            rows.add(row)
            for mark in marks:
                href = f"#fnref-{mark.label}" if role == "backlink" else ""
                link = Link(href, (), role, mark.label) if mark.label else None
                inserts.setdefault(row, []).append(Insert(mark.start, mark.stop, link, row + 1))
    for row in rows:
        inserts[row].sort(key=lambda insert: insert.start)
