"""Which rows are hidden, from tags and attributes alone; collapsed panels, which a click shows, are not."""

import json
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.columns import NodeAttributes
from tamis._core.enums import Hidden
from tamis._core.loader import core
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.lazy import lazy_pattern

_CONTROLS: Final = KINDS["aria-controls"]
#: The listed attributes of a page: rows, kinds (`tamis.html.attributes.LISTED`) and values.
Listed = tuple[list[int], list[int], list[str]]

# Collapsed panels: hidden content that a click shows, such as the answers of a list of questions, or tabs.
#
# An element is such a panel if its class, id or role says so, or if a control names it in ``aria-controls``, and if
# it is not in a menu, a dialog or a search form.

_WORD: Final = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PANEL_WORDS: Final = frozenset(
    {
        "accordion", "accordian", "collapse", "collapsed", "collapsible", "faq", "faqs", "answer", "answers",
        "tabpanel", "tabpane", "tabcontent", "expandable", "expander",
    }
)  # fmt: skip
#: Parts of those words, and of `_PANEL_PAIRS`.
_PANEL_PARTS: Final = core.Parts({1: ("accord", "collaps", "faq", "answer", "tab", "expand", "callout")})
#: Words that tell menus, dialogs and forms; their collapsed parts are not content.
_CHROME_WORDS: Final = frozenset(
    {
        "nav", "navbar", "navigation", "menu", "menus", "menubar", "submenu", "megamenu", "dropdown", "dialog",
        "modal", "popup", "popover", "tooltip", "search", "searchbox", "autocomplete", "offcanvas", "drawer",
        "cookie", "cookies", "consent", "login", "signin", "cart", "filter", "filters", "facet", "facets", "header",
        "footer", "share", "sidebar", "breadcrumb", "language", "lightbox", "overlay", "newsletter", "subscribe",
    }
)  # fmt: skip
_CHROME_TAGS: Final = tags.tag_mask("nav dialog header footer menu select search aside").tobytes()
_ROOTS: Final = tags.tag_mask("html body").tobytes()
_NEAR: Final = (
    4  #: the element and its nearest ancestors, whose names are read: a wrapper of the page may have any name
)
_MAX_NAMES: Final = 400  #: characters of names that are read of an element
_PANEL_PAIRS: Final = frozenset({("tab", "pane"), ("tab", "panel"), ("tab", "content"), ("callout", "content")})


def find_panels(
    source: NodeAttributes,
    listed: Listed,
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    hidden: list[int],
) -> list[int]:
    """Return those of the hidden rows that are collapsed panels.

    >>> import turbohtml
    >>> document = turbohtml.parse("<p class=faq-answer hidden>Yes.</p><p class=navbar-collapse hidden>Home</p>")
    >>> nodes = [document, *document.descendants]
    >>> tag, parent = np.zeros(len(nodes), dtype=np.uint8), np.array([-1, 0, 1, 1, 3, 4, 3, 6], dtype=np.int32)
    >>> find_panels(core.NodeAttributes(nodes), ([], [], []), tag, parent, [4, 6])
    [4]
    """
    controlled = _controlled(listed) if _CONTROLS in listed[1] else frozenset()
    in_chrome: dict[int, bool] = {}
    panels: list[int] = []
    table = source.table(hidden, _NAMING)
    joined = [_joined(values) for values in table]
    found, parts = core.part_bits(joined, _PANEL_PARTS)
    if not found and not controlled:  # most hidden elements have other names
        return panels
    for row, values, names, has_part in zip(hidden, table, joined, parts, strict=True):
        is_panel = False
        if has_part:
            words = _words(names)
            is_panel = not _PANEL_WORDS.isdisjoint(words) or not _PANEL_PAIRS.isdisjoint(pairwise(words))
        if (is_panel or values[1] in controlled) and not _is_in_chrome(row, source, tag, parent, in_chrome):
            panels.append(row)
    return panels


def _controlled(listed: Listed) -> frozenset[str]:
    """Return the ids that controls of the page name."""
    values = [value for kind, value in zip(*listed[1:], strict=True) if kind == _CONTROLS]
    return frozenset(" ".join(values).split())


_NAMING: Final = ("class", "id", "role")


def _joined(values: list[str | None]) -> str:
    return " ".join([value for value in values if value])[:_MAX_NAMES]


def _words(names: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(names)]


def _is_in_chrome(
    row: int,
    source: NodeAttributes,
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    known: dict[int, bool],
) -> bool:
    """Tell whether a row is in a menu, a dialog or the like. `known` remembers the rows below such elements."""
    above = row
    for _ in range(_NEAR):
        if above <= 0 or _ROOTS[tag[above]]:
            break
        if not _CHROME_WORDS.isdisjoint(_words(_joined(source.table([above], _NAMING)[0]))):
            return True
        above = int(parent[above])
    path = []
    result = False
    while row > 0 and row not in known:
        path.append(row)
        if _CHROME_TAGS[tag[row]]:
            result = True
            break
        row = int(parent[row])
    else:
        result = known.get(row, False)
    known.update(dict.fromkeys(path, result))
    return result


# Which rows are hidden, from tags and attributes alone; style sheets are not loaded.
#
# Some hidden text is meant to be read. An anti-flicker snippet hides the whole page until a script shows it; a page
# behind an open dialog is hidden from screen readers; a forum built by scripts keeps its posts in ``noscript``;
# React streams content in hidden elements that a script moves into place. So an element that contains most of the
# page's text does not count as hidden, and neither do ``html``, ``body``, React's elements and collapsed panels,
# which a click shows (`tamis.page.visibility`).

# Plain integers: an enumeration's `|` takes a microsecond, and pages have hundreds of hidden elements.
_ATTRIBUTE, _VISIBILITY, _NOT_RENDERED = int(Hidden.ATTRIBUTE), int(Hidden.VISIBILITY), int(Hidden.ELEMENT)
_BY_ATTRIBUTES: Final = 255 - _NOT_RENDERED
#: Elements whose attributes hide nothing: a page does not hide itself, and a template is hidden by its tag.
_EXEMPT: Final = tags.tag_mask("html body template").tobytes()
_TEMPLATE, _NOSCRIPT, _SCRIPT = (tags.IDS[name] for name in ("template", "noscript", "script"))

_BITS_OF_TAG: Final = (tags.NOT_RENDERED.astype(np.uint8) * np.uint8(_NOT_RENDERED)).tobytes()

#: The id of an element that React's server renderer fills and moves.
_STREAMED_ID: Final = lazy_pattern(r"S:[0-9a-f]+")

#: A hidden element counts as shown if it contains more than half of the page's text and at least a paragraph. On the
#: development pages of WCXB such elements are content 7 times in 10; smaller hidden ones, 1 time in 10.
_LARGE_SHARE: Final = 0.5
_LARGE_CHARS: Final = 500
#: Of the text, which elements with ``visibility: hidden`` have together. Of 770 pages with such elements, four have
#: .745 to .765, all in menus of Dragnet, and none has more.
_UNSTYLED_SHARE: Final = 0.78
#: How an article begins that JSON-LD declares, and the letters and digits of it that a hidden element must contain.
_ARTICLE_BODY: Final = lazy_pattern(r'"articleBody"\s{0,9}:\s{0,9}"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u]){60,400})')
_DECLARED_LETTERS: Final = 40
#: What Webflow gives to elements whose condition is not met: its style sheet never shows them, whatever their size.
_UNMET_CONDITION: Final = "w-condition-invisible"


def hidden_rows(
    source: NodeAttributes,
    listed: Listed,
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
    text: str,
    classes: tuple[npt.NDArray[np.int32], tuple[str, ...]],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return for each row the `Hidden` bits of the row and its ancestors, 0 is shown; and the collapsed panels.

    `classes` are the number of the class of each row, 0 for none, and the classes, of which the first is number 1.
    """
    own_bits, to_check = core.visibility_bits(listed, tag, _BITS_OF_TAG, _EXEMPT)
    bits = np.frombuffer(own_bits, dtype=np.uint8)
    for row in to_check:
        if tag[row] == _TEMPLATE:
            if source.value(row, "shadowrootmode"):  # a browser shows it
                bits[row] = 0
        elif _STREAMED_ID.fullmatch(source.value(row, "id") or ""):
            bits[row] -= _ATTRIBUTE
    panels: list[int] = []
    hidden = core.rows_with_bits(bits, _BY_ATTRIBUTES, end, offset, 1)  # icons have no text to show
    if hidden:
        panels = find_panels(source, listed, tag, parent, hidden)
        if panels:
            bits[panels] &= _NOT_RENDERED
    max_chars = max(int(_LARGE_SHARE * int(offset[-1])), _LARGE_CHARS)
    for row in core.rows_with_bits(bits, 255, end, offset, max_chars + 1):
        if bits[row] != _NOT_RENDERED or tag[row] == _NOSCRIPT:
            bits[row] = 0
    if hidden:
        _show_unstyled(bits, end, offset)
        _show_declared(source, bits, tag, end, offset, text)
    _hide_unmet(bits, *classes)
    core.propagate_down(parent, bits)
    return bits, np.array(panels, dtype=np.int32)


def _hide_unmet(bits: npt.NDArray[np.uint8], class_column: npt.NDArray[np.int32], classes: tuple[str, ...]) -> None:
    """Hide what has a class that is never shown."""
    if _UNMET_CONDITION in "\n".join(classes):
        unmet = [number for number, names in enumerate(classes, 1) if _UNMET_CONDITION in names]
        bits[np.isin(class_column, unmet)] |= _ATTRIBUTE


def _show_unstyled(bits: npt.NDArray[np.uint8], end: npt.NDArray[np.int32], offset: npt.NDArray[np.int32]) -> None:
    """Show what ``visibility`` hides where it hides nearly all of a page, in many elements: a script shows it."""
    rows = core.rows_with_bits(bits, _VISIBILITY, end, offset, 0)
    if not rows:
        return
    chars, last = 0, 0
    for row in rows:
        if row >= last:
            last = int(end[row])
            chars += int(offset[last] - offset[row])
    if chars > _UNSTYLED_SHARE * int(offset[-1]):
        bits[rows] &= 255 - _VISIBILITY


def _show_declared(
    source: NodeAttributes,
    bits: npt.NDArray[np.uint8],
    tag: npt.NDArray[np.uint8],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
    text: str,
) -> None:
    """Show hidden elements whose text the page declares to be its article, in JSON-LD."""
    rows = core.rows_with_bits(bits, _BY_ATTRIBUTES, end, offset, _LARGE_CHARS)
    if not rows:
        return
    scripts = np.flatnonzero(tag == _SCRIPT).tolist()
    types = source.column(scripts, "type")
    json_ld = [row for row, own in zip(scripts, types, strict=True) if own and own.lower() == "application/ld+json"]
    found = [
        match[1] for row in json_ld for match in _ARTICLE_BODY.finditer(source.raw_text(int(end[row]) - 1) or "")
    ]
    bodies = [_letters(_decode_string(body))[:_DECLARED_LETTERS] for body in found]
    bodies = [body for body in bodies if len(body) == _DECLARED_LETTERS]
    for row in rows if bodies else []:
        letters = _letters(text[offset[row] : offset[end[row]]])
        if any(body in letters for body in bodies):
            bits[row] = 0


def _decode_string(text: str) -> str:
    """Return the text of the beginning of a JSON string."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
