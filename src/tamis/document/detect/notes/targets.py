"""Links to fragments of the same page, and the note that a target is, or is in."""

import re
from typing import Final
from urllib.parse import unquote, urlsplit

import numpy as np

from tamis.document.detect.notes.lines import Lines
from tamis.document.detect.notes.names import Names, is_note_fragment
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import prefix_sums

_NOTE_TAGS: Final = tags.tag_mask("li p div aside dd dt tr table section blockquote details td th")
_NEVER: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 nav main article header form")  #: in no note, and around none
_JOINED: Final = tags.tag_mask("li aside dd tr")  #: around a paragraph with a target, these are the note
_CELLS: Final = tags.tag_mask("td th")
_DT, _DD, _SECTION = tags.IDS["dt"], tags.IDS["dd"], tags.IDS["section"]
_MAX_LEVELS: Final = 4  #: from a target up to its note
_MAX_CHARS: Final = 6000  #: of a note
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
        self.never = prefix_sums(_NEVER[page.tag] & page.is_element)
        self.shown = prefix_sums(np.where(page.hidden == 0, page.nonspace, 0))

    def note(self, target: int) -> tuple[int, int] | None:  # noqa: PLR0911 (one return per form)
        """Return the first row of the note of a target, and the row after it; None if it is in no note."""
        block = self._block(target)
        page = self.page
        if block < 0:
            in_line = not tags.BLOCK[page.tag[target]] and page.block_ancestor[target] >= page.body
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

    def _joined(self, block: int) -> int:
        """Return the outermost element around a block that is the same note."""
        page = self.page
        for _ in range(_MAX_LEVELS):
            parent = int(page.parent[block])
            around = bool(_JOINED[page.tag[parent]]) or (
                page.tag_name(parent) == "div" and self.names.is_note(parent, levels=1)
            )
            if parent <= page.body or not around or len(self._targets_in(parent, int(page.end[parent]))) > 1:
                break
            if _LIST_NAME.search(self.names.of(parent)) and page.tag_name(parent) == "div":
                break  # the list of notes, though it has only one
            block = parent
        return block

    def _block(self, target: int) -> int:
        page, row = self.page, target
        for _ in range(_MAX_LEVELS):
            if row <= page.body or _NEVER[page.tag[row]]:
                return -1
            if _CELLS[page.tag[row]]:
                table_row = int(page.parent[row])
                several = len(self._targets_in(row, int(page.end[row]))) > 1
                return row if several or page.tag_name(table_row) != "tr" else table_row
            if _NOTE_TAGS[page.tag[row]]:
                return row
            row = int(page.parent[row])
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
        if not 0 < chars <= _MAX_CHARS or self.never[stop] > self.never[start]:
            return None
        return start, stop


def find_targets(page: Page, links: dict[int, str]) -> dict[int, int]:
    """Return the row of the target of each link that has one."""
    row_of: dict[str, int] = {}
    for row, value in (*page.attribute("id").items(), *page.attribute("name").items()):
        row_of.setdefault(value, row)
    out = {}
    for row, fragment in links.items():
        target = row_of.get(fragment, -1)
        if target < 0 and "%" in fragment:
            target = row_of.get(unquote(fragment), -1)
        if target > 0:
            out[row] = target
    return out
