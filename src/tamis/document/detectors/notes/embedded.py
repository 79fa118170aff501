"""Notes inside the text: side notes, hidden notes behind their number, and notes in ``data-`` attributes."""

import re
from typing import Final, NamedTuple

import numpy as np

from tamis.document.detectors.notes.model import parse_label
from tamis.html import tags
from tamis.html.attributes import NOTE_ID_ATTRIBUTE, NOTE_TEXT_ATTRIBUTES
from tamis.html.text import safe_url
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

#: Classes of an element that contains a note.
NOTE_CLASS: Final = lazy_pattern(
    r"(?:side-?_?note|margin-?_?note|ltx_note_outer|footnotes?-?_*(?:text|content|body|tooltip|popup|popover|inner|def)"
    r"|fn-?_*(?:text|content|body)|modern-footnotes-footnote__note|inline-?_?(?:foot)?-?note|note-?_?(?:content|text|body)"
    r"|sidenote-?_?(?:content|text|body)|refbody|footnote_tooltip|footnote-inline|footnoteText)",
    re.IGNORECASE,
)
NOTE_TAGS: Final = frozenset({"d-footnote", "dt-fn"})  #: of Distill
#: Selects notes that their element or an attribute declares.
DEFINED: Final = ",".join((*sorted(NOTE_TAGS), *(f"[{name}]" for name in (*NOTE_TEXT_ATTRIBUTES, NOTE_ID_ATTRIBUTE))))
_CANDIDATES: Final = f"{DEFINED},[class*='note' i],[class*='fn-' i],[class*='refbody' i],[class*='ltx_note_outer']"
_MARKER_TAGS: Final = tags.tag_mask("label sup a button input span")
_INLINE_TAGS: Final = tags.tag_mask("span small aside div i em cite label")
CITATION_ATTRIBUTE: Final = "data-testid"  #: says what is a citation
_BREAK: Final = lazy_pattern(r"</?(?:p|br|div|li|ul|ol)\b[^<>]{0,2000}>", re.IGNORECASE)
_TAG: Final = lazy_pattern(r"<[^<>]{0,2000}>")
_MIN_WORD_CHARS: Final = 8  #: of a note that is one word
_MAX_CHARS: Final = 6000  #: of a note
_MAX_BACK: Final = 6  #: rows before a note where its marker is looked for


class EmbeddedNote(NamedTuple):
    """A note in the text: its row, its wanted label, the row of its reference and rows that only toggle it.

    `text` is that of an attribute, `number` the text row with its number, if that is not an element.
    """

    row: int
    label: str
    reference: int
    dropped: tuple[int, ...] = ()
    text: str | None = None
    number: int = -1


def find_embedded(page: Page, mask: Bools, in_note: Bools) -> list[EmbeddedNote]:
    """Return the notes inside selected text, in order. `in_note` are rows of notes that were found otherwise.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Tea<sup>1</sup><span class="sidenote">Green tea.</span> and milk.')
    >>> [(note.label, page.row_text(note.row)) for note in find_embedded(page, page.is_text, page.is_text & False)]
    [('1', 'Green tea.')]
    """
    selected = page.count_selected(mask)
    nonspace = prefix_sums(page.nonspace)
    out: list[EmbeddedNote] = []
    stop = 0
    for row in page.select(_CANDIDATES):
        if row < stop or row <= page.body or in_note[row]:
            continue
        attributes = page.attributes(row)
        block = int(page.block_ancestor[int(page.parent[row])])
        if selected[page.end[block]] == selected[block]:
            continue
        text = _attribute_text(attributes)
        if text and selected[page.end[row]] > selected[row]:
            chars = page.row_text(row) if nonspace[page.end[row]] - nonspace[row] < 2 * _MIN_WORD_CHARS else ""
            out.append(EmbeddedNote(row, parse_label(chars), row, text=text))
            stop = int(page.end[row])
            continue
        chars_inside = int(nonspace[page.end[row]] - nonspace[row])
        is_content = any(NOTE_CLASS.fullmatch(word) for word in attributes.get("class", "")[:400].split())
        is_content = is_content and bool(_INLINE_TAGS[page.tag[row]])
        is_content = is_content or (_is_unfolded(page, row) and bool(_INLINE_TAGS[page.tag[row]]))
        if not (is_content or page.tag_name(row) in NOTE_TAGS) or not 0 < chars_inside <= _MAX_CHARS:
            continue
        if any(NOTE_CLASS.fullmatch(word) for word in _inner_classes(page, row)):
            continue  # it contains the note and its number
        marker, label, dropped = _marker(page, row, block)
        text_before = nonspace[row] > nonspace[block]
        if not text_before or (marker < 0 and tags.BLOCK[page.tag[row]]):
            continue
        number = _number_before(page, row) if marker < 0 else -1
        if number >= 0:
            label = parse_label(page.row_text(number))
        if page.hidden[row] and marker < 0 and number < 0:
            continue
        out.append(EmbeddedNote(row, label, marker, dropped, number=number))
        stop = int(page.end[row])
    return [*out, *_described(page, mask)]


def _described(page: Page, mask: Bools) -> list[EmbeddedNote]:
    """Return the hidden notes that an element names by their id in `NOTE_ID_ATTRIBUTE`."""
    named = page.attribute(NOTE_ID_ATTRIBUTE)
    row_of = {value: row for row, value in page.attribute("id").items()} if named else {}
    out = []
    for row, value in named.items():
        note = row_of.get(value, -1)
        if note > 0 and page.hidden[note] and mask[row : page.end[row]].any():
            out.append(EmbeddedNote(note, parse_label(page.row_text(row)), row))
    return out


def _is_unfolded(page: Page, row: int) -> bool:
    """Tell whether a box to tick directly before an element named as a note shows it."""
    before = row - 1
    while before > page.parent[row] and page.is_text[before] and not page.nonspace[before]:
        before -= 1
    is_box = page.tag[before] == tags.IDS["input"] and page.attributes(before).get("type") == "checkbox"
    return is_box and "note" in page.attributes(row).get("class", "").lower()


def _inner_classes(page: Page, row: int) -> list[str]:
    """Return the classes of the elements directly below an element."""
    rows = range(row + 1, min(int(page.end[row]), row + _MAX_BACK))
    inner = [k for k in rows if page.is_element[k] and page.parent[k] == row]
    return [word for k in inner for word in page.attributes(k).get("class", "").split()]


def _number_before(page: Page, row: int) -> int:
    """Return the text row before a note that is its number, in one element with it; -1 if there is none."""
    before = row - 1
    is_number = page.parent[before] == page.parent[row] and page.is_text[before] and page.nonspace[before] > 0
    return before if is_number and parse_label(page.row_text(before)).isdigit() else -1


def _attribute_text(attributes: dict[str, str]) -> str:
    """Return the text of a note that is an attribute; ``""`` for a number or the id of a note."""
    for name in NOTE_TEXT_ATTRIBUTES:
        value = " ".join(_TAG.sub("", _BREAK.sub(" ", attributes.get(name, "")[: 4 * _MAX_CHARS])).split())
        if " " in value or (len(value) >= _MIN_WORD_CHARS and value.isalpha()):
            return value
    return ""


def _marker(page: Page, row: int, block: int) -> tuple[int, str, tuple[int, ...]]:
    """Return the element before a note that is its number, its label, and elements that only toggle the note."""
    dropped: list[int] = []
    marker, label = -1, ""
    k = row - 1
    while k > max(block, row - _MAX_BACK - 1):
        if page.is_text[k] and page.nonspace[k]:
            element = int(page.parent[k])
            if page.end[element] > row or not _MARKER_TAGS[page.tag[element]]:
                break
            found = parse_label(page.row_text(element))
            top = element
            while _MARKER_TAGS[page.tag[page.parent[top]]] and page.end[page.parent[top]] <= row:
                top = int(page.parent[top])
            if found:
                marker, label = top, found
            elif page.tag_name(top) == "label" and page.nonspace[k] == 1:
                dropped.append(top)
            break
        if page.is_element[k] and page.tag_name(k) in {"label", "input", "button"} and page.end[k] <= row:
            dropped.append(k)
        k -= 1
    return marker, label, tuple(dropped)


# Citations of a chat: a link with the name of a source behind a sentence, in an element that says so.

_MAX_CITATION: Final = 80  #: characters, and rows


def find_citations(page: Page, mask: Bools, url: str | None) -> dict[int, str]:
    """Return the URLs of selected links that are citations, by row. The elements around them have no other text.

    >>> from tamis.page import parse_page
    >>> html = '<p>Tea is green.<b data-testid="citation-pill"><a href="https://e.org/t">Tea <i>+2</i></a></b>'
    >>> page = parse_page(html)
    >>> find_citations(page, page.is_text, None)
    {7: 'https://e.org/t'}
    """
    out: dict[int, str] = {}
    links = page.rows_of("a")
    for row, name in page.attribute(CITATION_ATTRIBUTE).items():
        end = int(page.end[row])
        inside = links[np.searchsorted(links, row) : np.searchsorted(links, end)].tolist()
        is_short = page.offset[end] - page.offset[row] <= 2 * _MAX_CITATION and end - row <= _MAX_CITATION
        if "citation" not in name or not is_short or len(inside) != 1 or tags.BLOCK[page.tag[row:end]].any():
            continue
        link = inside[0]
        text = page.collapsed_text(link).strip()
        href = (page.attribute_of(link, "href") or "").strip()
        target = safe_url(href, url) if href.startswith(("https:", "http:", "//")) else None
        is_whole = text == page.collapsed_text(row).strip() and 0 < len(text) <= _MAX_CITATION
        if is_whole and target and mask[link:end].any():
            out[link] = target
    return out
