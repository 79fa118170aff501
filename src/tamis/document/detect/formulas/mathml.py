"""Translate MathML to TeX, in one pass from the last element to the first."""

import re
from typing import Final

from tamis.document.detect.formulas.math_scripts import scripts_tex
from tamis.document.detect.formulas.math_tables import CLOSING, OPENING, fenced_table, table_tex
from tamis.document.detect.formulas.math_tree import TOKENS, MathNode, read_mathml
from tamis.document.detect.formulas.symbols import FUNCTIONS, is_operator, join_tex, text_tex
from tamis.page import Page

_VARIANTS: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "bold-script": "mathcal",
    "fraktur": "mathfrak", "bold-fraktur": "mathfrak", "sans-serif": "mathsf", "bold-sans-serif": "mathsf",
    "monospace": "mathtt", "bold-italic": "boldsymbol",
}  # fmt: skip
_NOT_RENDERED: Final = frozenset({"annotation", "annotation-xml", "maligngroup", "malignmark", "none", "mprescripts"})
_SCRIPTS: Final = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"})
_ENCLOSURES: Final = (
    ("longdiv", "overline"), ("actuarial", "overline"), ("top", "overline"), ("bottom", "underline"),
    ("radical", "sqrt"), ("updiagonalstrike", "cancel"), ("downdiagonalstrike", "bcancel"),
    ("horizontalstrike", "sout"), ("box", "boxed"), ("roundedbox", "boxed"), ("circle", "boxed"),
)  # fmt: skip
_ESCAPED_TEXT: Final = re.compile(r"[#$%&_{}]")
_FENCES: Final = OPENING | CLOSING
_WIDE_SPACE: Final = 0.9  #: em; a space that an author put there: a quad


def mathml_to_tex(page: Page, row: int) -> str:
    r"""Return a ``math`` element as TeX.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>≤</mo><mi>π</mi>")
    >>> mathml_to_tex(page, int(page.rows_of("math")[0]))
    '\\frac{a}{b^{2}} \\le \\pi'
    """
    nodes = read_mathml(page, row)
    return tree_to_tex(nodes) if nodes else text_tex(page.collapsed_text(row))


def tree_to_tex(nodes: list[MathNode]) -> str:
    """Return a formula as TeX; `nodes` are its elements in document order, the root first."""
    for node in reversed(nodes):
        node.tex = _element(node)
    return " ".join(nodes[0].tex.split()) if nodes else ""


def _element(node: MathNode) -> str:  # noqa: C901, PLR0911, PLR0912 (one case per element)
    name, children = node.name, node.children
    if name in TOKENS:
        return _token(node)
    if name in _NOT_RENDERED:
        return ""
    if name in _SCRIPTS:
        return scripts_tex(node)
    first, second = (_group(children[k].tex) if k < len(children) else "{}" for k in range(2))
    match name:
        case "mfrac":
            return _fraction(node, first, second)
        case "msqrt":
            return rf"\sqrt{_group(_row(children))}"
        case "mroot":
            return rf"\sqrt[{second[1:-1]}]{first}"
        case "mtable":
            return table_tex(node)
        case "mfenced":
            return _fenced(node)
        case "menclose":
            notation = node.attributes.get("notation", "longdiv").split()
            command = next((command for word, command in _ENCLOSURES if word in notation), "")
            inner = _row(children)
            return rf"\{command}{_group(inner)}" if command else inner
        case "mphantom":
            return rf"\phantom{_group(_row(children))}"
        case "mspace":
            width = node.attributes.get("width", "")
            number = width.removesuffix("em")
            is_wide = width.endswith("em") and number.replace(".", "", 1).isdigit() and float(number) >= _WIDE_SPACE
            return r" \quad " if is_wide else " "
        case "semantics" | "maction":
            return next((child.tex for child in children if child.tex.strip()), "")
        case _:
            return _row(children)


def _fraction(node: MathNode, first: str, second: str) -> str:
    if node.attributes.get("linethickness", "").strip() in {"0", "0px", "0pt", "0em", "0ex"}:
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{first}{second}"
    if node.attributes.get("bevelled") == "true":
        return f"{first}/{second}"
    return rf"\frac{first}{second}"


def _token(node: MathNode) -> str:
    text = " ".join(node.text.split())
    variant = _VARIANTS.get(node.attributes.get("mathvariant", ""), "")
    if node.name == "mglyph":
        return node.attributes.get("alt", "")
    if node.name in {"mtext", "ms"}:
        words = _ESCAPED_TEXT.sub(r"\\\g<0>", " ".join(f".{node.text}.".split())[1:-1])
        return rf"\text{{{words}}}" if words.strip() else " "
    if text in FUNCTIONS and node.name != "mn":
        return "\\" + text
    is_word = len(text) > 1 and text.isascii() and text.isalpha()
    if is_word and (node.name == "mo" or (node.name == "mi" and not variant)):
        return rf"\operatorname{{{text}}}" if node.name == "mo" else rf"\mathrm{{{text}}}"
    tex = text_tex(text)
    return rf"\{variant}{{{tex}}}" if variant and tex.strip() else tex


def _row(children: list[MathNode]) -> str:
    """Join children: space around operators between two operands, fences around tables as environments."""
    pieces: list[str] = []
    operand_before = False  # whether an operator here stands between two operands
    number = 0
    while number < len(children):
        child = children[number]
        number += 1
        table = fenced_table(children, number - 1)
        if table is not None:
            tex, number = table
            pieces.append(tex)
            operand_before = True
            continue
        tex = child.tex
        if not tex:
            continue
        core = tex.strip()
        if child.name == "mo" and is_operator(core):
            last = number == len(children)
            pieces.append(f" {core} " if operand_before and not last else f" {core}" if operand_before else core)
            operand_before = False
        else:
            pieces.append(tex)
            is_opening = child.name == "mo" and (child.text.strip() in OPENING or core == ",")
            operand_before = bool(core) and not is_opening
    return _stretched(children, join_tex(pieces))


def _stretched(children: list[MathNode], tex: str) -> str:
    r"""Return a row with ``\left`` and ``\right`` where its outer fences are marked as stretched."""
    if len(children) < 2 or not _is_stretched(children[0]) or not _is_stretched(children[-1]):  # noqa: PLR2004 (a pair)
        return tex
    first, last = children[0], children[-1]
    opening, closing = first.tex.strip(), last.tex.strip()
    if not (tex.startswith(opening) and tex.endswith(closing)) or first.text.strip() in CLOSING - OPENING:
        return tex
    if re.match(r"\\begin\{|\\binom", tex):
        return tex
    inner = tex[len(opening) : len(tex) - len(closing)]
    return join_tex([r"\left" + (opening or "."), inner, r"\right" + (closing or ".")])


def _is_stretched(node: MathNode) -> bool:
    attributes = node.attributes
    return (
        node.name == "mo"
        and node.text.strip() in _FENCES | {"", "|", "‖"}
        and (attributes.get("stretchy") == "true" or attributes.get("fence") == "true")
        and attributes.get("stretchy") != "false"
    )


def _fenced(node: MathNode) -> str:
    """Return ``mfenced``: fences around its children, with separators between them."""
    attributes = node.attributes
    opening, closing = attributes.get("open", "(").strip(), attributes.get("close", ")").strip()
    if len(node.children) == 1:
        fences = [MathNode("mo", opening, tex=text_tex(opening)), MathNode("mo", closing, tex=text_tex(closing))]
        table = fenced_table([fences[0], node.children[0], fences[1]], 0)
        if table is not None:
            return table[0]
    separators = "".join(attributes.get("separators", ",").split())
    pieces = [text_tex(opening) if opening else ""]
    for number, child in enumerate(node.children):
        if number and separators:
            pieces.append(text_tex(separators[min(number - 1, len(separators) - 1)]) + " ")
        pieces.append(child.tex.strip())
    tall = any("\\frac" in child.tex or "\\begin" in child.tex for child in node.children)
    if tall:
        pieces[0] = r"\left" + (pieces[0] or ".")
        return join_tex([*pieces, r"\right" + (text_tex(closing) or ".")])
    return join_tex([*pieces, text_tex(closing)])


def _group(tex: str) -> str:
    return "{" + tex.strip() + "}"
