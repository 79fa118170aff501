"""`MathNode`: a formula as a tree of MathML elements, read from MathML in the page or from what a script drew."""

from dataclasses import dataclass, field
from typing import Final

from tamis.page import Page

#: Elements that contain characters. White space between all other elements is no child.
TOKENS: Final = frozenset({"mi", "mo", "mn", "ms", "mtext", "mglyph"})
_NOT_READ: Final = frozenset({"annotation", "annotation-xml", "maligngroup", "malignmark"})
MAX_DEPTH: Final = 100  #: levels of a formula; TeX itself gives up far below it


@dataclass(slots=True)
class MathNode:
    """An element of a formula.

    Attributes:
        name: its name in MathML.
        text: the characters of a token.
        attributes: those that matter.
        children: its child elements.
        tex: its translation, once there is one.
    """

    name: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[MathNode]" = field(default_factory=list)
    tex: str = ""


def read_mathml(page: Page, row: int) -> list[MathNode]:
    """Return the elements of a ``math`` element in document order; none if it is nested too deep.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<math> <mi>x</mi> <mo>=</mo> <mn>1</mn> </math>")
    >>> [node.name for node in read_mathml(page, int(page.rows_of("math")[0]))]
    ['math', 'mi', 'mo', 'mn']
    """
    nodes: list[MathNode] = []
    at: dict[int, MathNode] = {}
    depth = int(page.depth[row])
    k, end = row, int(page.end[row])
    while k < end:
        name = page.tag_name(k).rpartition(":")[2].lower()
        if not name or name in _NOT_READ:
            k = int(page.end[k])
            continue
        if page.depth[k] - depth > MAX_DEPTH:
            return []
        node = MathNode(name, attributes=page.attributes(k))
        at[k] = node
        nodes.append(node)
        outer = at.get(int(page.parent[k]))
        if outer is not None:
            outer.children.append(node)
        if name in TOKENS:  # HTML inside of a token belongs to its characters
            node.text = page.row_text(k)
            k = int(page.end[k])
        else:
            k += 1
    return nodes
