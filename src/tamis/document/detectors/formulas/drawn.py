"""Formulas as MathJax and LaTeXML draw them, read back."""

import re
from typing import Final

from tamis.document.detectors.formulas.mathml import MAX_DEPTH, TOKENS, MathNode, mathml_to_tex, tree_to_tex
from tamis.document.detectors.formulas.symbols import clean_tex
from tamis.html import tags
from tamis.page import Page

# Formulas as MathJax draws them, read as a tree of MathML elements.
#
# MathJax leaves no TeX where its assistive MathML is off. What it draws still follows the MathML: version 3 names
# its elements (``mjx-msup``) or marks its graphics (``data-mml-node``), version 2 names its classes. Scripts are
# told apart by the element that contains them, or by how high they stand.

_NAME_LIST: Final = """
    math mi mo mn ms mtext mrow texatom mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr
    mlabeledtr mtd menclose mstyle mpadded mphantom mspace mfenced mmultiscripts merror semantics
"""
_NAMES: Final = frozenset(_NAME_LIST.split())
_SLOTS: Final = {
    "over": "over", "under": "under", "sup": "over", "sub": "under", "script": "script", "root": "root",
    "base": "base", "op": "base", "surd": "skip", "assistive-mml": "skip", "line": "skip",
    "numerator": "numerator", "denominator": "denominator",
}  # fmt: skip
_CHAR_CLASS: Final = re.compile(r"\bmjx-c([0-9A-F]{2,6})\b")
_TRANSLATE: Final = re.compile(r"translate\(\s*-?[\d.]+[ ,]+(-?[\d.]+)\s*\)")
_TOP: Final = re.compile(r"(?<![\w-])top:\s*(-?[\d.]+)em")
#: Pieces that tall delimiters are built from.
DELIMITER_PIECES: Final = {
    **dict.fromkeys("⎛⎜⎝", "("), **dict.fromkeys("⎞⎟⎠", ")"), **dict.fromkeys("⎡⎢⎣", "["),
    **dict.fromkeys("⎤⎥⎦", "]"),
    **dict.fromkeys("⎧⎨⎩⎪", "{"), **dict.fromkeys("⎫⎬⎭", "}"), **dict.fromkeys("∣⏐", "|"), **dict.fromkeys("∥", "‖"),
}  # fmt: skip
_MAX_CODE: Final = 0x10FFFF
_MAX_TOKEN: Final = 400  #: characters of a number or a name


def drawn_to_tex(page: Page, row: int) -> str:
    r"""Return a formula that MathJax drew as TeX; ``""`` if it cannot be read.

    >>> from tamis.page import parse_page
    >>> x = '<mjx-mi><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi>'
    >>> two = '<mjx-script><mjx-mn><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-script>'
    >>> page = parse_page(f"<mjx-container><mjx-math><mjx-msup>{x}{two}</mjx-msup></mjx-math></mjx-container>")
    >>> drawn_to_tex(page, 4)
    'x^{2}'
    """
    return tree_to_tex(_Reader(page, row).read())


class _Reader:
    """The state of one pass over what was drawn."""

    def __init__(self, page: Page, row: int) -> None:
        self.page, self.row = page, row
        self.nodes = [MathNode("math")]
        self.node_of = {row: self.nodes[0]}  # the nearest element of the formula around a row
        self.depth_of = {row: 0}
        self.slot_of = {row: ""}
        self.height_of = {row: 0.0}
        self.places: list[list[tuple[str, float]]] = [
            []
        ]  # slot and height of each child, by the number of its parent
        self.number_of = {id(self.nodes[0]): 0}

    def read(self) -> list[MathNode]:
        page = self.page
        k, end = self.row + 1, int(page.end[self.row])
        while k < end:
            if page.is_text[k]:
                self._add_chars(k, page.row_text(k).strip())
                k += 1
            elif not page.is_element[k] or self._enter(k):
                k += 1
            else:
                k = int(page.end[k])
            if len(self.depth_of) == 0:
                return []
        for node, places in zip(reversed(self.nodes), reversed(self.places), strict=True):
            _order(node, places)
            if node.name in TOKENS:
                node.text = _plain_delimiter(node.text)
        return self.nodes

    def _add_chars(self, row: int, text: str) -> None:
        node = self.node_of.get(int(self.page.parent[row]))
        if node is not None and node.name in TOKENS and len(node.text) < _MAX_TOKEN:
            node.text += text

    def _enter(self, k: int) -> bool:
        """Read an element; return False if what it contains is skipped."""
        page, parent = self.page, int(self.page.parent[k])
        outer = self.node_of[parent]
        attributes = page.attributes(k)
        name = _name(page.tag_name(k), attributes)
        slot = _SLOTS.get(name, "")
        if slot == "skip":
            return False
        height = self.height_of[parent] + _height(attributes)
        if name in _NAMES:
            depth = self.depth_of[parent] + 1
            if depth > MAX_DEPTH:
                self.depth_of.clear()
                return False
            node = MathNode("mrow" if name == "texatom" else name, attributes=attributes)
            outer.children.append(node)
            scaled = "root" if outer.name == "mroot" and "scale(" in attributes.get("transform", "") else ""
            self.places[self.number_of[id(outer)]].append((scaled or self.slot_of[parent], height))
            self.number_of[id(node)] = len(self.nodes)
            self.nodes.append(node)
            self.places.append([])
            self.node_of[k], self.depth_of[k], self.slot_of[k], self.height_of[k] = node, depth, "", 0.0
            return True
        code = attributes.get("data-c") or next(iter(_CHAR_CLASS.findall(attributes.get("class", ""))), "")
        if code:
            value = int(code, 16) if all(char in "0123456789abcdefABCDEF" for char in code[:6]) else 0
            self.node_of[k] = outer
            if outer.name in TOKENS and len(outer.text) < _MAX_TOKEN and 0 < value <= _MAX_CODE and len(code) <= 6:  # noqa: PLR2004 (hexadecimal digits)
                outer.text += chr(value)
            return False
        self.node_of[k], self.depth_of[k] = outer, self.depth_of[parent]
        self.slot_of[k] = slot if slot and slot != "base" else self.slot_of[parent]
        self.height_of[k] = height
        return True


def _name(tag: str, attributes: dict[str, str]) -> str:
    """Return the name of an element of a formula, from its tag, its mark or its class."""
    marked = attributes.get("data-mml-node") or (tag[4:] if tag.startswith("mjx-") else "")
    if marked:
        return marked.lower()
    words = attributes.get("class", "").split()[:8]
    named = next((word[4:] for word in words if word.startswith("mjx-")), "")
    return named.lower() or next((word.lower() for word in words if word.lower() in _NAMES), "")


def _height(attributes: dict[str, str]) -> float:
    """Return how far an element is moved up."""
    moved = _TRANSLATE.search(attributes.get("transform", "")[:200])
    if moved:
        return float(moved[1]) if moved[1].count(".") <= 1 else 0.0
    top = _TOP.search(attributes.get("style", "")[:400])
    return -float(top[1]) if top and top[1].count(".") <= 1 else 0.0


def _order(node: MathNode, places: list[tuple[str, float]]) -> None:  # noqa: C901 (one case per element)
    """Put the children of an element in the order of MathML."""
    children = node.children
    if node.name in {"msqrt", "mroot"}:
        kept = [(c, p) for c, p in zip(children, places, strict=True) if c.text != "√"]
        roots = [c for c, p in kept if p[0] == "root"]
        others = [c for c, p in kept if p[0] != "root"]
        node.children = others + roots
        return
    if node.name == "mfrac":
        below = [slot == "denominator" for slot, _ in places]
        node.children = [c for c, is_below in zip(children, below, strict=True) if not is_below]
        node.children += [c for c, is_below in zip(children, below, strict=True) if is_below]
        return
    if node.name not in {"msub", "msup", "msubsup", "munder", "mover", "munderover"} or len(children) < 2:  # noqa: PLR2004
        return
    base_number = next((k for k, (slot, _) in enumerate(places) if not slot), 0)
    base_height = places[base_number][1]
    under: list[MathNode] = []
    over: list[MathNode] = []
    in_script = [k for k, (slot, _) in enumerate(places) if slot == "script" and k != base_number]
    for k, child in enumerate(children):
        slot, height = places[k]
        if k == base_number:
            continue
        if slot == "script" and len(in_script) > 1:  # MathJax writes the upper one first
            (over if k == in_script[0] else under).append(child)
        elif slot == "script" or (not slot and height == base_height):
            (over if node.name in {"msup", "mover"} else under).append(child)
        elif slot:
            (over if slot == "over" else under).append(child)
        else:
            (over if height > base_height else under).append(child)
    base = [children[base_number]]
    if node.name == "munderover" and over and not under and base[0].name == "munder":  # one inside the other
        base, under = base[0].children[:1], base[0].children[1:]
    node.children = [*base, *under[:1], *over[:1]]
    if node.name in {"msubsup", "munderover"} and len(node.children) == 2:  # noqa: PLR2004 (one script)
        prefix = "m" if node.name == "msubsup" else ""
        node.name = (
            f"{prefix}sub" if under and prefix else f"{prefix}sup" if prefix else "munder" if under else "mover"
        )


def _plain_delimiter(text: str) -> str:
    """Return a delimiter that was built from pieces as one character."""
    plain = {DELIMITER_PIECES.get(char, "") for char in text}
    return plain.pop() if text and len(plain) == 1 and "" not in plain else text


# Displayed equations of LaTeXML: tables with a cell for each column of an alignment, and one for the number.

_MATH, _TR, _TD = tags.IDS["math"], tags.IDS["tr"], tags.IDS["td"]
_CLASSES: Final = frozenset({"ltx_eqn_table", "ltx_equation", "ltx_equationgroup"})


def is_equation_table(page: Page, row: int, classes: frozenset[str]) -> bool:
    """Tell whether an element is a table with one equation, or with the lines of one."""
    return page.tag_name(row) == "table" and not classes.isdisjoint(_CLASSES)


def equation_table_tex(page: Page, row: int) -> str:
    r"""Return the equation of a table: its one formula, or the formulas of its rows as ``aligned``.

    >>> from tamis.page import parse_page
    >>> cell = '<td class="ltx_eqn_cell"><math alttext="\\displaystyle {}"></math></td>'
    >>> rows = "".join(f"<tr>{cell.format(a)}{cell.format(b)}</tr>" for a, b in (("x", "=1"), ("y", "=2")))
    >>> page = parse_page(f'<table class="ltx_eqn_table">{rows}</table>')
    >>> equation_table_tex(page, int(page.rows_of("table")[0]))
    '\\begin{aligned} x & =1 \\\\ y & =2 \\end{aligned}'
    """
    lines: list[list[str]] = [[""]]
    stop = row  # of the formula that was read last: formulas in it are a part of it
    for k in range(row, int(page.end[row])):
        if k < stop:
            continue
        if page.tag[k] == _TR:
            lines.append([])
        elif page.tag[k] == _TD:
            classes = page.attributes(k).get("class", "")
            if "pad" not in classes and "eqno" not in classes:  # space beside the equation, and its number
                lines[-1].append("")
        elif page.tag[k] == _MATH and lines[-1]:
            stop = int(page.end[k])
            alttext = page.attributes(k).get("alttext", "")
            tex = clean_tex(alttext) if alttext.strip() else mathml_to_tex(page, k)
            lines[-1][-1] = " ".join(filter(None, (lines[-1][-1], tex)))
    lines = [line for line in lines if any(line)]
    if not lines:
        return ""
    if len(lines) == 1:
        return " ".join(filter(None, lines[0]))
    return r"\begin{aligned} " + r" \\ ".join(" & ".join(line) for line in lines) + r" \end{aligned}"
