"""Notes that their references link to.

A short link is a reference if it, its fragment or its target is named as one, if its target links back, or if it is
raised or reads as the target begins. It must be selected itself, and a link that leads back never is a reference.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.document.detect.notes.labels import line_label, parse_label
from tamis.document.detect.notes.lines import Lines
from tamis.document.detect.notes.names import Names, is_note_fragment
from tamis.document.detect.notes.shared_targets import shared_lists
from tamis.document.detect.notes.targets import Targets, find_targets
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

_A, _SUP = tags.IDS["a"], tags.IDS["sup"]
_MAX_CHARS: Final = 60  #: of the text of a reference
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
        self.selected = prefix_sums(mask)
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
        if page.tag[row] != _A or page.offset[page.end[row]] - page.offset[row] > _MAX_CHARS:
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
        if self._links_back(row, note):
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
        for _ in range(_RAISED_LEVELS):
            row = int(page.parent[row])
            if page.tag[row] == _SUP:
                return True
        return False

    def _begins_block(self, row: int) -> bool:
        """Tell whether a link begins a line: an entry of an index, not a reference in a sentence."""
        start = self.lines.start_of(row)
        first = int(self.page.offset[start])
        before = self.page.text[first : min(int(self.page.offset[row]), first + _MAX_CHARS)]
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
