"""Notes without links: a raised or bracketed number in the text, and a line or an item with that number below it.

The notes are a list, or lines that begin with their number, after a rule, after a heading such as "Notes", in an
element named as notes are, or with a form that only notes have. Their numbers must follow one another, and most of
them must be referred to: so an exponent or a numbered list does not become a note.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.document.detect.notes.headings import MAX_HEADING_CHARS, NOTE_HEADING
from tamis.document.detect.notes.labels import line_label
from tamis.document.detect.notes.lines import Lines
from tamis.document.detect.notes.marks import Marks, find_references
from tamis.document.detect.notes.model import TextMark
from tamis.document.detect.notes.names import Names
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_SUP, _OL, _LI, _HR = (tags.IDS[name] for name in ("sup", "ol", "li", "hr"))
_MIN_SHARE: Final = 0.5  #: of the notes that must be referred to
_MAX_LINES_BETWEEN: Final = 12  #: lines that one note may have before the next begins


@dataclass(frozen=True, slots=True)
class Definition:
    """A note that may be one: its label and its rows, and the mark at its beginning."""

    label: str
    start: int
    stop: int
    strong: bool


@dataclass(frozen=True, slots=True)
class UnlinkedNote:
    """A note and the references to it."""

    label: str
    start: int
    stop: int
    references: list[tuple[int, TextMark]]


def find_unlinked(
    page: Page, mask: Bools, names: Names, lines: Lines, taken: list[tuple[int, int]]
) -> list[UnlinkedNote]:
    """Return the notes without links. `taken` are the rows of notes and references that were found by their links."""
    excluded = np.zeros(len(page), dtype=np.bool_)
    for start, stop in taken:
        excluded[start:stop] = True
    references, powers = find_references(page, mask, lines, excluded)
    if not references:
        return []
    first_row = references[0][0]
    for run in _runs(page, names, lines, first_row):
        found = [] if excluded[run[0].start] else _match(references, powers, run)
        if found:
            return found
    return []


def _runs(page: Page, names: Names, lines: Lines, after: int) -> list[list[Definition]]:
    """Return runs of numbered notes after a row, the last run of the page first."""
    runs = _line_runs(page, names, lines, after) + _list_runs(page, names, after)
    return sorted(runs, key=lambda run: run[0].start, reverse=True)


def _list_runs(page: Page, names: Names, after: int) -> list[list[Definition]]:
    """Return the ordered lists after a row whose items may be notes."""
    out = []
    items: dict[int, list[int]] = {}
    for row in page.rows_of("li").tolist():
        if row > after:
            items.setdefault(int(page.parent[row]), []).append(row)
    shown = prefix_sums(page.shown)
    for row, rows in items.items():
        if page.tag[row] != _OL or page.hidden[row]:
            continue
        start = page.attributes(row).get("start", "1")
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1  # noqa: PLR2004 (sane)
        strong = names.is_note(row, levels=3) or _is_announced(page, row)
        if not strong and shown[-1] - shown[page.end[row]] > _MAX_LINES_BETWEEN:
            continue
        out.append([Definition(str(first + k), item, int(page.end[item]), strong) for k, item in enumerate(rows)])
    return out


def _line_runs(page: Page, names: Names, lines: Lines, after: int) -> list[list[Definition]]:
    """Return runs of lines whose numbers follow one another."""
    starts = lines.first[lines.first > after].tolist()
    marked: list[tuple[int, int, str, bool]] = []  # the number of the line, its row, its label, its form
    for number, row in enumerate(starts):
        found = line_label(page.text, int(page.offset[row]))
        if found is None:
            continue
        label, _, strong = found
        raised = page.tag[page.parent[row]] == _SUP
        if page.tag[page.parent[row]] == tags.IDS["a"] and not page.row_text(row).strip("[]() .").isdigit():
            continue
        marked.append((number, row, label, strong or raised))
    out: list[list[Definition]] = []
    run: list[tuple[int, int, str, bool]] = []
    for entry in [*marked, None]:
        if entry is not None and run and _follows(run[-1], entry):
            run.append(entry)
            continue
        if run:
            out += _definitions(page, names, lines, run)
        run = [entry] if entry is not None and entry[2] in {"1", "*", "†", "a", "i"} else []
    return out


def _follows(before: tuple[int, int, str, bool], entry: tuple[int, int, str, bool]) -> bool:
    if entry[0] - before[0] > _MAX_LINES_BETWEEN:
        return False
    if before[2].isdigit() and entry[2].isdigit():
        return int(entry[2]) == int(before[2]) + 1
    return (before[2], entry[2]) in {("*", "†"), ("*", "**"), ("†", "‡"), ("**", "***"), ("a", "b"), ("b", "c")}


def _definitions(
    page: Page, names: Names, lines: Lines, run: list[tuple[int, int, str, bool]]
) -> list[list[Definition]]:
    first = run[0][1]
    block = int(page.block_ancestor[first])
    strong = all(entry[3] for entry in run)
    if not strong and not names.is_note(block) and not _is_announced(page, block):
        return []
    out = []
    starts = [lines.start_of(row) for _, row, _, _ in run]
    for number, (_, row, label, _) in enumerate(run):
        block = int(page.block_ancestor[row])
        begins_block = page.text[page.offset[block] : page.offset[row]].strip() == ""
        following = starts[number + 1] if number + 1 < len(run) else len(page)
        if begins_block and following >= page.end[block] and block > page.body:
            out.append(Definition(label, block, int(page.end[block]), strong=True))
        else:
            out.append(Definition(label, starts[number], min(following, int(page.end[block])), strong=True))
    return [out]


def _is_announced(page: Page, row: int) -> bool:
    """Tell whether a rule, or a short line such as "Notes", comes directly before an element or one around it."""
    for _ in range(4):
        before = row - 1
        while before > page.body and page.is_text[before] and not page.nonspace[before]:
            before -= 1
        if page.tag[before] == _HR:
            return True
        block = int(page.block_ancestor[before])
        text = (
            page.row_text(block) if page.offset[page.end[block]] - page.offset[block] < 3 * MAX_HEADING_CHARS else ""
        )
        core = " ".join(text.split()).strip(" :.[]")
        if page.end[block] <= row and len(core) <= MAX_HEADING_CHARS and NOTE_HEADING.fullmatch(core):
            return True
        parent = int(page.parent[row])
        if parent <= page.body or before > parent:
            return False
        row = parent
    return False


def _match(references: Marks, powers: Marks, run: list[Definition]) -> list[UnlinkedNote]:
    """Return the notes of a run with the references to them, if enough are referred to and in order."""
    by_label = {definition.label: definition for definition in run}
    start = run[0].start
    uses: dict[str, list[tuple[int, TextMark]]] = {}
    highest = 0
    for row, mark in references:
        if row >= start or mark.label not in by_label:
            continue
        if mark.label.isdigit():
            number = int(mark.label)
            first = int(run[0].label) if run[0].label.isdigit() else 1
            if number > max(highest, first - 1) + 2:  # a number far ahead is an exponent
                continue
            highest = max(highest, number)
        uses.setdefault(mark.label, []).append((row, mark))
    for row, mark in powers:  # the only mark with the number of a note, at its place among the others
        before, after = (
            (uses.get(str(int(mark.label) + step)) for step in (-1, 1)) if mark.label.isdigit() else (None,) * 2
        )
        in_order = (before is not None and before[0][0] < row) and (after is None or row < after[0][0])
        if row < start and mark.label in by_label and mark.label not in uses and in_order:
            uses[mark.label] = [(row, mark)]
    if not uses or len(uses) < _MIN_SHARE * len(by_label):
        return []
    if not run[0].strong and len(uses) < len(by_label):
        return []
    return [UnlinkedNote(note.label, note.start, note.stop, uses[note.label]) for note in run if note.label in uses]
