"""Formulas, in every notation that pages use, read as TeX.

MathML has its TeX as an annotation, or is translated. KaTeX and MathJax leave MathML or a script in the page. Images
of formulas have their TeX as ``alt``.
"""

import re
from dataclasses import dataclass
from typing import Final

from tamis._kernels.loader import walk
from tamis.document.detect.mathml import mathml_to_tex
from tamis.html import tags
from tamis.page import Page

_SELECTOR: Final = (
    "math,.katex,.katex-display,mjx-container,.MathJax,.MathJax_Display,.mwe-math-element,script[type^='math/tex'],"
    "img.tex,img.latex,img.math,img.mwe-math-fallback-image-inline,img.mwe-math-fallback-image-display,"
    "img.equation_image,img[src*='latex.codecogs.com'],img[src*='/latex.php'],img[src*='chart?cht=tx']"
)
_FORMULA_IMAGE_CLASS: Final = re.compile(r"(?:^|\s)(?:tex|latex|math|mwe-math-\S*|equation_image)(?:\s|$)")
_FORMULA_IMAGE_URL: Final = re.compile(r"latex\.codecogs\.com|/latex\.php|chart\?cht=tx")
_STYLE_WRAPPER: Final = re.compile(r"^\s*\{\\(?:display|text)style\s+(.*)\}\s*$", re.DOTALL)
_DELIMITERS: Final = re.compile(r"^\s*(?:\$\$?|\\[(\[])(.*?)(?:\$\$?|\\[)\]])\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FormulaMatch:
    """A formula in the page: its TeX, whether it is displayed on a line of its own, and the row after it."""

    tex: str
    display: bool
    stop: int


def find_formulas(page: Page) -> dict[int, FormulaMatch]:
    r"""Return the formulas of a page by the row of their outermost element.

    >>> from tamis.page import parse_page
    >>> formulas = find_formulas(parse_page('<p><img class="latex" alt="x^{2}"> <math><mi>y</mi></math>'))
    >>> [formula.tex for formula in formulas.values()]
    ['x^{2}', 'y']
    """
    if not may_have_formulas(page):
        return {}
    out: dict[int, FormulaMatch] = {}
    stop = 0
    last_in: dict[int, int] = {}  # by parent: the row of the last formula
    for row in page.select(_SELECTOR):
        if row < stop or row < page.body:
            continue
        formula = _read(page, row)
        if formula is None:
            stop = int(page.end[row])  # its inner elements are no formulas either
            continue
        if page.tag[row] == tags.IDS["script"]:
            drawn = last_in.get(int(page.parent[row]))
            if drawn is not None and not _has_text_between(page, drawn, row):
                # MathJax 2 draws a formula and keeps its TeX in the script that follows: one formula, not two.
                display = formula.display or out[drawn].display
                out[drawn] = FormulaMatch(formula.tex, display, int(page.end[row]))
                stop = int(page.end[row])
                continue
        out[row] = formula
        stop = formula.stop
        last_in[int(page.parent[row])] = row
    return {row: formula for row, formula in out.items() if formula.tex}


def may_have_formulas(page: Page) -> bool:
    """Tell quickly whether a page may have formulas: every notation uses MathML, a script or an image."""
    if page.tag_count("math"):
        return True
    nodes = page.nodes
    scripts = page.rows_of("script").tolist()
    if any(script_type.startswith("math/tex") for script_type in walk.attr_values(nodes, scripts, "type")):
        return True
    images = page.rows_of("img").tolist()
    # All values are joined, and searched for substrings first: pages have many images and rarely one of a formula.
    classes = " ".join(walk.attr_values(nodes, images, "class"))
    if ("tex" in classes or "math" in classes or "equation" in classes) and _FORMULA_IMAGE_CLASS.search(classes):
        return True
    urls = " ".join(walk.attr_values(nodes, images, "src"))
    return ("latex" in urls or "cht=tx" in urls) and _FORMULA_IMAGE_URL.search(urls) is not None


def _has_text_between(page: Page, start: int, stop: int) -> bool:
    """Tell whether there is text between the end of one element and another."""
    return bool(page.nonspace[page.end[start] : stop].any())


def _read(page: Page, row: int) -> FormulaMatch | None:  # noqa: PLR0911 (one return per notation)
    node = page.nodes[row]
    attributes = page.attributes(row)
    name = page.tag_name(row)
    stop = int(page.end[row])
    classes = attributes.get("class", "").split()
    if name == "script":
        return FormulaMatch(node.text.strip(), "display" in attributes["type"], stop)
    if name == "img":
        return FormulaMatch(
            _strip_delimiters(attributes.get("alt", "")), any(word.endswith("-display") for word in classes), stop
        )
    display = (
        attributes.get("display") in {"block", "true"}
        or "katex-display" in classes
        or "MathJax_Display" in classes
        or bool(node.select("math[display='block'],.katex-display,.mwe-math-fallback-image-display"))
    )
    annotation = node.select_one("annotation[encoding='application/x-tex']")
    if annotation is not None and annotation.text.strip():
        return FormulaMatch(_strip_delimiters(annotation.text), display, stop)
    maths = [k for k in range(row, stop) if page.tag[k] == tags.IDS["math"]]
    image = node.select_one("img[alt]")
    if maths:
        alttext = page.attributes(maths[0]).get("alttext", "")
        tex = _strip_delimiters(alttext) if alttext else mathml_to_tex(page, maths[0])
        return FormulaMatch(tex, display, stop)
    if image is not None:
        return FormulaMatch(_strip_delimiters(image.attr("alt") or ""), display, stop)
    if {"MathJax", "MathJax_Display"} & set(classes):
        return FormulaMatch(" ".join(page.row_text(row).split()), display, stop)  # its TeX may follow in a script
    return None


def _strip_delimiters(tex: str) -> str:
    """Return TeX without the delimiters and style commands that a page puts around it."""
    for pattern in (_STYLE_WRAPPER, _DELIMITERS):
        match = pattern.match(tex)
        if match:
            tex = match[1]
    return tex.strip()
