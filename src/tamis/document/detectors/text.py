"""What plain text asks too: signs that are not text, missing spaces, invisible characters, and clues of all the rest.

The other detectors look at the whole page and take longer than the selection itself. `find_clues` tells from the
tags, classes and characters in and around the selected text what it cannot have.
"""

import unicodedata
from collections.abc import Iterator
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np

from tamis._core.enums import Clue
from tamis._core.loader import core
from tamis.document.detectors.code import EDITOR_PARTS
from tamis.document.detectors.formulas.signs import (
    CLASS_PARTS,
    CLASS_WORDS,
    TAG_WORDS,
    URL_WORDS,
    is_tex_name,
)
from tamis.document.detectors.gutters import (
    CODE_BOX,
    CODE_CLASS,
    CODE_TAGS,
    NUMBER_CLASSES,
    NUMBER_PARTS,
    consecutive_numbers,
)
from tamis.document.detectors.notes.embedded import NOTE_CLASS, NOTE_TAGS
from tamis.document.detectors.notes.model import Names, parse_label
from tamis.html import tags
from tamis.html.attributes import EMAIL_ATTRIBUTE, KINDS, NOTE_ID_ATTRIBUTE, NOTE_TEXT_ATTRIBUTES, TEX_ATTRIBUTES
from tamis.html.text import ANCHOR_SIGNS, decode_email
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

# Signs at headings, and text that a class hides from readers, which are not text of the page.

# Signs at headings that do not belong to them: the ``¶`` that links to a heading, the ``[edit]`` of a wiki.

_MAX_SIGN_LEVELS: Final = 3  #: from the sign up to its link
_MAX_CODE_LEVELS: Final = 12  #: from the sign up to the code that it is a part of
_CODE_TAGS: Final = tags.tag_mask("pre code samp kbd tt")
#: Links to a heading and links to edit a section, by their class, as documentation sites and wikis name them.
_LINK_SELECTOR: Final = (
    "a[class*='anchor' i],a[class*='permalink' i],a[class*='headerlink' i],a[class*='header-link' i],"
    "span.eqno,a[class*='hash-link' i],a[class*='heading-link' i],a[class*='deep-link' i],[class*='editsection' i]"
)
#: Parts of those classes, in lower case.
ANCHOR_PARTS: Final = (
    "anchor", "permalink", "headerlink", "header-link", "hash-link", "heading-link", "deep-link", "editsection",
    "eqno", "not-", "ltx_tag_item", "invisible",
)  # fmt: skip
#: Text that Tailwind hides unless a page is printed or read by a machine; the widths of screens are not such states.
_SHOWN_ELSEWHERE: Final = lazy_pattern(r"(?:^|\s)not-(?!(?:sm|md|lg|xl|\dxl|min|max|dark)\b)[\w-]+:hidden(?:$|\s)")
_ITEM_MARK: Final = lazy_pattern(r"\d{1,3}\.?|[•◦▪‣*⋆∙·–—-]")
_MAX_SIGN_ROWS: Final = 20  #: of a mark, a control, or a label with its value
_MAX_ROWS: Final = 200  #: of a heading and the box around it
_EDIT_URL: Final = lazy_pattern(r"[?&](?:ve)?action=edit\b")
_MAX_ANCHOR_CHARS: Final = 80  #: of the text of such a link: "Section titled …" repeats the heading


def without_anchors(page: Page, mask: Bools, *, may_be_named: bool = True) -> Bools:
    """Return the selected rows without permalink signs; the same mask if there are none.

    Where `may_be_named` is false, no class in the selection has one of `ANCHOR_PARTS`.

    A sign is dropped if it is the only text of a link with a fragment, and begins or ends a block with other text, or
    leads to the element around it. In a ``sup`` it refers to a footnote and stays, and in code it is code.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<h2>Tea <a href="#tea">¶</a></h2><p>See <a href="#two">§</a> 2.</p>')
    >>> [page.row_text(row) for row in np.flatnonzero(without_anchors(page, page.is_text))]
    ['Tea ', 'See ', '§', ' 2.']
    """
    ranges = find_anchors(page, mask, may_be_named=may_be_named)
    if not ranges:
        return mask
    out = mask.copy()
    for first, stop, _ in ranges:
        out[first:stop] = False
    return out


def find_anchors(page: Page, mask: Bools, *, may_be_named: bool = True) -> list[tuple[int, int, str]]:
    """Return the ranges of rows that are not text, and why: permalinks, and what a class hides on screens."""
    name = "all anchors" if may_be_named else "anchors"
    return page.once(name, mask, lambda: _find_anchors(page, mask, may_be_named=may_be_named))


def _find_anchors(page: Page, mask: Bools, *, may_be_named: bool) -> list[tuple[int, int, str]]:
    candidates = core.sign_rows(page.columns, mask.view(np.uint8)) if page.columns.block_count else []
    signs = [
        (row, row + 1, "permalink")
        for row in candidates
        if page.row_text(row).strip() in ANCHOR_SIGNS
        and (_is_at_edge(page, row) or _links_to_its_box(page, row))
        and _links_to_fragment(page, row)
    ]
    found = [(row, "button of a heading") for row in _heading_buttons(page, mask)]
    if may_be_named:
        found += [(row, "permalink") for row in _heading_links(page, mask)]
        found += [(row, "hidden by its class") for row in _hidden_by_class(page, mask)]
        found += [(row, "mark of an item") for row in _item_marks(page, mask)]
        found += [(row, "hidden by its class") for row in _hidden_urls(page, mask)]
    return [*signs, *((row, int(page.end[row]), evidence) for row, evidence in found)]


_BUTTONS: Final = tags.tag_mask("button").tobytes()


def _heading_buttons(page: Page, mask: Bools) -> list[int]:
    """Return the selected buttons in headings beside a longer text, such as "Copy link". One alone is the heading."""
    found = core.elements_around(page.columns, mask.view(np.uint8), _BUTTONS) if page.tag_count("button") else []
    buttons = np.array(found, dtype=np.int64)
    headings = np.flatnonzero(tags.HEADING[page.tag]) if len(buttons) else buttons  # few buttons are selected
    if not len(headings):
        return []
    around = headings[np.searchsorted(headings, buttons, side="right") - 1]
    inside = (around < buttons) & (buttons < page.end[around])
    if not inside.any():
        return []
    chars = prefix_sums(np.where(mask, page.nonspace, 0))
    out = []
    for row, heading in zip(buttons[inside].tolist(), around[inside].tolist(), strict=True):
        end, heading_end = int(page.end[row]), int(page.end[heading])
        has_link = (page.tag[row:end] == _A).any() or any(page.tag[k] == _A for k in page.ancestors(row, _MAX_LEVELS))
        if not has_link and 2 * int(chars[end] - chars[row]) < int(chars[heading_end] - chars[heading]):
            out.append(row)
    return out


def _hidden_urls(page: Page, mask: Bools) -> list[int]:
    """Return the beginnings of URLs, ``https://``, that Mastodon hides by a class in links that show the rest."""
    numbers = [n for n in page.class_numbers("invisible") if page.classes[n - 1].strip() == "invisible"]
    rows = np.flatnonzero(np.isin(page.class_column, numbers)).tolist() if numbers else []
    out = []
    for row in rows:
        link, end = int(page.parent[row]), int(page.end[row])
        is_first = page.tag[link] == tags.IDS["a"] and row == link + 1 and end < page.end[link]
        text = page.row_text(row) if is_first and mask[row:end].any() else ""
        if text and (page.attribute_of(link, "href") or "").startswith(text):
            out.append(row)
    return out


def _item_marks(page: Page, mask: Bools) -> list[int]:
    """Return the bullets and numbers that LaTeXML writes before the text of items: Markdown has its own."""
    numbers = [number for number in page.class_numbers("ltx_tag_item") if page.tag_count("li")]
    rows = np.flatnonzero(np.isin(page.class_column, numbers)).tolist() if numbers else []
    rows = [row for row in rows if page.end[row] - row <= _MAX_SIGN_ROWS]
    is_mark = (mask[row : page.end[row]].any() and _ITEM_MARK.fullmatch(page.row_text(row).strip()) for row in rows)
    return [
        row
        for row, found in zip(rows, is_mark, strict=True)
        if found and page.tag[page.parent[row]] == tags.IDS["li"]
    ]


def _hidden_by_class(page: Page, mask: Bools) -> list[int]:
    """Return the outermost elements with selected text that a class hides on screens."""
    numbers = [number for number in page.class_numbers("not-") if _SHOWN_ELSEWHERE.search(page.classes[number - 1])]
    if not numbers:
        return []
    selected, out = page.count_selected(mask), list[int]()
    for row in np.flatnonzero(np.isin(page.class_column, numbers)).tolist():
        if (not out or row >= page.end[out[-1]]) and selected[page.end[row]] > selected[row]:
            out.append(row)
    return out


def _heading_links(page: Page, mask: Bools) -> list[int]:
    """Return the links beside the text of a heading that lead to it, and the elements with a link to edit it."""
    if not page.rows_of("a").size:
        return []
    out = []
    for row in page.select(_LINK_SELECTOR):
        stop = int(page.end[row])
        if stop - row > _MAX_ROWS or not mask[row:stop].any():
            continue
        if page.tag_name(row) != "a":
            links = [k for k in range(row, stop) if page.tag[k] == tags.IDS["a"]]
            is_sign = any(_EDIT_URL.search(page.attributes(link).get("href", "")) for link in links)
            is_sign = is_sign or page.attributes(row).get("class") == "eqno"  # the number of a formula
        else:
            fragment = "#" in (page.attributes(row).get("href") or "")
            is_sign = fragment and page.offset[stop] - page.offset[row] <= _MAX_ANCHOR_CHARS
            is_sign = is_sign and _is_beside_heading(page, mask, row, stop)
        if is_sign:
            out.append(row)
    return out


def _is_beside_heading(page: Page, mask: Bools, row: int, stop: int) -> bool:
    """Tell whether a link is in a heading with other text, or in a box with nothing but a heading."""
    for box in page.ancestors(row, _MAX_SIGN_LEVELS):
        end = int(page.end[box])
        if end - box > _MAX_ROWS:
            return False
        heading = np.flatnonzero(tags.HEADING[page.tag[box:end]])
        others = mask[box:end].copy()
        others[row - box : stop - box] = False
        if len(heading):
            first = box + int(heading[0])
            others[first - box : page.end[first] - box] &= first == box
            return bool(mask[first : page.end[first]].any()) and (bool(others.any()) == (first == box))
        if others.any():
            return False
    return False


def _is_at_edge(page: Page, row: int) -> bool:
    """Tell whether a row begins or ends its block, and is not all of it."""
    blocks = page.blocks
    block = int(blocks.block_of[row])
    if block < 0:
        return False
    stop = blocks.first[block + 1] if block + 1 < len(blocks) else len(blocks.rows)
    return bool((row == blocks.rows[blocks.first[block]]) != (row == blocks.rows[stop - 1]))


def _links_to_its_box(page: Page, row: int) -> bool:
    """Tell whether a row is in a link to an element around it, as below the code of an RFC."""
    around = list(page.ancestors(row, 2 * _MAX_SIGN_LEVELS))
    link = next((k for k in around[:_MAX_SIGN_LEVELS] if page.tag[k] == _A), -1)
    fragment = (page.attribute_of(link, "href") or "").removeprefix("#") if link >= 0 else ""
    return bool(fragment) and any(page.attributes(k).get("id") == fragment for k in around)


def _links_to_fragment(page: Page, row: int) -> bool:
    """Tell whether a row is in a link with a fragment, and neither in a ``sup`` nor in code outside of a heading."""
    in_link = False
    for level, element in enumerate(page.ancestors(row, _MAX_CODE_LEVELS)):
        if tags.HEADING[page.tag[element]]:
            break
        if _CODE_TAGS[page.tag[element]] or (page.tag[element] == tags.IDS["sup"] and level < _MAX_SIGN_LEVELS):
            return False
        if level < _MAX_SIGN_LEVELS and page.tag[element] == tags.IDS["a"]:
            in_link |= "#" in (page.attributes(element).get("href") or "")
    return in_link


# Invisible characters: they are removed from every output, and counted for warnings.
#
# Zero-width characters hide text inside words, bidirectional controls change the order in which a line is read, and
# tag characters carry whole sentences that no reader sees. Joiners stay where scripts need them: after letters of
# Arabic and of the scripts of India and South-East Asia, and within emoji.


def may_have_invisible(page: Page) -> bool:
    r"""Tell quickly whether a page's text may have invisible characters: they are counted in the class "other".

    >>> from tamis.page import parse_page
    >>> may_have_invisible(parse_page("<p>a\u200bb")), may_have_invisible(parse_page("<p>é"))
    (True, False)
    """
    return page.char_counts.other_count > 0


# E-mail addresses that Cloudflare hides from harvesters.


def protected_emails(page: Page) -> dict[int, str]:
    """Return what text rows of protected addresses say: the address at the first row, nothing at the others.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Ask <span data-cfemail="422736022736236c2b2d">[email&nbsp;protected]</span>')
    >>> list(protected_emails(page).values())
    ['et@eta.io']
    """
    out: dict[int, str] = {}
    for row, digits in page.attribute("data-cfemail").items():
        address = decode_email(digits)
        if address:
            rows = (np.flatnonzero(page.is_text[row : page.end[row]]) + row).tolist()
            out.update(dict.fromkeys(rows, ""))
            if rows:
                out[rows[0]] = address
    return out


# Words that only a style sheet keeps apart: text in elements side by side, without white space between them.
#
# A brand and a product name, a caption and its credit, or two buttons are often elements that a browser shows as
# boxes. Their words would run together in every output: "Gregory" and "Paragon 68 Pack".

_A: Final = tags.IDS["a"]
_STYLE: Final = KINDS["style"]
_EMPTY: Final = tags.tag_mask("span time i em b strong div")  #: without text, they are there for the style sheet
_WIDE: Final = frozenset("WF")  #: characters of scripts that have no spaces between words
_MAX_LEVELS: Final = 8  #: from a text row up to its link or another inline element


def rows_after_gap(page: Page, mask: Bools) -> frozenset[int]:
    """Return the selected text rows before which a space is missing.

    An element begins or ends between such a row and the text before it. After the end of a sentence, a space is
    missing before a capital letter. Between two elements, one is also missing if the first ends as a phrase does, the
    second begins with a capital letter, and one of them has several words: coloured parts of a name ("You", "Tube")
    have not. Two links are two phrases unless they lead to one URL.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><span>Gregory</span><span>Paragon 68 Pack</span> <b>You</b><i>Tube</i></p>")
    >>> [page.row_text(row) for row in rows_after_gap(page, page.is_text)]
    ['Paragon 68 Pack']
    """
    return page.once("rows after a gap", mask, lambda: _rows_after_gap(page, mask))


def _rows_after_gap(page: Page, mask: Bools) -> frozenset[int]:
    if not mask.any():
        return frozenset()
    sure, links, boxes = core.gap_candidates(page.columns, mask.view(np.uint8), page.text)
    sure += [second for first, second in links if _are_links(page, first, second)]
    sure += [
        second for first, second in boxes if _has_empty_element(page, first, second) or _is_value(page, first, second)
    ]
    return frozenset([*sure, *_controls_side_by_side(page, mask)])


#: Cells of tables that LaTeXML makes of ``span`` elements, by a word of their class: the role that they have.
_LATEXML_ROLES: Final = {"ltx_tabular": "table", "ltx_tr": "row", "ltx_th": "columnheader", "ltx_td": "cell"}
CELL_ROLES: Final = frozenset({"cell", "gridcell", "columnheader", "rowheader"})


def table_roles(page: Page) -> dict[int, str]:
    """Return the roles of elements, with those of tables that LaTeXML makes of other elements, in document order."""
    roles = page.attribute("role")
    if not page.class_numbers("ltx_tabular"):
        return roles
    if "table roles" not in page.memo:
        named = dict(roles)
        for number in page.class_numbers("ltx_t"):
            words = page.classes[number - 1].split()
            role = next((role for name, role in _LATEXML_ROLES.items() if name in words), None)
            if role is not None:
                named |= dict.fromkeys(np.flatnonzero(page.class_column == number).tolist(), role)
        page.memo["table roles"] = dict(sorted(named.items()))
    known: dict[int, str] = page.memo["table roles"]
    return known


#: Classes that say that line ends count: of Tailwind, and of many style sheets; and the text of a post on X.
_LINES_PARTS: Final = ("whitespace-pre", "pre-wrap", "pre-line", "break-spaces")
_LINES_CLASS: Final = lazy_pattern(
    r"(?:^|\s)(?:whitespace-(?:pre(?:-wrap|-line)?|break-spaces)|(?:white-space-)?pre-(?:wrap|line))(?=\s|$)"
)
_LINES_STYLE: Final = lazy_pattern(r"(?i:white-space(?:-collapse)?:\s*(?:pre|break-spaces))")
_LINES_SELECTOR: Final = "[data-testid='tweetText']"


def rows_of_lines(page: Page, mask: Bools) -> frozenset[int]:
    r"""Return the selected text rows with line ends that browsers show, outside of ``pre``.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p class="whitespace-pre-wrap">Tea.\nPot.</p><p>Tea.\nPot.</p>')
    >>> [page.row_text(row) for row in rows_of_lines(page, page.is_text)]
    ['Tea.\nPot.']
    """
    named = [k for k in page.class_numbers(*_LINES_PARTS) if _LINES_CLASS.search(page.classes[k - 1])]
    elements = np.flatnonzero(np.isin(page.class_column, named)).tolist() if named else []
    listed = zip(*page.listed, strict=True) if _STYLE in page.listed[1] else ()
    elements += [row for row, kind, value in listed if kind == _STYLE and _LINES_STYLE.search(value)]
    elements += page.select(_LINES_SELECTOR)
    if not elements:
        return frozenset()
    inside = in_subtree(page.end, np.array(sorted(set(elements)), dtype=np.int64)) & mask & page.is_text & ~page.pre
    return frozenset(row for row in np.flatnonzero(inside).tolist() if "\n" in page.row_text(row).strip())


_CONTROLS: Final = tags.tag_mask("label button").tobytes()


def _controls_side_by_side(page: Page, mask: Bools) -> list[int]:
    """Return the first text rows of labels, buttons and cells right behind the text of another one: names of tabs."""
    cells: list[int] = []
    if not CELL_ROLES.isdisjoint(page.listed[2]) or page.class_numbers("ltx_tabular"):  # few pages have such roles
        cells = [
            row for row, role in table_roles(page).items() if role in CELL_ROLES and not tags.CELL[page.tag[row]]
        ]
    if page.tag_count("label") + page.tag_count("button") + len(cells) < 2:  # noqa: PLR2004 (one has no neighbour)
        return []
    elements = core.elements_around(page.columns, mask.view(np.uint8), _CONTROLS)
    selected = page.count_selected(mask) if cells else ()
    with_text = sorted({*elements, *(row for row in cells if selected[page.end[row]] > selected[row])})
    if not with_text:  # as on most pages
        return []
    named = (page.rows_of("label"), page.rows_of("button"), np.array(cells, dtype=np.int64))
    in_control = in_subtree(page.end, np.concatenate(named))
    out = []
    for control in with_text:
        stop = min(int(page.end[control]), control + _MAX_SIGN_ROWS)
        row = control + int(np.argmax(mask[control:stop] & (page.nonspace[control:stop] > 0)))
        edge = page.text[max(int(page.offset[row]) - 1, 0) : int(page.offset[row]) + 1]
        before = int(np.searchsorted(page.offset, page.offset[row], side="left")) - 1  # the text row before
        is_near = in_control[before] and before < control and page.inline_run[before] == page.inline_run[row]
        if is_near and len(edge) == 2 and not any(map(str.isspace, edge)):  # noqa: PLR2004 (both characters)
            out.append(row)
    return out


def _has_empty_element(page: Page, before: int, after: int) -> bool:
    """Tell whether an element without text and name stands between two rows: a style sheet breaks the line there."""
    return any(
        page.end[row] == row + 1
        and page.is_element[row]
        and _EMPTY[page.tag[row]]
        and not page.hidden[row]
        and "id" not in page.attributes(row)
        for row in range(before + 1, after)
    )


def _is_value(page: Page, before: int, after: int) -> bool:
    """Tell whether two rows are a label and its number: the only texts of a block, each in a class of its own."""
    label, value = int(page.parent[before]), int(page.parent[after])
    box = int(page.parent[label])
    classes = page.class_column[[label, value]].tolist()
    is_pair = box == page.parent[value] and classes[0] != classes[1] and all(classes)
    is_pair = is_pair and page.end[box] - box <= _MAX_SIGN_ROWS
    if not is_pair or not tags.BLOCK[page.tag[box]] or not page.text[int(page.offset[after])].isdigit():
        return False
    return int((page.nonspace[box : page.end[box]] > 0).sum()) == 2  # noqa: PLR2004 (both)


def _are_links(page: Page, before: int, after: int) -> bool:
    """Tell whether two rows are links to different URLs, and no letters of a script that has no spaces."""
    position = int(page.offset[after])
    edges = page.text[position - 1 : position + 1]
    if not _WIDE.isdisjoint(map(unicodedata.east_asian_width, edges)):
        return False
    urls = _href(page, before), _href(page, after)
    return all(urls) and urls[0] != urls[1]


def _href(page: Page, row: int) -> str:
    link = next((element for element in _inline_ancestors(page, row) if page.tag[element] == _A), None)
    return "" if link is None else page.attributes(link).get("href") or ""


def _inline_ancestors(page: Page, row: int) -> Iterator[int]:
    """Yield the inline elements around a text row, the innermost first."""
    block = int(page.block_ancestor[row])
    yield from takewhile(lambda element: element > block, page.ancestors(row, _MAX_LEVELS))


# Tell quickly what selected text cannot have: code, formulas, notes, protected addresses.
#
# The detectors of this package look at the whole page and take longer than the selection itself. Most pages have
# nothing for them, and a look at the tags, classes and characters in and around the selected text shows it. A clue is
# necessary, not sufficient: where it is missing, the detector finds nothing that changes the words of the text.


def _flags() -> bytes:
    out = bytearray(len(tags.NAMES))
    for names, flag in (
        ("a sup", Clue.AROUND_LISTED),
        ("math", Clue.REPORTED | Clue.MATH),
        ("img script", Clue.LISTED),
        # Elements without text whose class says nothing about code, formulas and notes.
        ("br hr wbr script style link meta source track input option param col svg", Clue.UNNAMED),
    ):
        for name in names.split():
            out[tags.IDS[name]] |= flag
    out[tags.OTHER] |= Clue.LISTED
    for tag in np.flatnonzero(CODE_TAGS):
        out[tag] |= Clue.REPORTED | Clue.CODE
    return bytes(out)


_FLAGS: Final = _flags()
_SCRIPT, _IMG, _SUP = tags.IDS["script"], tags.IDS["img"], tags.IDS["sup"]
_EMAIL_KIND: Final = KINDS[EMAIL_ATTRIBUTE]
_FORMULA_KINDS: Final = frozenset(KINDS[name] for name in (*TEX_ATTRIBUTES, "data-math-style"))
_NOTE_KINDS: Final = frozenset(KINDS[name] for name in (*NOTE_TEXT_ATTRIBUTES, NOTE_ID_ATTRIBUTE))
# Parts of classes, a bit for each group: all are searched for at once.
_CODE_PART, _NUMBER_PART, _FORMULA_PART, _FORMULA_WORD, _NOTE_PART, _UNFOLDED_PART, _ANCHOR_PART = (
    1 << bit for bit in range(7)
)
_PARTS: Final = core.Parts(
    {
        # Each name of a code box contains one of these.
        _CODE_PART: (*map(str.lower, EDITOR_PARTS), "code", "highlight", "hljs", "prettyprint", "shiki", "chroma",
                     "programlisting", "monaco", "listing"),
        _NUMBER_PART: [*(f" {name}" for name in NUMBER_CLASSES), *NUMBER_PARTS],
        _FORMULA_PART: {part.lower() for part in CLASS_PARTS},
        _FORMULA_WORD: [f" {name}" for name in CLASS_WORDS],
        _NOTE_PART: ("note", "fn", "refbody"),
        _UNFOLDED_PART: ("footnote", "sidenote", "marginnote"),  # notes that a box to tick shows
        _ANCHOR_PART: ANCHOR_PARTS,
    }
)  # fmt: skip
_DOLLAR: Final = lazy_pattern(r"\$")
_TEX_SIGN: Final = lazy_pattern(r"[\\^_={}+<>]")
_MAX_WORDS: Final = 3  #: between dollars, without a sign of TeX
_MAX_REFERENCE: Final = 60  #: characters of a link that refers to a note
_MIN_NUMBERS: Final = 3  #: of a column of line numbers


class Clues(NamedTuple):
    """What selected text may have: code, formulas, notes, protected addresses, links that lead to its headings.

    Links are told by the names of classes (`anchors`), and by links of one character (`signs`). `buttons` may be
    beside the text of headings.
    """

    code: bool = False
    formulas: bool = False
    notes: bool = False
    emails: bool = False
    anchors: bool = False
    signs: bool = False
    buttons: bool = False


def find_clues(page: Page, mask: Bools) -> Clues:
    r"""Return what selected text may have.

    >>> from tamis.page import parse_page
    >>> page = parse_page(r"<nav><code>x</code></nav><p>Tea for $5 or \(x\).</p>")
    >>> find_clues(page, page.is_text & (page.nonspace > 1))
    Clues(code=False, formulas=True, notes=False, emails=False, anchors=False, signs=False, buttons=False)
    """
    if not page.columns.block_count:
        return Clues()
    return page.once("clues", mask, lambda: _Finder(page, mask).find() if mask.any() else Clues())


class _Finder:
    """The tags, classes and text in and around the selected rows."""

    def __init__(self, page: Page, mask: Bools) -> None:
        self.page, self.mask = page, mask
        classes = page.classes
        self.start, self.stop, self.seen, numbers, around, listed, self.above = core.clue_rows(
            page.columns, page.class_column, mask.view(np.uint8), len(classes), _FLAGS
        )
        start, stop = self.start, self.stop
        found = [classes[number - 1] for number in numbers]
        self.parts, self.parts_of = core.part_bits(found, _PARTS)
        self.names = found
        self.classes = " ".join(found) if self.parts else ""
        tag = page.tag.tobytes()  # reading a number from bytes is much faster than from an array
        self.raised = [row for row in around if tag[row] == _SUP]
        self.links = [row for row in around if tag[row] != _SUP] if self.raised else around
        self.scripts = [row for row in listed if tag[row] == _SCRIPT]
        self.images = [row for row in listed if tag[row] == _IMG]
        custom = [row for row in (*listed, *self.above) if tag[row] == tags.OTHER]
        self.custom = {page.tag_name(row) for row in custom}
        self.text = page.text[page.offset[start] : page.offset[stop]]

    def find(self) -> Clues:
        marked = self._marked()
        classes = self.classes.lower()
        return Clues(
            code=bool(self.seen & Clue.CODE) or self._may_have_code(),
            formulas=not marked.isdisjoint(_FORMULA_KINDS) or self._may_have_formulas(classes),
            notes=not marked.isdisjoint(_NOTE_KINDS) or self._may_have_notes(),
            emails=_EMAIL_KIND in marked,
            anchors=bool(self.parts & _ANCHOR_PART),
            signs=bool(core.sign_rows(self.page.columns, self.mask.view(np.uint8))),
            buttons=bool(self.page.tag_count("button"))
            and bool(core.elements_around(self.page.columns, self.mask.view(np.uint8), _BUTTONS)),
        )

    def _marked(self) -> set[int]:
        """Return the kinds of the attributes of formulas, notes and addresses in the element around the rows."""
        rows, kinds, _ = self.page.listed
        if not kinds or max(kinds) < _EMAIL_KIND:  # those that are looked for are the last
            return set()
        around = next((row for row in self.above if self.page.end[row] >= self.stop), 0)
        stop = self.page.end[around]
        return {kind for row, kind in zip(rows, kinds, strict=True) if around < row < stop and kind >= _EMAIL_KIND}

    def _may_have_code(self) -> bool:
        """Tell whether there is an editor, or selected rows are line numbers: consecutive, or named so."""
        page = self.page
        if self.parts & _CODE_PART:
            names = zip(self.names, self.parts_of, strict=True)
            code_names = " ".join([name for name, parts in names if parts & _CODE_PART])
            if any(part in code_names for part in EDITOR_PARTS) or CODE_BOX.search(code_names):
                return True
        rows = core.number_rows(page.columns, self.mask.view(np.uint8), 1)  # one sign behind each
        is_named = bool(self.parts & _NUMBER_PART)
        if not rows or (len(rows) < _MIN_NUMBERS and not is_named and not page.words[rows].max() > 1):
            return False
        numbers = consecutive_numbers(page, rows)
        if not numbers:
            return False
        longest = count = 0
        expected = -1
        for first, last in numbers.values():
            count = (count if first == expected else 0) + last - first + 1
            expected = last + 1
            longest = max(longest, count)
        if longest < _MIN_NUMBERS and not is_named:
            return False
        return bool(CODE_TAGS[page.tag].any()) or CODE_CLASS.search(" ".join(page.text_classes[1])) is not None

    def _may_have_formulas(self, classes: str) -> bool:  # noqa: PLR0911 (one return per sign)
        page, text = self.page, self.text
        # One sign is found many times faster than several.
        if "\\" in text or "`" in text or ("]" in text and "tex]" in text) or self._may_have_dollar_formulas():
            return True
        if self.seen & Clue.MATH or self.parts & _FORMULA_PART:
            return True
        if self.parts & _FORMULA_WORD and not CLASS_WORDS.isdisjoint(classes.split()):
            return True
        types = page.attribute_values(self.scripts, "type")
        if any(script_type.startswith("math/") for script_type in types):
            return True
        images = page.attribute_table(self.images, ("src", "alt"))
        urls = "\n".join([url for url, _ in images if url and not url.startswith("data:")])
        if any(word in urls for word in URL_WORDS):
            return True
        if any(name is not None and "\\" in name and is_tex_name(name) for _, name in images):
            return True
        return any(name.startswith(TAG_WORDS) for name in self.custom)

    def _may_have_dollar_formulas(self) -> bool:
        """Tell whether text between two dollars of one line may be a formula, and no price."""
        page, text = self.page, self.text
        if "$" not in text:
            return False
        places = [match.start() for match in _DOLLAR.finditer(text)]
        rows = np.searchsorted(page.offset, np.array(places) + page.offset[self.start], side="right") - 1
        lines = page.inline_run[rows].tolist()
        for k, place in enumerate(places[1:]):
            if lines[k] == lines[k + 1]:
                content = text[places[k] + 1 : place]
                if not content or _TEX_SIGN.search(content):
                    return True
                if not content[0].isdigit() and len(content.split()) <= _MAX_WORDS:
                    return True
        return False

    def _may_have_notes(self) -> bool:
        """Tell whether there is an element named as a note, a raised number, or a link that may refer to a note."""
        if ("[" in self.text and "[1]" in self.text) or "¹" in self.text:
            return True
        if any(map(self._may_refer, self.page.fragment_links(self.links))):
            return True
        labels = (parse_label(self.page.row_text(row)) for row in self.raised)
        if any(label and not label.isalpha() for label in labels):  # letters are references only in links
            return True
        if not NOTE_TAGS.isdisjoint(self.custom):
            return True
        if self.page.tag_count("input") and self.parts & _UNFOLDED_PART:
            return True
        words = self.classes.split() if self.parts & _NOTE_PART else ()
        return any(NOTE_CLASS.fullmatch(word) for word in words)

    def _may_refer(self, row: int) -> bool:
        """Tell whether a link with a fragment may be a reference to a note: it is short, and no sign at a heading."""
        page = self.page
        if page.offset[page.end[row]] - page.offset[row] > _MAX_REFERENCE:
            return False
        text = page.row_text(row)
        if page.pre[row] or text.strip() in ANCHOR_SIGNS:  # the number of a line, a link to a heading
            return False
        if parse_label(text):
            return True
        return parse_label(text, any_word=True) != "" and (text[:1] == "[" or Names(page).is_reference(row))
