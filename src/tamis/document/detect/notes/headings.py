"""Headings and rules above notes: once the notes are written as notes, nothing is left below them."""

import re
from typing import Final

import numpy as np

from tamis.document.detect.notes.model import Notes
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools

#: What lines above notes read, in the languages that pages have most.
NOTE_HEADING: Final = re.compile(
    r"(?:foot|end)?-?\s?notes?(?:\s+(?:and|&)\s+references)?|references?|citations?|sources?|works cited|bibliography"
    r"|anmerkungen|fu(?:ß|ss)noten|einzelnachweise|quellen|notes? de bas de page|références|notas|referencias|note"
    r"|fotnoter|voetnoten|przypisy|примечания|注释|脚注|参考文献|註釋",
    re.IGNORECASE,
)
MAX_HEADING_CHARS: Final = 40
_MAX_LEVELS: Final = 4  #: from the text of a heading up to its element
_HR: Final = tags.IDS["hr"]


def drop_headings(page: Page, mask: Bools, notes: Notes) -> None:
    """Add the headings directly above notes to `notes.dropped`, and the rules above notes to `notes.rules`.

    A heading stays if its section has other text. So does the heading of a list in which some items are no notes.

    >>> from tamis.document.detect.notes.model import NoteRange
    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea<hr><h2>Notes</h2><ol><li>Green.</ol>")
    >>> notes = Notes(notes={10: NoteRange("1", 12)})
    >>> drop_headings(page, page.is_text, notes)
    >>> [page.tag_name(row) for row in (*notes.dropped, *notes.rules)]
    ['h2', 'hr']
    """
    in_note = np.zeros(len(page), dtype=np.bool_)
    for start, note in notes.notes.items():
        in_note[start : note.stop] = True
    selected = np.flatnonzero(mask & page.is_text & (page.nonspace > 0) & ~in_note)
    starts = sorted(notes.notes)
    run: list[int] = []
    for number, start in enumerate(starts):
        run.append(start)
        stop = notes.notes[start].stop
        following = starts[number + 1] if number + 1 < len(starts) else len(page)
        index = int(np.searchsorted(selected, stop))
        after = int(selected[index]) if index < len(selected) else len(page)
        if after < following or following == len(page):
            _drop_above(page, notes, selected, run, after)
            run = []
        else:  # a rule between notes: Word has one above its footnotes and one above its endnotes
            notes.rules.update(row for row in range(stop, following) if page.tag[row] == _HR)


def _drop_above(
    page: Page, notes: Notes, selected: "np.ndarray[tuple[int], np.dtype[np.int64]]", run: list[int], after: int
) -> None:
    index = int(np.searchsorted(selected, run[0])) - 1
    before = int(selected[index]) if index >= 0 else page.body
    heading = _heading(page, before) if before > page.body else -1
    if heading >= 0 and _is_empty(page, heading, run, after):
        notes.dropped.add(heading)
        before = int(selected[index - 1]) if index > 0 else page.body
    notes.rules.update(row for row in range(before, run[0]) if page.tag[row] == _HR)


def _heading(page: Page, row: int) -> int:
    """Return the element of a heading, or of a line that reads as one above notes; -1 if a row is in none."""
    block = int(page.block_ancestor[row])
    if tags.HEADING[page.tag[block]]:
        return block
    text = page.row_text(row).strip()
    core = " ".join(text.split()).strip(" :.[]")
    if len(core) > MAX_HEADING_CHARS or not NOTE_HEADING.fullmatch(core):
        return -1
    found = -1
    for _ in range(_MAX_LEVELS):
        row = int(page.parent[row])
        if row <= page.body or page.row_text(row).strip() != text:
            break
        found = row
    return found


def _is_empty(page: Page, heading: int, run: list[int], after: int) -> bool:
    """Tell whether nothing but notes is below a heading."""
    if after < page.end[page.parent[run[-1]]] and page.tag[page.parent[run[-1]]] == tags.IDS["ol"]:
        return False  # an item without a reference
    core = " ".join(page.row_text(heading).split()).strip(" :.[]")
    if len(core) <= MAX_HEADING_CHARS and NOTE_HEADING.fullmatch(core):
        return True
    if after >= len(page):
        return True
    block = int(page.block_ancestor[after])
    return bool(tags.HEADING[page.tag[block]]) and page.tag_name(block) <= page.tag_name(heading)
