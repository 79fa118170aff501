"""Tables of MathML as environments of TeX: matrices with their fences, cases, aligned equations."""

from typing import Final

from tamis.document.detect.formulas.math_tree import MathNode

OPENING: Final = frozenset({"(", "[", "{", "⟨", "⌈", "⌊", "〈", "⟦"})
CLOSING: Final = frozenset({")", "]", "}", "⟩", "⌉", "⌋", "〉", "⟧"})
_MATRICES: Final = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix", ("‖", "‖"): "Vmatrix",
    ("∥", "∥"): "Vmatrix", ("∣", "∣"): "vmatrix",
}  # fmt: skip
_WRAPPERS: Final = frozenset({"mrow", "mstyle", "mpadded", "semantics", "mtd"})
_MAX_UNWRAPPED: Final = 8  #: elements around a table that only group


def table_tex(node: MathNode, environment: str = "") -> str:
    """Return ``mtable`` as an environment: that of its fences, else aligned if its columns are, else a matrix."""
    rows = [row for row in node.children if row.name in {"mtr", "mlabeledtr"}]
    if not rows:
        return ""
    cells = [[cell.tex.strip() for cell in row.children[row.name == "mlabeledtr" :]] for row in rows]
    if not environment:
        environment = "aligned" if _is_aligned(node, cells) else "matrix"
    body = r" \\ ".join(" & ".join(row) for row in cells)
    return rf"\begin{{{environment}}} {body} \end{{{environment}}}"


def _is_aligned(node: MathNode, cells: list[list[str]]) -> bool:
    """Tell whether columns are aligned as equations are: right, then left."""
    alignment = node.attributes.get("columnalign", "").split()
    if not alignment:
        alignment = next(
            (
                [cell.attributes.get("columnalign", "") for cell in row.children]
                for row in node.children
                if any("columnalign" in cell.attributes for cell in row.children)
            ),
            [],
        )
    width = max(len(row) for row in cells)
    if width == 1:
        return len(cells) > 1 and alignment[:1] in (["right"], ["left"])
    return len(alignment) > 1 and alignment[:2] == ["right", "left"]


def fenced_table(children: list[MathNode], start: int) -> tuple[str, int] | None:  # noqa: PLR0911 (one per environment)
    """Return a table with its fences as one environment and the number of the next child; None if there is none.

    A brace before a table and nothing behind it is ``cases``. A fraction without a line between parentheses is a
    binomial.
    """
    if start + 1 >= len(children) or children[start].name != "mo":
        return None
    opening = children[start].text.strip()
    inner = _unwrap(children[start + 1])
    after = start + 2
    closing = children[after].text.strip() if after < len(children) and children[after].name == "mo" else ""
    if inner.tex.startswith(r"\genfrac{}{}{0pt}{}") and (opening, closing) == ("(", ")"):
        return r"\binom" + inner.tex.removeprefix(r"\genfrac{}{}{0pt}{}"), after + 1
    if inner.name != "mtable":
        return None
    has_closing = after < len(children) and children[after].name == "mo"
    if (opening, closing) in _MATRICES:
        return table_tex(inner, _MATRICES[opening, closing]), after + 1
    if opening == "{" and closing == "":
        return table_tex(inner, "cases"), after + has_closing
    if opening == "" and closing == "}":
        return table_tex(inner, "rcases"), after + 1
    return None


def _unwrap(node: MathNode) -> MathNode:
    """Return the only element inside elements that only group."""
    for _ in range(_MAX_UNWRAPPED):
        shown = [child for child in node.children[:3] if child.tex.strip()]
        if node.name not in _WRAPPERS or len(shown) != 1 or len(node.children) > 3:  # noqa: PLR2004 (with empty ones)
            break
        node = shown[0]
    return node
