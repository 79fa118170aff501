"""Notes that their references link to, one by one or through their list."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

import numpy as np

from tamis.document.detectors.notes.model import (
    Lines,
    Names,
    back_fragment,
    is_note_fragment,
    line_label,
    parse_label,
)
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

# Links to fragments of the same page, and the note that a target is, or is in.

_NOTE_TAGS: Final = tags.tag_mask("li p div aside dd dt tr table section blockquote details td th")
_NOT_IN_NOTES: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 nav main article header form")  #: in no note, and around none
_JOINED: Final = tags.tag_mask("li aside dd tr")  #: around a paragraph with a target, these are the note
_CELLS: Final = tags.tag_mask("td th")
_DT, _DD, _SECTION = tags.IDS["dt"], tags.IDS["dd"], tags.IDS["section"]
_MAX_LEVELS: Final = 4  #: from a target up to its note
_MAX_NOTE_CHARS: Final = 6000  #: of a note
_LIST_NAME: Final = re.compile(r"\b(?:foot-?_?|end-?_?)?notes\b|\breferences\b|-list\b", re.IGNORECASE)
_BR: Final = tags.IDS["br"]


def fragment_links(page: Page, url: str | None) -> dict[int, str]:
    """Return the fragments of links within the page, by row.

    A link with a path counts if that path is the page's own, or if its fragment is the name of a note.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<a href="#a">1</a><a href="ch2.html#b">2</a><a href="other.html#c">3</a>')
    >>> list(fragment_links(page, "https://example.org/book/ch2.html").values())
    ['a', 'b']
    """
    out = {}
    own_path = _path(url or "")
    for row, href in page.attribute("href").items():
        before, hash_sign, fragment = href.strip().partition("#")
        if href.startswith("javascript:"):  # a script leads to the note: their ids differ by "ref"
            own = page.attributes(row).get("id", "")
            if "noteref" in own:
                out[row] = own.replace("noteref", "note", 1)
            continue
        if not hash_sign or not fragment:
            continue
        if before and not is_note_fragment(fragment) and (not own_path or _path(before) != own_path):
            attributes = page.attributes(row)
            if not any("noteref" in attributes.get(name, "") for name in ("role", "epub:type", "data-type")):
                continue
        out[row] = fragment
    return out


def _path(url: str) -> str:
    """Return the last part of a URL's path."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return path.rstrip("/").rpartition("/")[2]


class Targets:
    """Finds the notes that targets belong to. `rows` are all targets of references, in order."""

    def __init__(self, page: Page, names: Names, lines: Lines, rows: list[int]) -> None:
        self.page, self.names, self.lines = page, names, lines
        self.rows = np.array(sorted(set(rows)), dtype=np.int64)
        self.not_in_notes = prefix_sums(_NOT_IN_NOTES[page.tag] & page.is_element)
        self.shown = prefix_sums(np.where(page.hidden == 0, page.nonspace, 0))

    def note(self, target: int) -> tuple[int, int] | None:  # noqa: PLR0911 (one return per form)
        """Return the first row of the note of a target, and the row after it; None if it is in no note."""
        block = self._block(target)
        page = self.page
        heading = int(page.block_ancestor[target])
        if block < 0 and tags.HEADING[page.tag[heading]] and parse_label(page.row_text(heading)):
            return self._below_mark(heading)
        if block < 0:
            in_line = (
                not tags.BLOCK[page.tag[target]] and heading >= page.body and not tags.HEADING[page.tag[heading]]
            )
            return self._lines_of(target, int(page.block_ancestor[target])) if in_line else None
        if not tags.BLOCK[page.tag[target]] and self.shown[page.end[block]] == self.shown[target] > self.shown[block]:
            return self._block_after(target)  # an empty target at the end of a paragraph
        if page.tag[block] == _DT:
            return self._checked(block, self._details_end(block))
        inside = self._targets_in(block, int(page.end[block]))
        if len(inside) > 1:
            after = self._block_after(target)
            if after is not None:
                return after
            return self._lines_of(target, block)
        block = self._joined(block)
        if page.tag[block] == _SECTION and not self.names.is_note(block, levels=1):
            return None
        if not self.shown[page.end[block]] > self.shown[block]:
            return self._block_after(target)
        return self._checked(block, int(page.end[block]))

    def _below_mark(self, heading: int) -> tuple[int, int] | None:
        """Return a heading that is the mark of a note, with the paragraphs below it, as Texinfo writes notes."""
        page, limit = self.page, int(self.page.end[self.page.parent[heading]])
        stop = int(page.end[heading])
        while stop < limit and (page.is_text[stop] or page.tag[stop] == tags.IDS["p"]):
            stop = int(page.end[stop])
        chars = self.shown[stop] - self.shown[page.end[heading]]
        return (heading, stop) if 0 < chars <= _MAX_NOTE_CHARS else None

    def _joined(self, block: int) -> int:
        """Return the outermost element around a block that is the same note."""
        page = self.page
        for parent in page.ancestors(block, _MAX_LEVELS):
            around = bool(_JOINED[page.tag[parent]]) or (
                page.tag_name(parent) == "div" and self.names.is_note(parent, levels=1)
            )
            if not around or len(self._targets_in(parent, int(page.end[parent]))) > 1:
                break
            if _LIST_NAME.search(self.names.of(parent)) and page.tag_name(parent) == "div":
                break  # the list of notes, though it has only one
            block = parent
        return block

    def _block(self, target: int) -> int:
        page = self.page
        for row in (target, *page.ancestors(target, _MAX_LEVELS - 1)) if target > page.body else ():
            if _NOT_IN_NOTES[page.tag[row]]:
                return -1
            if _CELLS[page.tag[row]]:
                table_row = int(page.parent[row])
                several = len(self._targets_in(row, int(page.end[row]))) > 1
                return row if several or page.tag_name(table_row) != "tr" else table_row
            if _NOTE_TAGS[page.tag[row]]:
                return row
        return -1

    def _targets_in(self, start: int, stop: int) -> list[int]:
        first, last = np.searchsorted(self.rows, (start, stop))
        inside: list[int] = self.rows[first : min(last, first + 2)].tolist()  # one or several, no matter how many
        return inside

    def _details_end(self, term: int) -> int:
        """Return the end of the ``dd`` that follow a ``dt``."""
        page, end = self.page, int(self.page.end[term])
        limit = int(page.end[page.parent[term]])
        while end < limit and (page.tag[end] == _DD or (page.is_text[end] and not page.nonspace[end])):
            end = int(page.end[end])
        return end

    def _block_after(self, target: int) -> tuple[int, int] | None:
        """Return the block right behind an empty target."""
        page, row = self.page, int(self.page.end[target])
        if self.shown[row] > self.shown[target] or tags.BLOCK[page.tag[target]]:
            return None
        while row < len(page) and page.is_text[row] and not page.nonspace[row]:
            row += 1
        around = {int(page.parent[target]), int(page.parent[page.block_ancestor[target]])}
        if row < len(page) and _NOTE_TAGS[page.tag[row]] and int(page.parent[row]) in around:
            return self._checked(row, int(page.end[row]))
        return None

    def _lines_of(self, target: int, block: int) -> tuple[int, int] | None:
        """Return the lines from a target up to the next; the last note ends where two breaks follow each other."""
        start = self.lines.start_of(target)
        index = int(np.searchsorted(self.rows, target, side="right"))
        end = int(self.page.end[block])
        following = int(self.rows[index]) if index < len(self.rows) else end
        same_block = following < end and self.page.block_ancestor[following] == self.page.block_ancestor[target]
        stop = self.lines.start_of(following) if same_block else self._blank_line(target, end)
        return self._checked(start, stop) if start > block and stop > start else None

    def _blank_line(self, row: int, end: int) -> int:
        """Return the first of two breaks with nothing between them or the first block after a row, or the end."""
        page, before = self.page, -1
        for k in range(row, end):
            if page.tag[k] == _BR:
                if before >= 0:
                    return before
                before = k
            elif page.is_element[k] and tags.BLOCK[page.tag[k]]:
                return k
            elif page.nonspace[k]:
                before = -1
        return end

    def _checked(self, start: int, stop: int) -> tuple[int, int] | None:
        """Return a range of rows, if it may be a note: not empty, not too long, without headings."""
        chars = self.shown[stop] - self.shown[start]
        if not 0 < chars <= _MAX_NOTE_CHARS or self.not_in_notes[stop] > self.not_in_notes[start]:
            return None
        return start, stop


def find_targets(page: Page, links: dict[int, str]) -> dict[int, int]:
    """Return the row of the target of each link that has one."""
    row_of: dict[str, int] = {}
    for row, value in (*page.attribute("id").items(), *page.attribute("name").items()):
        row_of.setdefault(value, row)
    out = {}
    back_links: dict[str, int] = {}
    for row, href in page.attribute("href").items():
        fragment = href.rpartition("#")[2]
        if "ref" in fragment and "#" in href and fragment not in row_of:
            back_links.setdefault(fragment, row)
    for row, fragment in links.items():
        target = row_of.get(fragment, -1)
        if target < 0 and "%" in fragment:
            target = row_of.get(unquote(fragment), -1)
        if target <= 0 and is_note_fragment(fragment):
            target = back_links.get(back_fragment(fragment), -1)  # Word without ids: its note begins with a link back
        if target > 0:
            out[row] = target
    return out


# Notes whose references all link to their list, or to the heading above it: the number says which item it is.

_MIN_LABELS: Final = 2  #: different numbers that link to one target
_MAX_SHARED_LEVELS: Final = 2  #: from a target up to the element that has the list too
_LI: Final = tags.IDS["li"]


def shared_lists(page: Page, candidates: list[tuple[int, str, int]]) -> dict[int, dict[str, int]]:
    """Return the items of a list by their number, for each target that references with different numbers share.

    `candidates` are links: their row, label and target.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p><a href="#s">1</a> <a href="#s">2</a><h2 id=s>Sources</h2><ol><li>A<li>B</ol>')
    >>> shared_lists(page, [(5, "1", 10), (8, "2", 10)])
    {10: {'1': 13, '2': 15}}
    """
    labels: dict[int, set[str]] = {}
    for _, label, target in candidates:
        if label.isdigit():
            labels.setdefault(target, set()).add(label)
    ordered = page.rows_of("ol")
    out = {}
    for target, numbers in labels.items():
        row = _list_at(page, ordered, target) if len(numbers) >= _MIN_LABELS else -1
        if row >= 0:
            out[target] = _items(page, row)
    return out


def _list_at(page: Page, ordered: "np.ndarray[tuple[int], np.dtype[np.int64]]", target: int) -> int:
    """Return the first ordered list in a target or after it, in an element around it; -1 if there is none."""
    for around in [target, *page.ancestors(target, _MAX_SHARED_LEVELS), page.body][: _MAX_SHARED_LEVELS + 1]:
        index = int(np.searchsorted(ordered, target))
        if index < len(ordered) and ordered[index] < page.end[around]:
            return int(ordered[index])
    return -1


def _items(page: Page, row: int) -> dict[str, int]:
    start = page.attributes(row).get("start", "1")
    number = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1  # noqa: PLR2004 (sane)
    out = {}
    k, end = row + 1, int(page.end[row])
    while k < end:
        if page.tag[k] == _LI:
            out[str(number)] = k
            number += 1
        k = int(page.end[k]) if page.is_element[k] else k + 1
    return out


# Notes that their references link to.
#
# A short link is a reference if it, its fragment or its target is named as one, if its target links back, or if it is
# raised or reads as the target begins. It must be selected itself, and a link that leads back never is a reference.

_A, _SUP = tags.IDS["a"], tags.IDS["sup"]
_WORD_NOTE: Final = re.compile(r"_(?:ftn|edn)\d")  #: a fragment of Word
_MAX_REFERENCE_CHARS: Final = 60  #: of the text of a reference
_RAISED_LEVELS: Final = 3  #: from a link up to a ``sup``


@dataclass(frozen=True, slots=True)
class LinkedNote:
    """A reference and the rows of its note."""

    reference: int
    label: str
    start: int
    stop: int


class LinkedNotes:
    """Finds the references among the links to fragments."""

    def __init__(self, page: Page, mask: Bools, names: Names, lines: Lines, links: dict[int, str]) -> None:
        self.page, self.names, self.lines, self.links = page, names, lines, links
        self.selected = page.count_selected(mask)
        self.target_of = find_targets(page, links)
        self.links_to: dict[int, list[int]] = {}  # by target, the rows of the links to it in order
        for row, target in self.target_of.items():
            self.links_to.setdefault(target, []).append(row)
        self.in_heading = in_subtree(page.end, np.flatnonzero(tags.HEADING[page.tag] & page.is_element))

    def find(self) -> list[LinkedNote]:
        """Return the references that were found, in the order of the page."""
        candidates: list[tuple[int, str]] = []
        for row, target in self.target_of.items():
            label = self._label(row, target)
            if label:
                candidates.append((row, label))
        targets = Targets(self.page, self.names, self.lines, [self.target_of[row] for row, _ in candidates])
        out: list[LinkedNote] = []
        ranges: dict[int, tuple[int, int] | None] = {}
        lists = shared_lists(self.page, [(row, label, self.target_of[row]) for row, label in candidates])
        for row, label in candidates:
            target = self.target_of[row]
            if target in lists:
                item = lists[target].get(label, -1)
                if item > row and (self._is_raised(row) or self.names.is_reference(row)):
                    out.append(LinkedNote(row, label, item, int(self.page.end[item])))
                continue
            if target not in ranges:
                ranges[target] = targets.note(target)
            note = ranges[target]
            if note is None or note[0] <= row < note[1] or not self._is_reference(row, label, target, note):
                continue
            out.append(LinkedNote(row, label, *note))
        return _without_mutual(out)

    def _label(self, row: int, target: int) -> str:
        """Return the label of a link that may be a reference; ``""`` if it cannot be one."""
        page = self.page
        if page.tag[row] != _A or page.offset[page.end[row]] - page.offset[row] > _MAX_REFERENCE_CHARS:
            return ""
        if page.pre[row]:  # the number of a line
            return ""
        if self.selected[page.end[row]] == self.selected[row] or target <= page.body:
            return ""
        if self.in_heading[row] and not self._is_raised(row):
            return ""
        if self.names.is_back(row):
            return ""
        text = page.row_text(row)
        any_word = self.names.is_reference(row) or (text[:1] == "[" and self.names.is_note(target, levels=1))
        return parse_label(text, any_word=any_word)

    def _is_reference(self, row: int, label: str, target: int, note: tuple[int, int]) -> bool:
        names = self.names
        is_after = note[0] > row
        named_target = names.is_note(note[0]) or names.is_note(target, levels=1)
        is_numeric = label[0].isdigit() or not label[0].isalnum() or label[-1].isdigit()
        if named_target and (is_after or names.is_reference(row)):
            return True
        if not is_after:
            return False
        if names.is_reference(row) and is_note_fragment(self.links[row]):
            return True
        is_roman = _WORD_NOTE.match(self.links[row]) is not None and self._begins_with(note[0], label)  # without ids
        if is_roman or self._links_back(row, note):
            return True
        if is_numeric and (self._is_raised(row) or is_note_fragment(self.links[row])):
            return not self._begins_block(row) or self._begins_with(note[0], label)
        return is_numeric and self._begins_with(note[0], label) and not self._begins_block(row)

    def _links_back(self, row: int, note: tuple[int, int]) -> bool:
        """Tell whether a note links to its reference, or to an element directly around or before it."""
        page = self.page
        around = int(page.parent[row])
        for near in (row, around, int(page.parent[around]) if around > 0 else around, row - 1, row - 2):
            links = self.links_to.get(near, [])
            first = bisect_left(links, note[0])
            if first < len(links) and links[first] < note[1]:
                return True
        return False

    def _is_raised(self, row: int) -> bool:
        page = self.page
        if page.end[row] > row + 1 and page.tag[row + 1] == _SUP:
            return True
        return any(page.tag[element] == _SUP for element in page.ancestors(row, _RAISED_LEVELS))

    def _begins_block(self, row: int) -> bool:
        """Tell whether a link begins a line: an entry of an index, not a reference in a sentence."""
        start = self.lines.start_of(row)
        first = int(self.page.offset[start])
        before = self.page.text[first : min(int(self.page.offset[row]), first + _MAX_REFERENCE_CHARS)]
        return start >= row or not before.strip(" \n\t[(")

    def _begins_with(self, start: int, label: str) -> bool:
        """Tell whether a note begins with the label of its reference."""
        found = line_label(self.page.text, int(self.page.offset[start]))
        return found is not None and found[0] == label


def _without_mutual(found: list[LinkedNote]) -> list[LinkedNote]:
    """Return references that are in no note: of two notes that link to each other, the later is the note."""
    starts = sorted({note.start for note in found if note.reference < note.start})
    stop_of = {note.start: note.stop for note in found}
    out = []
    for note in found:
        index = bisect_left(starts, note.reference + 1) - 1
        in_note = index >= 0 and note.reference < stop_of[starts[index]]
        if not in_note or note.reference < note.start:
            out.append(note)
    return out
