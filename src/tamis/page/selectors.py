"""CSS selectors and XPaths of rows, both in linear time, and what selectors include and exclude."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._core.enums import ELEMENT, TEXT, Hidden
from tamis._core.loader import core
from tamis.errors import OptionError
from tamis.html import tags
from tamis.html.attributes import KINDS, TOKEN_LISTS
from tamis.page.columns import Page
from tamis.page.sums import in_subtree, prefix_sums

if TYPE_CHECKING:
    from tamis.page.columns import Page
    from tamis.page.sums import Bools

# CSS selectors, in linear time.
#
# For ``.byline a`` a parser climbs from each link to the root and compares the classes of all ancestors: quadratic
# on a page of nested elements. Here both sides are selected once, and intervals of rows say which is inside which.
# A page has far fewer classes than elements, and few elements with a certain attribute: those are looked at, and a
# selector takes a few microseconds. The parser selects what is left: pseudo-classes, ids, later siblings.


class Condition(NamedTuple):
    """What an attribute must be: `operator` is as in CSS, or empty where the attribute must be there."""

    name: str
    operator: str
    value: str
    ignore_case: bool


class Compound(NamedTuple):
    """What one element must be: its tag, or an empty string, and its attributes; and where the one before it is.

    Attributes:
        combinator: ``" "``, ``">"`` or ``"+"``, and empty for the first of an alternative.
        tag: the tag, or an empty string.
        of_class: the conditions for words of the class.
        others: all other conditions.
        class_word: a word that the class has, in lower case; empty if none is needed.
        class_part: a part of the class in lower case, likewise.
    """

    combinator: str
    tag: str
    of_class: tuple[Condition, ...]
    others: tuple[Condition, ...]
    class_word: str
    class_part: str

    @property
    def is_class_alone(self) -> bool:
        """Whether nothing is asked but a class."""
        return bool(self.of_class) and not self.others and not self.tag


_CONDITION: Final = re.compile(
    r"\.([\w-]+)|\[([a-z][a-z0-9-]*)(?:([~*^$]?=)(?:'([^'\\]+)'|\"([^\"\\]+)\"|([\w-]+))( i)?)?\]", re.ASCII
)
_COMPOUND: Final = re.compile(rf"(^| ?[>+] ?| |)([a-z][a-z0-9-]*|)((?:{_CONDITION.pattern})*)", re.ASCII)
_MAX_PARTS: Final = 62  #: words of classes that are found in one pass: a bit of a number for each
_ASCII_SPACE: Final = re.compile(r"[ \t\n\f\r]+")


def select_rows(page: "Page", selector: str) -> list[int]:
    """Return the rows of the elements that match a CSS selector, in document order.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p class=byline>By <a>Ann</a></p><a>Home</a><h1>Tea</h1>")
    >>> select_rows(page, "h1,.byline a") == [int(page.rows_of("a")[0]), int(page.rows_of("h1")[0])]
    True
    """
    selected: dict[str, list[int]] = page.memo.setdefault("selected", {})
    if selector not in selected:
        selected[selector] = _select(page, selector)
    return selected[selector].copy()


def _select(page: "Page", selector: str) -> list[int]:
    alternatives, rest = split_selector(selector)
    parts = _class_parts(selector)
    if len(parts) > 1:
        page.find_class_parts(parts)
    if page.removed:  # its columns lack what the parser still has
        alternatives, rest = (), selector
    found: set[int] = set(core.rows_among(page.nodes, page.nodes[0].select(rest)) if rest else ())
    own: set[int] = set()
    numbers: list[int] = []  # of the classes of which each element is selected
    for alternative in alternatives:
        if alternative[0].is_class_alone and len(alternative) == 1:
            numbers += _class_numbers(page, alternative[0])
            continue
        rows: set[int] = set()
        for number, compound in enumerate(alternative):
            inner = _rows_of(page, compound)
            rows = set(_beside(page, inner, compound.combinator, rows) if number else inner)
            if not rows:
                break
        own |= rows
    if numbers:
        own.update(np.flatnonzero(_has_class(page, numbers)).tolist())
    if own and page.tag_count("template"):
        in_template = _in_template(page)
        own = {row for row in own if not in_template[page.parent[row]]}
    return sorted(found | own)


def _in_template(page: "Page") -> npt.NDArray[np.bool_]:
    """Return the rows in templates, which belong to the document only as shadow roots."""
    rows = [row for row in page.rows_of("template").tolist() if page.attribute_of(row, "shadowrootmode") is None]
    return in_subtree(page.end, np.array(rows, dtype=np.int64))


def _beside(page: "Page", rows: Iterable[int], combinator: str, others: set[int]) -> Iterable[int]:
    """Return those of the rows that are inside one of some others, a child of one or the next sibling of one."""
    if combinator == ">":
        return [row for row in rows if int(page.parent[row]) in others]
    if combinator == "+":
        return [row for row in rows if _sibling_before(page, row) in others]
    inside = in_subtree(page.end, np.array(sorted(others), dtype=np.int64))
    return [row for row in rows if inside[page.parent[row]]]


def _sibling_before(page: "Page", row: int) -> int:
    """Return the element before an element that has the same parent, or -1."""
    parent, before = int(page.parent[row]), row - 1
    while before > parent:
        while page.parent[before] != parent:
            before = int(page.parent[before])
        if page.node_type[before] == ELEMENT:
            return before
        before -= 1
    return -1


def _rows_of(page: "Page", compound: Compound) -> list[int]:
    """Return the rows of the elements that fulfil the conditions of a compound selector, in document order."""
    rows: list[int] | None = None
    if compound.of_class:
        numbers = _class_numbers(page, compound)
        if not numbers:
            return []
        is_found = _has_class(page, numbers)
        if compound.tag:
            is_found &= page.tag == tags.IDS.get(compound.tag, tags.OTHER)
        rows = np.flatnonzero(is_found).tolist()
    elif compound.tag:
        rows = page.rows_of(compound.tag).tolist() if compound.tag in tags.IDS else _other_rows(page)
    if rows is not None and compound.tag and compound.tag not in tags.IDS:
        rows = [row for row in rows if page.tag_name(row) == compound.tag]
    for condition in compound.others:
        if rows is None and not _may_have(page, condition):
            return []
        if rows is None:
            rows = _fulfilling(condition, page.attribute(condition.name).items())
            continue
        if condition is compound.others[0] and not compound.of_class and compound.tag in tags.IDS:
            rows = _fulfilling(condition, _column(page, compound.tag, condition.name))
            continue
        values = zip(rows, page.attribute_column(rows, condition.name), strict=True) if rows else ()
        rows = [row for row, value in values if value is not None and _holds(condition, value)]
    return rows or []


def _column(page: "Page", tag: str, name: str) -> list[tuple[int, str]]:
    """Return the elements of a tag that have an attribute, and its value: many selectors ask for ``rel`` of links."""
    known: dict[tuple[str, str], list[tuple[int, str]]] = page.memo.setdefault("attributes of tags", {})
    if (tag, name) not in known:
        rows = page.rows_of(tag).tolist()
        values = zip(rows, page.attribute_column(rows, name), strict=True) if rows else ()
        known[tag, name] = [(row, value) for row, value in values if value is not None]
    return known[tag, name]


def _class_numbers(page: "Page", compound: Compound) -> list[int]:
    """Return the ids of the classes that a compound selector asks for."""
    return [
        number
        for number in page.class_numbers(compound.class_word or compound.class_part)
        if all(_holds(condition, page.classes[number - 1]) for condition in compound.of_class)
    ]


def _has_class(page: "Page", numbers: list[int]) -> npt.NDArray[np.bool_]:
    """Return the rows that have one of some classes."""
    wanted = np.zeros(len(page.classes) + 1, dtype=np.bool_)
    wanted[numbers] = True
    return np.asarray(wanted[page.class_column])


def _may_have(page: "Page", condition: Condition) -> bool:
    """Tell quickly whether an element may fulfil a condition: a word is found many times faster than attributes."""
    source: str | None = getattr(page.attribute_source, "source", None)  # that of a page that was scanned
    if source is None or condition.name in KINDS:
        return True
    is_plain = condition.operator == "=" and condition.value.replace("-", "").isalnum() and not condition.ignore_case
    start = f' {condition.name}="{condition.value}"' if is_plain else f" {condition.name}="
    known: dict[str, bool] = page.memo.setdefault("starts of attributes", {})
    if start not in known:
        known[start] = start in source
    return known[start]


def _other_rows(page: "Page") -> list[int]:
    """Return the elements whose tag has no number."""
    rows: list[int] = np.flatnonzero(page.is_element & (page.tag == tags.OTHER)).tolist()
    return rows


def _fulfilling(condition: Condition, values: Iterable[tuple[int, str]]) -> list[int]:
    """Return the rows whose value of an attribute fulfils a condition."""
    wanted = condition.value
    if condition.operator in {"*=", "~="} and wanted and not condition.ignore_case:
        values = [pair for pair in values if wanted in pair[1]]  # as few are
    return [row for row, value in values if _holds(condition, value)]


def _holds(condition: Condition, value: str) -> bool:
    """Tell whether an attribute with a value fulfils a condition."""
    wanted = condition.value
    if condition.ignore_case:
        wanted, value = wanted.lower(), value.lower()
    match condition.operator:
        case "":
            return True
        case "*=":
            return wanted != "" and wanted in value
        case "~=":
            return wanted in value and wanted in _ASCII_SPACE.split(value)
        case "^=":
            return wanted != "" and value.startswith(wanted)
        case "$=":
            return wanted != "" and value.endswith(wanted)
        case _:
            return value == wanted


@lru_cache(maxsize=512)
def _class_parts(selector: str) -> tuple[str, ...]:
    """Return the words that a selector searches classes for, of those that are found in one pass."""
    compounds = [compound for alternative in split_selector(selector)[0] for compound in alternative]
    parts = dict.fromkeys(compound.class_word or compound.class_part for compound in compounds)
    plain = [part for part in parts if len(part) > 1 and part.isascii() and not part[0].isspace()]
    return tuple(plain[:_MAX_PARTS])


@cache
def split_selector(selector: str) -> tuple[tuple[tuple[Compound, ...], ...], str]:
    """Return the alternatives that are selected by columns, and a selector of those that the parser selects.

    >>> alternatives, rest = split_selector("p,.byline> a[href*='x' i],#main, li:first-child")
    >>> [[(part.combinator, part.tag) for part in parts] for parts in alternatives], rest
    ([[('', 'p')], [('', ''), ('>', 'a')]], '#main,li:first-child')
    >>> alternatives[1][1].others
    (Condition(name='href', operator='*=', value='x', ignore_case=True),)
    """
    own: list[tuple[Compound, ...]] = []
    rest: list[str] = []
    for alternative in _alternatives(" ".join(selector.split())):
        compounds = _compounds(alternative)
        if compounds:
            own.append(compounds)
        else:
            rest.append(alternative)
    return tuple(own), ",".join(rest)


def _alternatives(selector: str) -> list[str]:
    alternatives = [""]
    brackets, quote = 0, ""
    for char in selector:
        quote = "" if char == quote else quote or (char if char in "'\"" else "")
        brackets += 0 if quote else (char in "[(") - (char in "])")
        if char == "," and not brackets and not quote:
            alternatives.append("")
        else:
            alternatives[-1] += char
    return [alternative.strip() for alternative in alternatives]


def _compounds(alternative: str) -> tuple[Compound, ...]:
    """Return the compound selectors of an alternative; none if the columns cannot tell what it selects."""
    out: list[Compound] = []
    position = 0
    while position < len(alternative):
        match = _COMPOUND.match(alternative, position)
        if match is None or match.end() == position or not (match[2] or match[3]) or bool(match[1]) != bool(out):
            return ()
        conditions = tuple(
            Condition("class", "~=", word, ignore_case=False)
            if word
            else Condition(name, operator, single or double or plain, bool(flag))
            for word, name, operator, single, double, plain, flag in _CONDITION.findall(match[3])
        )
        if any(each.name in TOKEN_LISTS and each.operator not in {"", "~=", "*="} for each in conditions):
            return ()  # the parser compares them without their white space
        out.append(_compound(match[1].strip() or " " * bool(match[1]), match[2], conditions))
        position = match.end()
    return tuple(out)


def _compound(combinator: str, tag: str, conditions: tuple[Condition, ...]) -> Compound:
    of_class = tuple(condition for condition in conditions if condition.name == "class" and condition.value)
    others = tuple(condition for condition in conditions if condition not in of_class)
    words = [condition.value.lower() for condition in of_class if condition.operator == "~="]
    parts = [condition.value.lower() for condition in of_class]
    return Compound(combinator, tag, of_class, others, words[0] if words else "", parts[0] if parts else "")


# XPaths of rows, from the columns: the steps of all elements are computed at once, in linear time.
#
# An element deep inside others has a path by its number instead, ``(//*)[8041]``: the paths of elements that are
# nested a hundred thousand deep would take gigabytes.

MAX_STEPS: Final = 64  #: of a path; the deepest content of the corpora is 47 levels deep
_SMALL: Final = 8  # rows of an element whose path is not remembered


class XPaths:
    """The steps of a page's XPaths.

    Args:
        page: the page.
    """

    def __init__(self, page: "Page") -> None:
        # Its columns and not the page, which keeps this: a cycle would keep both until it is looked for.
        self._node_type, self._parent, self._end, self._depth = page.node_type, page.parent, page.end, page.depth
        self._known: dict[int, str] = {}  # paths by row
        names = page.tag.astype(np.int64)
        other: dict[str, int] = {}
        for row in np.flatnonzero(page.is_element & (page.tag == tags.OTHER)).tolist():
            names[row] = len(tags.NAMES) + other.setdefault(page.tag_name(row), len(other))
        names[page.is_text] = -1
        self._names, self._spelled = names, [*tags.NAMES, *other]
        self._position, self._has_several = _positions(page.parent.astype(np.int64), names, page.node_type)
        in_template = in_subtree(page.end, page.rows_of("template")) & (page.tag != tags.IDS["template"])
        self._number = np.cumsum(page.is_element & ~in_template)

    def of(self, row: int) -> str:
        """Return the XPath that selects an element or a text run; ``/`` for the document and comments.

        >>> from tamis.page import parse_page
        >>> paths = XPaths(parse_page("<p>one<p>two<br>three"))
        >>> paths.of(6), paths.of(9)
        ('/html/body/p[2]', '/html/body/p[2]/text()[2]')
        >>> XPaths(parse_page("<i>" * 99)).of(90)
        '(//*)[90]'
        """
        steps: list[str] = []
        if self._node_type[row] == TEXT:
            steps.append(f"/text()[{self._position[row]}]")
            row = int(self._parent[row])
        if self._depth[row] > MAX_STEPS:
            return "".join([f"(//*)[{self._number[row]}]", *steps])
        pending: list[int] = []
        while row > 0 and self._node_type[row] == ELEMENT and row not in self._known:
            pending.append(row)
            row = int(self._parent[row])
        path = self._known.get(row, "")
        for step in reversed(pending):
            position = f"[{self._position[step]}]" if self._has_several[step] else ""
            path += f"/{self._spelled[self._names[step]]}{position}"
            if self._end[step] > step + _SMALL:
                self._known[step] = path  # what is around many rows is asked for again
        return "".join([path, *steps]) or "/"


def _positions(
    parent: npt.NDArray[np.int64], name: npt.NDArray[np.int64], node_type: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the number of each row among its siblings of one name, from 1, and whether there are several."""
    order = np.lexsort((name, node_type, parent))  # stable: siblings of one name stay in document order
    keys = np.stack((parent[order], node_type[order], name[order]))
    begins = np.concatenate(([True], (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    first = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    group = np.cumsum(begins) - 1
    position, several = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.bool_)
    position[order] = np.arange(len(order)) - first + 1
    several[order] = np.bincount(group)[group] > 1
    return position, several


# `restrict`: a page of which CSS selectors leave out some elements.

_EXCLUDED: Final = int(Hidden.EXCLUDED)  #: a plain integer: an enumeration's `&` takes long


def restrict(page: "Page", include: Sequence[str] = (), exclude: Sequence[str] = ()) -> "Page":
    """Return the page with all text hidden that is not in an element of `include`, or in one of `exclude`.

    Rows keep their numbers; those that are left out have the bit `Hidden.EXCLUDED`. A page with nothing to leave out
    is returned as it is.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>Home</nav><main><p>Tea<p class=ad>Buy!</main>")
    >>> restricted = restrict(page, ["main"], [".ad"])
    >>> [page.row_text(row) for row in range(len(page)) if restricted.shown[row]]
    ['Tea']
    """
    if not include and not exclude:
        return page
    left_out = np.zeros(len(page), dtype=np.bool_)
    if include:
        rows = _matches(page, include)
        # Elements around those that are included stay: an article does not vanish from around its paragraphs.
        starts = prefix_sums(np.bincount(rows, minlength=len(page)))
        around = page.is_element & (starts[page.end] > starts[:-1])
        left_out |= ~(in_subtree(page.end, rows) | around)
        left_out[: page.body + 1] = False
    if exclude:
        left_out |= in_subtree(page.end, _matches(page, exclude))
    return leave_out(page, left_out)


def leave_out(page: "Page", rows: "Bools") -> "Page":
    """Return the page with these rows marked as left out."""
    if not rows.any():
        return page
    return replace(page, hidden=page.hidden | (rows * np.uint8(Hidden.EXCLUDED)))


def unrestricted(page: "Page") -> "Page":
    """Return the page that a restricted page was made from."""
    if page.hidden.max(initial=0) < _EXCLUDED or not (page.hidden & _EXCLUDED).any():
        return page
    return replace(page, hidden=page.hidden & np.uint8(255 - _EXCLUDED))


def leaves_out_text(page: "Page") -> bool:
    """Return whether `restrict` has left out text that a reader of the page sees."""
    return bool((page.is_text & (page.hidden == Hidden.EXCLUDED) & (page.nonspace > 0)).any())


def read_selectors(value: str | Sequence[str], option: str) -> tuple[str, ...]:
    """Return CSS selectors that are given as one or several; an `OptionError` for an invalid one.

    >>> read_selectors("main", "include"), read_selectors([".ad", "nav"], "exclude")
    (('main',), ('.ad', 'nav'))
    """
    selectors = (value,) if isinstance(value, str) else value
    if not isinstance(selectors, (tuple, list)):
        raise OptionError(f"{option} must be a CSS selector or several, not {type(value).__name__}")
    for selector in selectors:
        if not isinstance(selector, str):
            raise OptionError(f"{option} must be a CSS selector or several, not {selector!r}")
        try:
            turbohtml.parse("").select(selector)
        except ValueError as error:
            raise OptionError(f"{option}: not a CSS selector: {selector[:100]!r}") from error
    return tuple(selectors)


def _matches(page: "Page", selectors: Sequence[str]) -> "npt.NDArray[np.int64]":
    """Return the rows that match one of the selectors, in document order."""
    rows: set[int] = set()
    for selector in selectors:
        rows.update(core.rows_among(page.nodes, page.nodes[0].select(selector)))
    return np.array(sorted(rows), dtype=np.int64)
