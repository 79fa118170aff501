"""Containers that are named by a class or a role: callouts, and tables and headings without their elements."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.html.callouts import COLOURS, TYPES, callout_type, names_box
from tamis.page import Hidden, Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

#: Parts of classes that name a callout, and whole words of the class of a ``div`` that do.
_PARTS: Final = (
    "admonition", "alert", "callout", "notecard", "custom-block", "hint", "notice", "aside", "information-macro",
    "blockquote-tag", "prompt-",
)  # fmt: skip
_WORDS: Final = ("note", "warning", "tip", "important", "caution", "danger", "info")
CLASSES: Final = (*_PARTS, *_WORDS)  #: what is searched for in classes
_WHOLE_WORDS: Final = frozenset({*_WORDS, "NOTE", "TIP", "WARNING", "IMPORTANT", "CAUTION"})
_DIV, _ASIDE, _DETAILS, _QUOTE = (tags.IDS[name] for name in ("div", "aside", "details", "blockquote"))
_ATTRIBUTES: Final = "[data-callout],[data-type='note'],[data-type='warning'],[data-type='tip']"
_TITLE_CLASS: Final = re.compile(r"title|heading|header|label(?!led)", re.IGNORECASE)
_BOX_TAGS: Final = tags.tag_mask("div aside blockquote section details figure p article")
_LAYOUT: Final = tags.tag_mask("h1 main nav form article")
_MAX_TITLE_CHARS: Final = 150
_MAX_TITLE_ROWS: Final = 40  #: from the box to its title
_MAX_INNER_ROWS: Final = 1000  #: of a box in a box: boxes that are nested thousands of levels deep stay cheap
_MAX_SHARE: Final = 0.6  #: of the selected text: a box with more is the content
_MIN_CONTENT_CHARS: Final = 100  #: of a box with most of the text, which is then the content
_MARKER: Final = re.compile(r"\s*\[!(\w{3,20})\][-+]?[ \t]*")


@dataclass(frozen=True, slots=True)
class CalloutFacts:
    """The type of a callout, and its title.

    Attributes:
        type: such as ``note``.
        title: the row of the element with its title; -1 if it has none.
        label: the title, if it is shown and yet not selected, or hidden from screen readers.
    """

    type: str
    title: int = -1
    label: str = ""


def find_callouts(page: Page, mask: Bools, notes: Iterable[int] = ()) -> dict[int, CalloutFacts]:
    """Return the callouts with selected text by row. A box in which one of the `notes` begins is a box of notes.

    >>> from tamis.page import parse_page
    >>> box = '<div class="admonition tip"><p class="admonition-title">Try</p><p>Tea.</p></div>'
    >>> page = parse_page(f"{box}<p>One. Two. Three.")
    >>> find_callouts(page, page.is_text)
    {4: CalloutFacts(type='tip', title=5, label='')}
    """
    candidates = _candidates(page)
    if not candidates:
        return {}
    sums = prefix_sums(page.nonspace * mask)
    starts = sorted(notes)
    max_chars = max(_MAX_SHARE * int(sums[-1]), min(_MIN_CONTENT_CHARS, int(sums[-1]) - 1))
    out: dict[int, CalloutFacts] = {}
    outer = -1  # the callout that was found last
    for row in candidates:
        end = int(page.end[row])
        chars = int(sums[end] - sums[row])
        is_inner = outer >= 0 and row < int(page.end[outer])
        if is_inner and end - row > _MAX_INNER_ROWS:
            continue
        if not chars or not _BOX_TAGS[page.tag[row]] or chars > max_chars:
            continue
        if _LAYOUT[page.tag[row + 1 : end]].any() or bisect_left(starts, row) < bisect_left(starts, end):
            continue
        kind, is_box = callout_type(page.attributes(row))
        has_name = bool(kind) or names_box(page.attribute_of(row, "class") or "")
        title = _title(page, mask, row) if has_name else -1
        if not kind and title >= 0:  # the title says of which type the box is
            kind = label_of(page.row_text(title)).lower().replace(" ", "")
        if not is_box and not _is_named_box(page, row, kind, title):
            continue
        # A box in a box has a title of its own; other elements in one are parts of it.
        if is_inner and (not is_box or title < 0 or not 0 <= out[outer].title < row):
            continue
        if kind:
            outer = outer if is_inner else row
            label = _unselected_title(page, mask, row) if title < 0 else ""
            out[row] = CalloutFacts(kind, title, label)
    return out


def _candidates(page: Page) -> list[int]:
    """Return the elements that may be callouts by their classes, each of which is read once, or by an attribute."""
    ids = page.class_column
    wanted = np.zeros((2, len(page.classes) + 1), dtype=np.bool_)
    wanted[0, page.class_numbers(*_PARTS)] = True
    alone = [n for n in page.class_numbers(*_WORDS) if not _WHOLE_WORDS.isdisjoint(page.classes[n - 1].split())]
    wanted[1, alone] = True
    found = wanted[0][ids]
    if alone:
        found |= wanted[1][ids] & ((page.tag == _DIV) | (page.tag == _QUOTE))
    found |= (ids > 0) & ((page.tag == _ASIDE) | (page.tag == _DETAILS))
    found[page.select(_ATTRIBUTES)] = True
    rows: list[int] = np.flatnonzero(found & page.is_element).tolist()
    return rows


def _is_named_box(page: Page, row: int, kind: str, title: int) -> bool:
    """Tell whether a box with a type, and no word for the box among its classes, is a callout.

    An ``aside`` and a ``blockquote`` are. Others need a title, or a name in capitals, as Microsoft writes it.
    """
    if kind in {"quote", "cite"}:
        return False
    return (
        title >= 0 or page.tag_name(row) in {"aside", "blockquote"} or page.attributes(row).get("class", "").isupper()
    )


def _title(page: Page, mask: Bools, row: int) -> int:
    """Return the element with the title of a callout: by its class, a ``summary``, or a heading at its start."""
    stop = min(int(page.end[row]), row + _MAX_TITLE_ROWS)
    for k in range(row + 1, stop):
        if not page.is_element[k]:
            if mask[k] and page.nonspace[k]:
                break  # text before any title
            continue
        text = page.row_text(k).strip()
        if not text or len(text) > _MAX_TITLE_CHARS or not mask[k : page.end[k]].any():
            continue
        is_heading = tags.HEADING[page.tag[k]] or page.tag[k] == tags.IDS["summary"]
        if (is_heading or _TITLE_CLASS.search(page.attributes(k).get("class", ""))) and page.end[k] < page.end[row]:
            return k
    return -1


def _unselected_title(page: Page, mask: Bools, row: int) -> str:
    """Return the title at the start of a callout that is not selected, or that is hidden from screen readers.

    A box that is kept is kept with its title, as a picture is with its caption. Starlight has ``aria-hidden`` titles.
    """
    for k in range(row + 1, min(int(page.end[row]), row + _MAX_TITLE_ROWS)):
        if mask[k]:
            break
        shown = page.hidden[k] in {0, Hidden.ARIA}
        if page.is_element[k] and shown and _TITLE_CLASS.search(page.attributes(k).get("class", "")):
            text = " ".join(page.row_text(k).split())
            if text and len(text) <= _MAX_TITLE_CHARS and not mask[k : page.end[k]].any():
                return text
    return ""


def read_marker(text: str) -> tuple[str, str] | None:
    """Return the type and the rest of a text that begins as a callout in Markdown does, or None.

    >>> read_marker("[!NOTE] Tea is hot"), read_marker("[1] Tea")
    (('note', 'Tea is hot'), None)
    """
    match = _MARKER.match(text)
    return (match[1].lower(), text[match.end() :]) if match and match[1].lower() in TYPES else None


def label_of(text: str) -> str:
    """Return the label that a first bold word of a callout is, without its colon; ``""`` if it is not a label.

    >>> label_of("Note:"), label_of("See also:"), label_of("Tea")
    ('Note', 'See also', '')
    """
    word = text.strip().rstrip(":.!").strip()
    return word if word.lower().replace(" ", "") in TYPES - COLOURS else ""


# The parts of tables: header rows, spans of cells, and tables made of other elements.


def header_rows(page: Page) -> frozenset[int]:
    """Return the ``tr`` elements in a ``thead``."""
    in_header = in_subtree(page.end, page.rows_of("thead"))
    return frozenset(row for row in page.rows_of("tr").tolist() if in_header[row])


# Tables made of other elements, which name their rows and cells by roles.

_TABLES: Final = frozenset({"table", "grid", "treegrid"})
_CELLS: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MIN_ARIA_ROWS, _MIN_ARIA_CELLS = 2, 2  #: in a table of data
_TABLE_TAGS: Final = tags.tag_mask("table tbody thead tfoot tr td th")


def find_aria_tables(page: Page, roles: dict[int, str]) -> dict[int, str]:
    """Return the tables, rows and cells among the elements with a role: ``table``, ``tr``, ``td`` or ``th`` by row.

    >>> from tamis.page import parse_page
    >>> row = "<div role=row><span role=cell>a</span><span role=cell>b</span></div>"
    >>> page = parse_page(f"<div role=table>{row}{row}</div>")
    >>> list(find_aria_tables(page, page.attribute("role")).values())
    ['table', 'tr', 'td', 'td', 'tr', 'td', 'td']
    """
    out: dict[int, str] = {}
    if _TABLES.isdisjoint(roles.values()):
        return out
    table, table_end, row_end = -1, 0, 0
    rows: list[list[int]] = []  # of the current table: a row and its cells
    for element, role in [*sorted(roles.items()), (len(page), "table")]:
        if element >= table_end:
            if len(rows) >= _MIN_ARIA_ROWS and all(len(row) > _MIN_ARIA_CELLS for row in rows):
                out[table] = "table"
                for row, *cells in rows:
                    out |= {row: "tr", **{cell: _CELLS[roles[cell]] for cell in cells}}
            table, table_end, row_end, rows = -1, 0, 0, []
        if element >= len(page) or _TABLE_TAGS[page.tag[element]] or page.hidden[element]:
            continue
        if role in _TABLES and table < 0:
            table, table_end = element, int(page.end[element])
        elif role == "row" and table >= 0 and element >= row_end:
            row_end = int(page.end[element])
            rows.append([element])
        elif role in _CELLS and element < row_end:
            rows[-1].append(element)
    return out


# Headings made of other elements, by their role.

_DEFAULT_LEVEL: Final = 2  #: of an element with the role of a heading, by WAI-ARIA


def find_aria_headings(page: Page, roles: Mapping[int, str]) -> dict[int, int]:
    """Return the levels of elements that are headings by their role and contain no other block."""
    out = {}
    for row, role in roles.items():
        if role != "heading" or tags.HEADING[page.tag[row]] or tags.BLOCK[page.tag[row + 1 : page.end[row]]].any():
            continue
        level = page.attributes(row).get("aria-level", "")
        out[row] = int(level) if level in set("123456") else _DEFAULT_LEVEL
    return out
