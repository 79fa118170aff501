"""Formulas that KaTeX drew without MathML, read back as a tree of MathML elements.

KaTeX writes a ``span`` for each atom, with its kind as class. What stands above another is in a list with its height:
scripts in ``msupsub``, numerator and denominator in ``mfrac``, limits in ``op-limits``, the cells of each column of
a ``mtable``.
"""

import re
from typing import Final, NamedTuple

from tamis.document.detectors.formulas.drawn import DELIMITER_PIECES
from tamis.document.detectors.formulas.mathml import MAX_DEPTH, MathNode, tree_to_tex
from tamis.page import Page

#: Space, and what only holds a place.
_SKIPPED: Final = frozenset({
    "strut", "pstrut", "mspace", "vlist-s", "nulldelimiter", "frac-line", "mathml", "hide-tail", "stretchy",
    "eqn-num", "tag", "arraycolsep",
})  # fmt: skip
_TOP: Final = re.compile(r"(?<![\w-])top:\s*(-?\d{0,4}\.?\d{0,6})em")
_VARIANTS: Final = {
    "mathbf": "bold", "mathbb": "double-struck", "mathcal": "script", "mathfrak": "fraktur", "mathrm": "normal",
    "mathsf": "sans-serif", "mathtt": "monospace", "boldsymbol": "bold-italic",
}  # fmt: skip
#: Relations that KaTeX draws as a sign and a stroke through it.
_NEGATED: Final = {"\ue020=": "≠", "∈/": "∉", "∋/": "∌"}
_OPERATORS: Final = frozenset({"mbin", "mrel", "mopen", "mclose", "mpunct", "delimsizing", "op-symbol"})

_MAX_ROWS: Final = 1000  #: of a piece that are searched for a class


class _Entry(NamedTuple):
    """What stands at a height: its distance from the top, its row, and what is in it."""

    top: float
    row: int
    nodes: list[MathNode]


def katex_to_tex(page: Page, row: int) -> str:
    r"""Return a formula that KaTeX drew as TeX; ``""`` if it cannot be read.

    >>> from tamis.page import parse_page
    >>> two = '<span style="top:-3em"><span class="pstrut"></span><span class="mord">2</span></span>'
    >>> script = f'<span class="msupsub"><span class="vlist-t"><span class="vlist">{two}</span></span></span>'
    >>> x = f'<span class="mord"><span class="mord mathnormal">x</span>{script}</span>'
    >>> katex_to_tex(parse_page(f'<span class="katex-html"><span class="base">{x}</span></span>'), 4)
    'x^{2}'
    """
    root = MathNode("math", children=_atoms(page, row, 0))
    nodes, stack = [], [root]
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack.extend(reversed(node.children))
    return tree_to_tex(nodes) if root.children else ""


def _words(page: Page, row: int) -> frozenset[str]:
    """Return the classes of an element. Newer versions of KaTeX have its name before most of them."""
    return frozenset(word.removeprefix("katex-") for word in (page.attribute_of(row, "class") or "").split())


def _atoms(page: Page, row: int, depth: int) -> list[MathNode]:
    """Return the atoms in an element, in order."""
    groups: list[list[MathNode]] = []
    for k in page.children(row) if depth <= MAX_DEPTH else ():
        if not page.is_element[k]:
            continue
        words = _words(page, k)
        if "msupsub" in words:
            base = groups.pop() if groups else []
            groups.append([_scripts(page, k, base, depth)])
        elif _SKIPPED.isdisjoint(words):
            groups.append(_atom(page, k, words, depth + 1))
    return [node for group in groups for node in group]


def _row(nodes: list[MathNode]) -> MathNode:
    return nodes[0] if len(nodes) == 1 else MathNode("mrow", children=nodes)


def _atom(page: Page, row: int, words: frozenset[str], depth: int) -> list[MathNode]:  # noqa: PLR0911 (one case per kind)
    """Return what an element of a formula is."""
    if "mfrac" in words:
        entries = _entries(page, row, depth)
        if len(entries) > 1:
            line = {} if _has_word(page, row, "frac-line") else {"linethickness": "0"}
            return [MathNode("mfrac", "", line, [_row(entries[0].nodes), _row(entries[-1].nodes)])]
    if "sqrt" in words:
        return [_root(page, row, depth)]
    if "op-limits" in words:
        return [_limits(page, row, depth)]
    if "accent" in words or "overline" in words or "underline" in words:
        return [_accent(page, row, words, depth)]
    if "mtable" in words:
        return [_table(page, row, depth)]
    text = page.row_text(row).replace("\u200b", "")
    if "text" in words:
        return [MathNode("mtext", text)] if text else []
    text = text.strip()
    children = page.children(row)
    if "mrel" in words and text in _NEGATED:
        return [MathNode("mo", _NEGATED[text])]
    if "delimsizing" in words or not all(page.is_element[k] or not page.nonspace[k] for k in children):
        return _tokens(text, words) if text else []  # a letter may have an element of its own, for the space after it
    return _atoms(page, row, depth)


def _tokens(text: str, words: frozenset[str]) -> list[MathNode]:
    """Return the text of an atom: letters side by side are one atom each, unless they name an operator."""
    is_product = "mathnormal" in words and text.isalpha()
    return [_token(letter, words) for letter in text] if is_product else [_token(text, words)]


def _token(text: str, words: frozenset[str]) -> MathNode:
    pieces = {DELIMITER_PIECES.get(char, "") for char in text}
    if len(pieces) == 1 and "" not in pieces:
        text = pieces.pop()
    if not words.isdisjoint(_OPERATORS):
        is_large = "delimsizing" in words
        return MathNode("mo", text, {} if is_large else {"stretchy": "false"})
    if text.replace(".", "", 1).isdigit():
        return MathNode("mn", text)
    variant = next((variant for word, variant in _VARIANTS.items() if word in words), "")
    return MathNode("mi" if text[0].isalpha() else "mo", text, {"mathvariant": variant} if variant else {})


def _entries(page: Page, row: int, depth: int) -> list[_Entry]:
    """Return what stands above each other in the first lists of an element, from the top."""
    out: list[_Entry] = []
    lists = [row]
    while lists:
        around = lists.pop()
        for k in page.children(around):
            words = _words(page, k) if page.is_element[k] else frozenset({"strut"})
            if "vlist" in words:
                for entry in page.children(k):
                    top = (
                        _TOP.search((page.attribute_of(entry, "style") or "")[:200])
                        if page.is_element[entry]
                        else None
                    )
                    nodes = _atoms(page, entry, depth + 1) if top else []
                    if top and (nodes or _has_word(page, entry, "accent-body")):
                        out.append(_Entry(float(top[1] or 0), entry, nodes))
            elif {"vlist-t", "vlist-r"} & words:
                lists.append(k)
    return sorted(out, key=lambda entry: entry.top)


def _has_word(page: Page, row: int, name: str) -> bool:
    stop = min(int(page.end[row]), row + _MAX_ROWS)
    return any(page.is_element[k] and name in _words(page, k) for k in range(row, stop))


def _scripts(page: Page, row: int, base: list[MathNode], depth: int) -> MathNode:
    """Return a base with its scripts: one alone stands below if its list has depth."""
    entries = _entries(page, row, depth)
    scripts = [_row(entry.nodes) for entry in entries]
    if len(scripts) > 1:
        return MathNode("msubsup", children=[_row(base), scripts[-1], scripts[0]])
    below = any(page.is_element[k] and "vlist-t2" in _words(page, k) for k in page.children(row))
    return MathNode("msub" if below else "msup", children=[_row(base), *scripts]) if scripts else _row(base)


def _limits(page: Page, row: int, depth: int) -> MathNode:
    """Return an operator with what stands above and below it."""
    entries = _entries(page, row, depth)
    at = next((number for number, entry in enumerate(entries) if _has_word(page, entry.row, "mop")), 0)
    nodes = [_row(entry.nodes) for entry in entries]
    if not nodes:
        return MathNode("mrow")
    above, below = nodes[at - 1 : at] if at else [], nodes[at + 1 : at + 2]
    name = "munderover" if above and below else "mover" if above else "munder"
    return MathNode(name, children=[nodes[at], *below, *above]) if above or below else nodes[at]


def _accent(page: Page, row: int, words: frozenset[str], depth: int) -> MathNode:
    """Return what has an accent or a line."""
    entries = _entries(page, row, depth)
    marks = [entry for entry in entries if _has_word(page, entry.row, "accent-body")]
    base = _row([node for entry in entries if entry not in marks for node in entry.nodes])
    if "accent" in words:
        sign = "".join(page.row_text(entry.row) for entry in marks).replace("\u200b", "").strip()
        if not sign and any(_has_word(page, entry.row, "overlay") for entry in marks):
            sign = "→"  # it is drawn as a picture
    else:
        sign = "_" if "underline" in words else "‾"
    name = "munder" if "underline" in words else "mover"
    return MathNode(name, children=[base, MathNode("mo", sign)]) if sign else base


def _root(page: Page, row: int, depth: int) -> MathNode:
    body = _row([node for entry in _entries(page, row, depth) for node in entry.nodes])
    index = [k for k in page.children(row) if page.is_element[k] and "root" in _words(page, k)]
    degree = [node for k in index for entry in _entries(page, k, depth) for node in entry.nodes]
    return MathNode("mroot", children=[body, _row(degree)]) if degree else MathNode("msqrt", children=[body])


def _table(page: Page, row: int, depth: int) -> MathNode:
    """Return a table, which KaTeX writes column by column."""
    is_column = re.compile(r"col-align-").match
    columns = [
        [_row(entry.nodes) for entry in _entries(page, k, depth)]
        for k in page.children(row)
        if page.is_element[k] and any(map(is_column, _words(page, k)))
    ]
    count = max(map(len, columns), default=0)
    rows = [[column[number] for column in columns if number < len(column)] for number in range(count)]
    cells = [[MathNode("mtd", children=[node]) for node in line] for line in rows]
    return MathNode("mtable", children=[MathNode("mtr", children=line) for line in cells])
