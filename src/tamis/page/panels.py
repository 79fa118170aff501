"""Collapsed panels: hidden content that a click shows, such as the answers of a list of questions, or tabs.

An element is such a panel if its class, id or role says so, or if a control names it in ``aria-controls``, and if it
is not in a menu, a dialog or a search form.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.html import tags

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PANEL_WORDS: Final = frozenset(
    {
        "accordion", "accordian", "collapse", "collapsed", "collapsible", "faq", "faqs", "answer", "answers",
        "tabpanel", "tabpane", "tabcontent", "expandable", "expander",
    }
)  # fmt: skip
_PANEL_PARTS: Final = (
    "accord",
    "collaps",
    "faq",
    "answer",
    "tab",
    "expand",
    "callout",
)  #: of those words, and of `_PANEL_PAIRS`
#: Words that tell menus, dialogs and forms; they have collapsed parts too, and those are no content.
_OTHER_WORDS: Final = frozenset(
    {
        "nav", "navbar", "navigation", "menu", "menus", "menubar", "submenu", "megamenu", "dropdown", "dialog",
        "modal", "popup", "popover", "tooltip", "search", "searchbox", "autocomplete", "offcanvas", "drawer",
        "cookie", "cookies", "consent", "login", "signin", "cart", "filter", "filters", "facet", "facets", "header",
        "footer", "share", "sidebar", "breadcrumb", "language", "lightbox", "overlay", "newsletter", "subscribe",
    }
)  # fmt: skip
_OTHER_TAGS: Final = tags.tag_mask("nav dialog header footer menu select search aside").tobytes()
_ROOTS: Final = tags.tag_mask("html body").tobytes()
_NEAR: Final = (
    4  #: the element and its nearest ancestors, whose names are read: a wrapper of the page may have any name
)
_MAX_NAMES: Final = 400  #: characters of names that are read of an element
_PANEL_PAIRS: Final = frozenset({("tab", "pane"), ("tab", "panel"), ("tab", "content"), ("callout", "content")})


def find_panels(
    document: turbohtml.Document,
    nodes: list[turbohtml.Node],
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    hidden: Iterable[int],
) -> list[int]:
    """Return those of the hidden rows that are collapsed panels.

    >>> document = turbohtml.parse("<p class=faq-answer hidden>Yes.</p><p class=navbar-collapse hidden>Home</p>")
    >>> nodes = [document, *document.descendants]
    >>> tag = np.zeros(len(nodes), dtype=np.uint8)
    >>> find_panels(document, nodes, tag, np.array([-1, 0, 1, 1, 3, 4, 3, 6], dtype=np.int32), [4, 6])
    [4]
    """
    controlled: frozenset[str] | None = None
    in_other: dict[int, bool] = {}
    panels = []
    for row in hidden:
        element = nodes[row]
        names = _names(element)
        lower = names.lower()
        is_panel = False
        if any(part in lower for part in _PANEL_PARTS):  # quick: most hidden elements have other names
            words = _words(names)
            is_panel = not _PANEL_WORDS.isdisjoint(words) or not _PANEL_PAIRS.isdisjoint(pairwise(words))
        if not is_panel:
            name = element.attr("id")  # type: ignore[attr-defined]
            if not name:
                continue
            if controlled is None:
                controlled = frozenset(
                    target
                    for control in document.select("[aria-controls]")
                    for target in (control.attr("aria-controls") or "").split()
                )
            is_panel = name in controlled
        if is_panel and not _is_in_other(row, nodes, tag, parent, in_other):
            panels.append(row)
    return panels


def _names(element: turbohtml.Node) -> str:
    if not isinstance(element, turbohtml.Element):  # the fragment of a template has no attributes
        return ""
    values = (element.attr(name) for name in ("class", "id", "role"))
    return " ".join([value for value in values if value])[:_MAX_NAMES]


def _words(names: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(names)]


def _is_in_other(
    row: int,
    nodes: list[turbohtml.Node],
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    known: dict[int, bool],
) -> bool:
    """Tell whether a row is in a menu, a dialog or the like. `known` remembers the rows below such elements."""
    above = row
    for _ in range(_NEAR):
        if above <= 0 or _ROOTS[tag[above]]:
            break
        if not _OTHER_WORDS.isdisjoint(_words(_names(nodes[above]))):
            return True
        above = int(parent[above])
    path = []
    result = False
    while row > 0 and row not in known:
        path.append(row)
        if _OTHER_TAGS[tag[row]]:
            result = True
            break
        row = int(parent[row])
    else:
        result = known.get(row, False)
    known.update(dict.fromkeys(path, result))
    return result
