"""Footnotes: references in the text, the notes that they link to, and the backlinks from the notes.

A short link to a fragment of the page is a reference if its target is named as a note, or links back.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from tamis.document.detect.attr_matches import attr_matches
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_LABEL: Final = re.compile(r"^[\[(]?\s*([\w*†‡§¶]{1,8}|note \w{1,4})\s*[\])]?$")
_NOTE_NAME: Final = re.compile(
    r"\b(?:foot|end|side)-?_?notes?|doc-(?:foot|end)notes?|\bfn\b|\breferences?\b|\breflist\b|cite_note",
    re.IGNORECASE,
)
_MAX_BACKLINK_CHARS: Final = 12  #: of the text of a backlink: ↩, ^, "Back"
_MAX_LEVELS: Final = 3  #: from a target up to its note, and from a note up to an element that names it
_MAX_NOTE_ROWS: Final = 400  #: rows of a note that are searched for a backlink
_NOTE_TAGS: Final = tags.tag_mask("li p div aside dd section")


@dataclass(slots=True)
class Footnotes:
    """The labels of footnotes by row: references and backlinks at their ``a``, notes at their element."""

    references: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    backlinks: dict[int, str] = field(default_factory=dict)


def find_footnotes(page: Page, mask: Bools) -> Footnotes:
    """Find the footnotes with selected text.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Tea<a id=r href="#n">1</a>.<p id=n class=footnote>Green. <a href="#r">↩</a>')
    >>> footnotes = find_footnotes(page, page.is_text)
    >>> [list(rows.values()) for rows in (footnotes.references, footnotes.notes, footnotes.backlinks)]
    [['1'], ['1'], ['1']]
    """
    out = Footnotes()
    fragments = {row: value[1:] for row, value in page.attribute("href").items() if value[:1] == "#" and value[1:]}
    if not fragments:
        return out
    row_of: dict[str, int] = {}  # by id or name
    for row, value in (*page.attribute("id").items(), *page.attribute("name").items()):
        row_of.setdefault(value, row)
    selected = prefix_sums(mask)
    used: set[str] = set()
    for row, fragment in fragments.items():
        match = _LABEL.match(" ".join(page.row_text(row).split()))
        target = row_of.get(fragment, -1)
        if match is None or target < 0 or page.tag_name(row) != "a":
            continue
        note = _note_at(page, target)
        if note < 0 or note < row < page.end[note] or selected[page.end[note]] == selected[note]:
            continue
        if _is_named_note(page, note) or _links_back(page, note, row, fragments, row_of):
            label = out.notes.get(note) or _unused_label(match[1].replace(" ", ""), used)
            out.notes[note] = label
            out.references[row] = label
    _find_backlinks(page, out, fragments, row_of)
    # Of two notes that link to each other, the later is the note.
    out.references = {row: label for row, label in out.references.items() if row not in out.backlinks}
    referenced = set(out.references.values())
    out.notes = {row: label for row, label in out.notes.items() if label in referenced}
    out.backlinks = {row: label for row, label in out.backlinks.items() if label in referenced}
    return out


def _unused_label(label: str, used: set[str]) -> str:
    """Return a label that no other note has. Chapters may each number their notes from one."""
    unused, number = label, 1
    while unused in used:
        number += 1
        unused = f"{label}-{number}"
    used.add(unused)
    return unused


def _note_at(page: Page, target: int) -> int:
    """Return the block that a target is, or is in; -1 if there is none nearby."""
    row = target
    for _ in range(_MAX_LEVELS):
        if _NOTE_TAGS[page.tag[row]]:
            return row
        row = int(page.parent[row])
        if row <= 0:
            break
    return -1


def _is_named_note(page: Page, row: int) -> bool:
    return attr_matches(page, row, _NOTE_NAME, ("class", "role", "id"), _MAX_LEVELS)


def _links_back(page: Page, note: int, reference: int, fragments: dict[int, str], row_of: dict[str, int]) -> bool:
    """Tell whether a note links to its reference, or to an element directly around or before it."""
    near = {reference, int(page.parent[reference]), int(page.parent[page.parent[reference]]), reference - 1}
    rows = range(note, min(int(page.end[note]), note + _MAX_NOTE_ROWS))
    return any(row_of.get(fragments[row]) in near for row in rows if row in fragments)


def _find_backlinks(page: Page, out: Footnotes, fragments: dict[int, str], row_of: dict[str, int]) -> None:
    """Add the short links from the notes to elements before them."""
    rows = sorted(fragments)
    for note in sorted(out.notes):
        for row in rows[bisect_left(rows, note) : bisect_left(rows, int(page.end[note]))]:
            target = row_of.get(fragments[row], note)
            is_short = len(page.row_text(row).strip()) <= _MAX_BACKLINK_CHARS
            if target < note and row not in out.notes and is_short:
                out.backlinks[row] = out.notes[note]
