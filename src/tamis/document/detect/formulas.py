"""Formulas, found in all their guises and read as TeX.

MathML carries its TeX as an annotation or is translated; KaTeX and MathJax leave MathML or a script behind; pictures
of formulas say their TeX in ``alt``.
"""

import re
from dataclasses import dataclass
from typing import Final

from tamis._kernels.loader import walk
from tamis.document.detect.mathml import tex_of
from tamis.html import tags
from tamis.page import Page

_SELECTOR: Final = (
    "math,.katex,.katex-display,mjx-container,.MathJax,.MathJax_Display,.mwe-math-element,script[type^='math/tex'],"
    "img.tex,img.latex,img.math,img.mwe-math-fallback-image-inline,img.mwe-math-fallback-image-display,"
    "img.equation_image,img[src*='latex.codecogs.com'],img[src*='/latex.php'],img[src*='chart?cht=tx']"
)
_PICTURED: Final = re.compile(r"(?:^|\s)(?:tex|latex|math|mwe-math-\S*|equation_image)(?:\s|$)")
_DRAWN: Final = re.compile(r"latex\.codecogs\.com|/latex\.php|chart\?cht=tx")
_WRAPPED: Final = re.compile(r"^\s*\{\\(?:display|text)style\s+(.*)\}\s*$", re.DOTALL)
_DOLLARS: Final = re.compile(r"^\s*(?:\$\$?|\\[(\[])(.*?)(?:\$\$?|\\[)\]])\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """A formula at an element: its TeX, whether it stands on a line of its own, and where it ends."""

    tex: str
    display: bool
    stop: int


def find_formulas(page: Page) -> dict[int, Found]:
    r"""Return the formulas of a page by the row of the element that holds each, outermost alone.

    >>> from tamis.page import parse_page
    >>> found = find_formulas(parse_page('<p><img class="latex" alt="x^{2}"> <math><mi>y</mi></math>'))
    >>> [formula.tex for formula in found.values()]
    ['x^{2}', 'y']
    """
    if not may_have_formulas(page):
        return {}
    out: dict[int, Found] = {}
    stop = 0
    scripts: dict[int, int] = {}
    for row in page.select(_SELECTOR):
        if row < stop or row < page.body:
            continue
        found = _read(page, row)
        if found is None:
            stop = int(page.end[row])  # what has no formula as a whole has none inside
            continue
        if page.tag[row] == tags.IDS["script"]:
            shown = scripts.get(int(page.parent[row]))
            if shown is not None and not _inked(page, shown, row):
                # MathJax 2 draws a formula and keeps its TeX in the script that follows: one formula, not two.
                out[shown] = Found(found.tex, found.display or out[shown].display, int(page.end[row]))
                stop = int(page.end[row])
                continue
        out[row] = found
        stop = found.stop
        scripts[int(page.parent[row])] = row
    return {row: found for row, found in out.items() if found.tex}


def may_have_formulas(page: Page) -> bool:
    """Tell by a quick look whether a page may have formulas: every guise leaves MathML, a script or a picture."""
    if page.tag_count("math"):
        return True
    nodes = page.nodes
    if any(kind.startswith("math/tex") for kind in walk.attr_values(nodes, page.rows_of("script").tolist(), "type")):
        return True
    pictures = page.rows_of("img").tolist()
    # Joined, and searched for a part of each name first: a page has many pictures, and hardly ever one of these.
    named = " ".join(walk.attr_values(nodes, pictures, "class"))
    if ("tex" in named or "math" in named or "equation" in named) and _PICTURED.search(named):
        return True
    sources = " ".join(walk.attr_values(nodes, pictures, "src"))
    return ("latex" in sources or "cht=tx" in sources) and _DRAWN.search(sources) is not None


def _inked(page: Page, start: int, stop: int) -> bool:
    """Whether text stands between the end of one element and another."""
    return bool(page.nonspace[page.end[start] : stop].any())


def _read(page: Page, row: int) -> Found | None:  # noqa: PLR0911 (a line for each guise)
    node = page.nodes[row]
    given = page.attributes(row)
    name = page.tag_name(row)
    stop = int(page.end[row])
    classes = given.get("class", "").split()
    if name == "script":
        return Found(node.text.strip(), "display" in given["type"], stop)
    if name == "img":
        return Found(_bare(given.get("alt", "")), any(word.endswith("-display") for word in classes), stop)
    display = (
        given.get("display") in {"block", "true"}
        or "katex-display" in classes
        or "MathJax_Display" in classes
        or bool(node.select("math[display='block'],.katex-display,.mwe-math-fallback-image-display"))
    )
    note = node.select_one("annotation[encoding='application/x-tex']")
    if note is not None and note.text.strip():
        return Found(_bare(note.text), display, stop)
    maths = [k for k in range(row, stop) if page.tag[k] == tags.IDS["math"]]
    picture = node.select_one("img[alt]")
    if maths:
        told = page.attributes(maths[0]).get("alttext", "")
        return Found(_bare(told) if told else tex_of(page, maths[0]), display, stop)
    if picture is not None:
        return Found(_bare(picture.attr("alt") or ""), display, stop)
    if {"MathJax", "MathJax_Display"} & set(classes):
        return Found(" ".join(page.row_text(row).split()), display, stop)  # its TeX may follow in a script
    return None


def _bare(tex: str) -> str:
    """Return TeX without the wrapping that a page puts around it."""
    for wrapping in (_WRAPPED, _DOLLARS):
        found = wrapping.match(tex)
        if found:
            tex = found[1]
    return tex.strip()
