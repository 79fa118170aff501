"""Find the notes that the selected text refers to."""

import re
from bisect import bisect_right
from typing import Final

import numpy as np

from tamis.document.detectors.notes.embedded import DEFINED, EmbeddedNote, find_embedded
from tamis.document.detectors.notes.linked import LinkedNotes, fragment_links
from tamis.document.detectors.notes.model import Labels, Lines, Names, NoteRange, Notes, TextMark, line_label
from tamis.document.detectors.notes.unlinked import drop_headings, find_unlinked
from tamis.html import tags
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools

# Find the notes that the selected text refers to.

_MAX_BACKLINK_CHARS: Final = 12  #: of the text of a backlink: ↩, ^, "Back"
#: Longer ones.
_RETURN: Final = lazy_pattern(r"\W?(?:go |jump )?(?:back|return) (?:up )?to (?:the )?\w{1,10}\W?", re.IGNORECASE)
_MAX_MARK_ROWS: Final = 6  #: rows at the beginning of a note that may be its mark
_MAX_BUTTON_ROWS: Final = 8  #: from a button up to the reference behind it
_MARKS: Final = lazy_pattern(r"^[\W\d_]+|[\W_]+$")
_MIN_COMPARED, _MAX_COMPARED = 6, 400  #: characters
_SUP, _LI = tags.IDS["sup"], tags.IDS["li"]


def _may_refer(page: Page, mask: Bools, links: dict[int, str]) -> bool:
    """Tell whether selected text has a link within the page, or a raised number: a reference is selected itself."""
    rows = np.concatenate((np.fromiter(links, dtype=np.int64, count=len(links)), page.rows_of("sup")))
    if not len(rows):
        return False
    selected = page.count_selected(mask)
    return bool((selected[page.end[rows]] > selected[rows]).any())


def find_notes(page: Page, mask: Bools, url: str | None = None) -> Notes:
    """Return the notes that selected text refers to. `url` tells links within the page from others.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Tea<a id=r href="#n">1</a>.<p id=n class=footnote>Green. <a href="#r">↩</a>')
    >>> notes = find_notes(page, page.is_text)
    >>> notes.references, notes.notes, notes.backlinks
    ({6: '1'}, {9: NoteRange(label='1', stop=13)}, {11: '1'})
    """
    known = page.memo.get("notes")
    if known is None or known[1] != url or not np.array_equal(known[0], mask):  # plain text and the document ask
        known = page.memo["notes"] = mask.copy(), url, _find_notes(page, mask, url)
    notes: Notes = known[2]
    return notes


def _find_notes(page: Page, mask: Bools, url: str | None) -> Notes:
    links = fragment_links(page, url)
    has_embedded = _may_have_embedded(page)
    if not has_embedded and "[1]" not in page.text and "¹" not in page.text and not _may_refer(page, mask, links):
        return Notes()
    names, lines = Names(page), Lines(page)
    out, labels = Notes(), Labels()
    linked = LinkedNotes(page, mask, names, lines, links)
    found = linked.find() if links else []
    ranges = _without_nested({note.start: note.stop for note in found})
    for note in found:
        if note.start not in ranges:
            continue
        if note.start not in out.notes:
            out.notes[note.start] = NoteRange(labels.new(note.label), note.stop)
        out.references[note.reference] = out.notes[note.start].label
    _find_backlinks(page, out, names, linked)
    taken = [*ranges.items(), *((row, int(page.end[row])) for row in out.references)]
    for plain in find_unlinked(page, mask, names, lines, taken):
        label = labels.new(plain.label)
        out.notes[plain.start] = NoteRange(label, plain.stop)
        for row, mark in plain.references:
            out.text_references.setdefault(row, []).append(TextMark(mark.start, mark.stop, label))
    _find_marks(page, out)
    if has_embedded:
        _add_embedded(page, mask, out, labels)
    _drop_buttons(page, out)
    drop_headings(page, mask, out, _drop_copies(page, mask, out))
    return out


def _drop_buttons(page: Page, out: Notes) -> None:
    """Leave out the buttons that a script puts before references, with their number: Littlefoot opens notes so."""
    buttons = page.rows_of("button") if out.references else np.zeros(0, dtype=np.int64)
    for row, label in out.references.items() if len(buttons) else ():
        index = int(np.searchsorted(buttons, row)) - 1
        button = int(buttons[index]) if index >= 0 else 0
        if row - _MAX_BUTTON_ROWS <= button and page.row_text(button).strip() == label:
            out.dropped.add(button)


def _drop_copies(page: Page, mask: Bools, out: Notes) -> list[int]:
    """Leave out the lists whose items all repeat notes, and return them: a note may be in the text and below it."""
    stop_of = {row: note.stop for row, note in out.notes.items()}
    stop_of |= {row: int(page.end[row]) for row in out.embedded}
    texts = {_key(page, row, stop) for row, stop in stop_of.items()}
    texts -= {""}
    if not texts:
        return []
    known = np.zeros(len(page), dtype=np.bool_)
    for row, stop in stop_of.items():
        known[row:stop] = True
    selected = page.count_selected(mask)
    copies: dict[int, bool] = {}
    for tag, box in ((_LI, ("ol", "ul")), (tags.IDS["tr"], ("table",))):
        for row in np.flatnonzero(page.tag == tag).tolist():
            stop = int(page.end[row])
            if selected[stop] == selected[row]:
                continue
            around = next((k for k in page.ancestors(row, 2) if page.tag_name(k) in box), -1)
            is_copy = not known[row] and _key(page, row, stop) in texts
            copies[around] = copies.get(around, True) and is_copy
    found = [row for row, are_copies in copies.items() if are_copies and row > page.body]
    out.dropped.update(found)
    return found


def _key(page: Page, row: int, stop: int) -> str:
    """Return the text of rows without a number and without what leads back; nothing if it is too short to compare."""
    start = int(page.offset[row])
    text = page.text[start : min(int(page.offset[stop]), start + _MAX_COMPARED)]
    key = " ".join(_MARKS.sub("", text).casefold().split())
    return key if len(key) >= _MIN_COMPARED else ""


def _may_have_embedded(page: Page) -> bool:
    """Tell quickly whether a page may have notes inside its text, from its classes and attributes."""
    classes = " ".join(page.class_ids[1]).lower()
    if "note" in classes or "fn-" in classes or "refbody" in classes:
        return True
    return bool(page.select(DEFINED))


def _without_nested(ranges: dict[int, int]) -> dict[int, int]:
    """Return the notes that contain no other note."""
    starts = sorted(ranges)
    following = [*starts[1:], None] if starts else []
    return {
        start: ranges[start]
        for start, after in zip(starts, following, strict=True)
        if after is None or after >= ranges[start]
    }


def _add_embedded(page: Page, mask: Bools, out: Notes, labels: Labels) -> None:
    in_note = np.zeros(len(page), dtype=np.bool_)
    for row, note in out.notes.items():
        in_note[row : note.stop] = True
    for found in find_embedded(page, mask, in_note):
        known = out.references.get(found.reference, "")
        if known or _is_referenced_inside(page, out, found.reference):
            if found.text is None:
                out.dropped.add(found.row)  # a copy of a note below the text, to be shown beside it
            continue
        label = labels.new(found.label) if found.label else labels.free_number()
        if found.text is not None:
            out.defined[found.row] = (label, found.text)
            if found.label:
                out.references[found.row] = label
            else:
                out.references_after[int(page.end[found.row])] = label
            continue
        out.embedded[found.row] = label
        if found.number >= 0:
            row = found.number
            out.marks[row] = [TextMark(int(page.offset[row]), int(page.offset[row + 1]), "")]
        _drop_marks(page, out, found)
        out.dropped.update(found.dropped)
        if found.reference >= 0:
            out.references[found.reference] = label


def _drop_marks(page: Page, out: Notes, note: EmbeddedNote) -> None:
    """Leave out the number at the beginning of a note inside the text: it repeats its reference."""
    for row in range(note.row, min(int(page.end[note.row]), note.row + 3 * _MAX_MARK_ROWS)):
        if not page.is_text[row] or not page.nonspace[row]:
            continue
        if page.row_text(row).strip(" []().\n\t") != note.label:
            break
        out.marks[row] = [TextMark(int(page.offset[row]), int(page.offset[row + 1]), "")]


def _is_referenced_inside(page: Page, out: Notes, row: int) -> bool:
    """Tell whether an element contains a reference that was found before."""
    if row < 0:
        return False
    inside = range(row, min(int(page.end[row]), row + _MAX_MARK_ROWS))
    return any(k in out.references or k in out.text_references for k in inside)


def _find_backlinks(page: Page, out: Notes, names: Names, linked: LinkedNotes) -> None:
    """Add the short links from notes to elements before them."""
    starts = sorted(out.notes)
    for row, target in linked.target_of.items():
        index = bisect_right(starts, row) - 1
        if index < 0 or row >= out.notes[starts[index]].stop or row in out.references:
            continue
        is_short = page.offset[page.end[row]] - page.offset[row] <= 2 * _MAX_BACKLINK_CHARS
        text = page.row_text(row).strip()
        is_short = is_short and (len(text) <= _MAX_BACKLINK_CHARS or _RETURN.fullmatch(text) is not None)
        if (target < starts[index] and is_short) or (is_short and names.is_back(row)):
            out.backlinks[row] = out.notes[starts[index]].label
    ids = set(page.attribute("id").values()) if starts else set()
    for row, href in page.attribute("href").items() if starts else ():
        index = bisect_right(starts, row) - 1
        if index < 0 or row >= out.notes[starts[index]].stop or row in out.backlinks or row in out.references:
            continue
        is_script = href.strip() in {"", "#", "#top"} or href.startswith("javascript:")
        is_mark = page.row_text(row).strip(" []().\n\t") == out.notes[starts[index]].label
        before, _, fragment = href.strip().partition("#")
        is_elsewhere = bool(before) and fragment in ids and names.is_back(row)  # a book names the file of the chapter
        if is_elsewhere or (is_script and (names.is_back(row) or is_mark)):
            out.backlinks[row] = out.notes[starts[index]].label


def _find_marks(page: Page, out: Notes) -> None:
    """Find the number at the beginning of each note, which its label repeats."""
    backlinks = sorted(out.backlinks)
    for start, note in out.notes.items():
        rows = [k for k in range(start, min(note.stop, start + 4 * _MAX_MARK_ROWS)) if page.shown[k]][:_MAX_MARK_ROWS]
        if not rows:
            continue
        first = int(page.offset[rows[0]])
        stop = _mark_end(page, start, note, rows, first)
        for row in rows:
            begin, end = int(page.offset[row]), min(int(page.offset[row + 1]), stop)
            index = bisect_right(backlinks, row) - 1
            in_backlink = index >= 0 and row < page.end[backlinks[index]]
            if end > begin and not in_backlink and page.text[begin:end].strip():
                out.marks[row] = [TextMark(begin, end, note.label)]


def _mark_end(page: Page, start: int, note: NoteRange, rows: list[int], first: int) -> int:
    """Return where the mark of a note ends in the text; where the note begins if it has none."""
    text = page.text
    limit = int(page.offset[note.stop])
    position = first
    while position < limit and text[position] in "^↑ \n\t":
        position += 1
    caret_end = position if text[first:position].strip() else first
    found = line_label(text, caret_end)
    base = note.label.rpartition("-")[0] or note.label
    if found is None or found[0] not in {note.label, base, base.lstrip("notefbr")} or found[1] >= limit:
        return caret_end
    mark = text[caret_end : found[1]].strip()
    own_element = page.row_text(rows[0]).strip() in {mark, mark.strip("[]()."), "[", "("}
    is_bare = mark.isdigit()
    if is_bare and not own_element and page.tag[start] == _LI:
        return caret_end  # a number that the note itself begins with
    return found[1]
