"""Formulas as KaTeX draws them without MathML, read back as TeX.

KaTeX stacks what stands above and below in a ``vlist``: each entry has its height as ``top`` in its style. One pass
from the last row to the first gives each element its TeX, or its stack to the element around it.
"""

import re
from typing import Final

from tamis.document.detect.formulas.drawn import DELIMITER_PIECES
from tamis.document.detect.formulas.symbols import FUNCTIONS, is_operator, join_tex, text_tex
from tamis.page import Page

Stack = list[tuple[float, str]]  #: heights and TeX of the entries of a ``vlist``
_TOP: Final = re.compile(r"(?<![\w-])top:\s*(-?[\d.]+)em")
_HEIGHT: Final = re.compile(r"(?<![\w-])height:\s*([\d.]+)em")
_SKIPPED_NAMES: Final = """
    strut pstrut vlist-s nulldelimiter hide-tail arraycolsep frac-line overline-line underline-line hline tag eqn-num
    katex-mathml
"""
_SKIPPED: Final = frozenset(_SKIPPED_NAMES.split())
_FONTS: Final = {
    "mathbf": "mathbf", "boldsymbol": "boldsymbol", "mathbb": "mathbb", "mathcal": "mathcal", "mathfrak": "mathfrak",
    "mathscr": "mathscr", "mathrm": "mathrm", "mathsf": "mathsf", "mathtt": "mathtt", "amsrm": "mathbb",
}  # fmt: skip
_ACCENTS: Final = {
    "^": "hat", "ˆ": "hat", "ˉ": "bar", "¯": "bar", "~": "tilde", "˜": "tilde", "˙": "dot", "¨": "ddot", "⃗": "vec",
    "→": "vec", "ˇ": "check", "˘": "breve", "ˊ": "acute", "ˋ": "grave", "´": "acute", "`": "grave", "˚": "mathring",
}  # fmt: skip
_FENCED: Final = {"(": "pmatrix", "[": "bmatrix", r"\{": "Bmatrix", "|": "vmatrix", r"\|": "Vmatrix"}
_SCRIPT_LINE: Final = 0.05  #: em above the base line; subscripts are below it
_MAX_ROWS: Final = 20000  #: of one formula
_MAX_LEVELS: Final = 400  #: of elements; a fraction takes about ten


def katex_to_tex(page: Page, row: int) -> str:
    r"""Return the formula of an element that KaTeX drew as TeX; ``""`` if it cannot be read.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<span class="katex-html"><span class="mord mathnormal">π</span><span class="mrel">=</span>'
    ...     '<span class="mord">3.14</span></span>')
    >>> katex_to_tex(page, 4)
    '\\pi = 3.14'
    """
    end = int(page.end[row])
    if end - row > _MAX_ROWS or int(page.depth[row:end].max()) - int(page.depth[row]) > _MAX_LEVELS:
        return ""
    values: dict[int, list[tuple[int, str | Stack]]] = {}  # of the children of each row, the last first
    for k in range(end - 1, row - 1, -1):
        children = values.pop(k, [])
        children.reverse()
        if page.is_text[k]:
            value: str | Stack = page.row_text(k)
        elif page.is_element[k]:
            value = _element(page, k, children)
        else:
            continue
        if k == row:
            return " ".join(value.split()) if isinstance(value, str) else ""
        values.setdefault(int(page.parent[k]), []).append((k, value))
    return ""


def _element(page: Page, k: int, children: list[tuple[int, str | Stack]]) -> str | Stack:  # noqa: C901, PLR0911, PLR0912 (one case per class)
    attributes = page.attributes(k)
    words = attributes.get("class", "").split()
    classes = frozenset(words)
    if not _SKIPPED.isdisjoint(classes) or page.tag_name(k) == "svg":
        return ""
    if "vlist" in classes:
        return _stack(page, children)
    stacks = [value for _, value in children if isinstance(value, list) and value]
    stack: Stack = stacks[0] if stacks else []
    if "vlist-t" in classes or "vlist-r" in classes:
        return stack
    entries = [tex for _, tex in sorted(stack, reverse=True) if tex.strip()]  # from top to bottom
    if "mfrac" in classes and stack:
        return rf"\frac{{{entries[0].strip()}}}{{{entries[-1].strip()}}}" if len(entries) > 1 else "".join(entries)
    if "msupsub" in classes:
        return _scripts(stack)
    if "sqrt" in classes and stack:
        index = "".join(
            value.strip() for row, value in children if isinstance(value, str) and _has(page, row, "root")
        )
        return rf"\sqrt[{index}]{{{''.join(entries).strip()}}}" if index else rf"\sqrt{{{''.join(entries).strip()}}}"
    if "root" in classes and stack:
        return "".join(entries)
    if "overline" in classes or "underline" in classes:
        return rf"\{'overline' if 'overline' in classes else 'underline'}{{{''.join(entries).strip()}}}"
    if "accent" in classes and stack:
        return _accent(entries)
    if "op-limits" in classes and stack:
        return _limits(stack)
    if "mtable" in classes:
        return _table(stacks)
    text = _row(page, children)
    if "delimsizing" in classes or "delimcenter" in classes:
        plain = {DELIMITER_PIECES.get(char, char) for char in "".join(text.split()) or " "}
        return text_tex(plain.pop()) if len(plain) == 1 else text
    if "text" in classes and "mord" in classes:
        return rf"\text{{{' '.join(f'.{page.row_text(k)}.'.split())[1:-1]}}}"
    font = next((_FONTS[word] for word in words if word in _FONTS), "")
    if font and text.strip() and not text.startswith("\\") and not (font == "mathrm" and len(text.strip()) == 1):
        return rf"\{font}{{{text.strip()}}}"
    return text


def _has(page: Page, row: int, word: str) -> bool:
    return word in page.attributes(row).get("class", "").split()


def _stack(page: Page, children: list[tuple[int, str | Stack]]) -> Stack:
    """Return the entries of a ``vlist`` with their heights above the base line."""
    out: Stack = []
    for row, value in children:
        top = _TOP.search(page.attributes(row).get("style", "")[:200])
        if top is None or top[1].count(".") > 1:
            continue
        strut = _HEIGHT.search(page.attributes(row + 1).get("style", "")[:200]) if row + 1 < page.end[row] else None
        height = float(strut[1]) if strut and strut[1].count(".") <= 1 else 0.0
        tex = value if isinstance(value, str) else "".join(entry for _, entry in value)
        out.append((-float(top[1]) - height, tex))
    return out


def _scripts(stack: Stack) -> str:
    entries = [(height, tex.strip()) for height, tex in sorted(stack) if tex.strip()]
    if len(entries) > 1:
        return f"_{{{entries[0][1]}}}^{{{entries[-1][1]}}}"
    for height, tex in entries:
        if height > _SCRIPT_LINE:
            return "'" * tex.count(r"\prime") if not tex.replace(r"\prime", "").strip() else f"^{{{tex}}}"
        return f"_{{{tex}}}"
    return ""


def _accent(entries: list[str]) -> str:
    marks = [entry for entry in entries if entry.strip() in _ACCENTS or entry.strip() in {r"\vec", r"\to"}]
    body = "".join(entry for entry in entries if entry not in marks).strip()
    name = _ACCENTS.get(marks[0].strip(), "vec") if marks else "vec"  # KaTeX draws the arrow of a vector as a graphic
    return rf"\{name}{{{body}}}"


def _limits(stack: Stack) -> str:
    """Return an operator with what stands below and above it: the operator is nearest to the base line."""
    entries = [(height, tex.strip()) for height, tex in sorted(stack) if tex.strip()]
    if not entries:
        return ""
    number = min(range(len(entries)), key=lambda k: abs(entries[k][0]))
    below = "".join(tex for _, tex in entries[:number])
    above = "".join(tex for _, tex in entries[number + 1 :])
    return entries[number][1] + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _table(columns: list[Stack]) -> str:
    rows = [[tex.strip() for _, tex in sorted(column, reverse=True)] for column in columns]
    height = max((len(column) for column in rows), default=0)
    lines = [" & ".join(column[k] if k < len(column) else "" for column in rows) for k in range(height)]
    return r"\begin{matrix} " + r" \\ ".join(lines) + r" \end{matrix}" if lines else ""


def _row(page: Page, children: list[tuple[int, str | Stack]]) -> str:
    pieces: list[str] = []
    for row, value in children:
        if not isinstance(value, str):
            pieces.append("".join(tex for _, tex in value))
            continue
        if page.is_text[row]:
            text = value.replace("\u200b", "")
            core = text.strip()
            pieces.append("\\" + core if core in FUNCTIONS else text_tex(text))
            continue
        core = value.strip()
        classes = page.attributes(row).get("class", "").split()
        if ("mbin" in classes or "mrel" in classes) and is_operator(core):
            pieces.append(f" {core} ")
        elif "mspace" in classes:
            pieces.append("")
        else:
            pieces.append(value)
    return _fence_tables(pieces)


def _fence_tables(pieces: list[str]) -> str:
    """Join pieces; a matrix between fences becomes the environment that has them."""
    shown = [piece for piece in pieces if piece.strip()]
    if len(shown) in {2, 3} and shown[1].startswith(r"\begin{matrix}") and shown[1].endswith(r"\end{matrix}"):
        body = shown[1][len(r"\begin{matrix}") : -len(r"\end{matrix}")]
        name = _FENCED.get(shown[0].strip(), "") if len(shown) == 3 else "cases" * (shown[0].strip() == r"\{")  # noqa: PLR2004 (opening, table, closing)
        if name:
            return rf"\begin{{{name}}}{body}\end{{{name}}}"
    return join_tex(pieces)
