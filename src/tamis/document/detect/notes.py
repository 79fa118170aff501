"""Footnotes: references in the text, the notes they lead to, and the ways back.

A short link to a place on the same page is a reference when that place says that it is a note, or leads back.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from tamis.document.detect.attr_matches import is_called
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_LABEL: Final = re.compile(r"^[\[(]?\s*([\w*†‡§¶]{1,8}|note \w{1,4})\s*[\])]?$")
_SAYS_NOTE: Final = re.compile(
    r"\b(?:foot|end|side)-?_?notes?|doc-(?:foot|end)notes?|\bfn\b|\breferences?\b|\breflist\b|cite_note",
    re.IGNORECASE,
)
_BACK: Final = 12  #: characters of a way back at most: ↩, ^, "Back"
_UP: Final = 3  #: levels above a note that may say what it is
_HOLDERS: Final = tags.tag_mask("li p div aside dd section")


@dataclass(slots=True)
class Notes:
    """The footnotes of a page, by row: references and ways back at their ``a``, notes at their element."""

    references: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    backs: dict[int, str] = field(default_factory=dict)


def find_notes(page: Page, mask: Bools) -> Notes:
    """Find the footnotes whose text was chosen.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Tea<a id=r href="#n">1</a>.<p id=n class=footnote>Green. <a href="#r">↩</a>')
    >>> notes = find_notes(page, page.is_text)
    >>> list(notes.references.values()), list(notes.notes.values()), list(notes.backs.values())
    (['1'], ['1'], ['1'])
    """
    out = Notes()
    inner = {row: value[1:] for row, value in page.attribute("href").items() if value[:1] == "#" and value[1:]}
    if not inner:
        return out
    ids: dict[str, int] = {}
    for row, value in (*page.attribute("id").items(), *page.attribute("name").items()):
        ids.setdefault(value, row)
    chosen = prefix_sums(mask)
    used: set[str] = set()
    for row, goal in inner.items():
        label = _LABEL.match(" ".join(page.row_text(row).split()))
        target = ids.get(goal, -1)
        if label is None or target < 0 or page.tag_name(row) != "a":
            continue
        note = _holder(page, target)
        if note < 0 or note < row < page.end[note] or chosen[page.end[note]] == chosen[note]:
            continue
        if _says_note(page, note) or _leads_back(page, note, row, inner, ids):
            known = out.notes.get(note) or _unused(label[1].replace(" ", ""), used)
            out.notes[note] = known
            out.references[row] = known
    _find_backs(page, out, inner, ids)
    for row in set(out.backs) & set(out.references):  # two notes that lead to each other: the later is the note
        del out.references[row]
    referred = set(out.references.values())
    out.notes = {row: label for row, label in out.notes.items() if label in referred}
    out.backs = {row: label for row, label in out.backs.items() if label in referred}
    return out


def _unused(label: str, used: set[str]) -> str:
    """Return a label that no other note has: each chapter may count from one."""
    name, number = label, 1
    while name in used:
        number += 1
        name = f"{label}-{number}"
    used.add(name)
    return name


def _holder(page: Page, target: int) -> int:
    """Return the block that a target is, or stands at the start of."""
    row = target
    for _ in range(_UP):
        if _HOLDERS[page.tag[row]]:
            return row
        row = int(page.parent[row])
        if row <= 0:
            break
    return -1


def _says_note(page: Page, row: int) -> bool:
    return is_called(page, row, _SAYS_NOTE, ("class", "role", "id"), _UP)


def _leads_back(page: Page, note: int, reference: int, inner: dict[int, str], ids: dict[str, int]) -> bool:
    """Whether a note has a link to its reference, or to an element right around or before it."""
    near = {reference, int(page.parent[reference]), int(page.parent[page.parent[reference]]), reference - 1}
    return any(
        ids.get(inner[row]) in near for row in range(note, min(int(page.end[note]), note + 400)) if row in inner
    )


def _find_backs(page: Page, out: Notes, inner: dict[int, str], ids: dict[str, int]) -> None:
    ends = sorted(out.notes)
    rows = sorted(inner)
    place = 0
    for note in ends:
        while place < len(rows) and rows[place] < note:
            place += 1
        at = place
        while at < len(rows) and rows[at] < page.end[note]:
            row = rows[at]
            goal = ids.get(inner[row], note)
            if goal < note and row not in out.notes and len(page.row_text(row).strip()) <= _BACK:
                out.backs[row] = out.notes[note]
            at += 1
