"""Find the elements of a page that are formulas, and read each as TeX.

What a page has of a formula is trusted in this order: the TeX that it was written in (an annotation, a script, a
``data-`` attribute, the ``alt`` of an image), MathML, and last what a script drew.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.document.detect.formulas.asciimath import asciimath_to_tex
from tamis.document.detect.formulas.drawn import drawn_to_tex
from tamis.document.detect.formulas.images import image_display, image_tex, is_formula_image
from tamis.document.detect.formulas.katex import katex_to_tex
from tamis.document.detect.formulas.latexml import equation_table_tex, is_equation_table
from tamis.document.detect.formulas.markup import markup_tex, substack_tex
from tamis.document.detect.formulas.mathml import mathml_to_tex
from tamis.document.detect.formulas.signs import (
    DISPLAY_CLASSES,
    DRAWN,
    FLAGS,
    SELECTOR,
    SOURCE_CLASSES,
    SOURCE_TAGS,
    TEX_ATTRIBUTES,
    may_have_formulas,
)
from tamis.document.detect.formulas.tex import clean_tex, strip_delimiters
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import prefix_sums

_IMG, _SCRIPT, _MATH = (tags.IDS[name] for name in ("img", "script", "math"))
_MAX_INSIDE: Final = 8  #: elements with one tag that are read in a formula
_MAX_CHARS: Final = 400  #: of an element with its TeX as an attribute, beyond four times its length


@dataclass(frozen=True, slots=True)
class FormulaMatch:
    """A formula in the page.

    Attributes:
        tex: the formula as TeX.
        display: whether it stands on a line of its own; None if the page does not say.
        stop: the row after it.
    """

    tex: str
    display: bool | None
    stop: int


def find_formulas(page: Page) -> dict[int, FormulaMatch]:
    r"""Return the formulas of a page by the row of their outermost element.

    >>> from tamis.page import parse_page
    >>> formulas = find_formulas(parse_page('<p><img class="latex" alt="x^{2}"> <math><mi>y</mi></math>'))
    >>> [formula.tex for formula in formulas.values()]
    ['x^{2}', 'y']
    """
    return _Finder(page).find() if may_have_formulas(page) else {}


class _Finder:
    """The state of one pass over the candidates, in document order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.out: dict[int, FormulaMatch] = {}
        self.shown = prefix_sums(page.nonspace * (page.hidden == 0))
        self.drawn = -1  # the row of what MathJax drew last: its TeX may follow in a script
        self.script_of: dict[str, int] = {}  # by id
        self.used_scripts: set[int] = set()
        self.element_count = prefix_sums(page.is_element)
        self.rows_of = {name: page.rows_of(name) for name in ("annotation", "math", "img")}

    def find(self) -> dict[int, FormulaMatch]:
        page = self.page
        rows = page.select(SELECTOR)
        for row in rows:
            if page.tag[row] == _SCRIPT:
                self.script_of.setdefault(page.attributes(row).get("id", ""), row)
        stop = 0
        for row in rows:
            if row < stop or row < page.body:
                continue
            if page.tag[row] == _SCRIPT:
                stop = self._add_script(row)
                continue
            attributes = page.attributes(row)
            classes = attributes.get("class", "").split()
            if "MathJax_Preview" in classes:
                self.out[row] = FormulaMatch("", None, int(page.end[row]))
                self.drawn = row
                stop = int(page.end[row])
                continue
            formula = self._read(row, attributes, frozenset(classes))
            if formula is None:
                continue
            is_drawn = not DRAWN.isdisjoint(classes)
            start = row
            around = int(page.parent[row])
            if page.tag_name(around) == "pre" and page.end[around] == page.end[row]:
                start = around
            if is_drawn and self._follows_drawn(row) and not self.out[self.drawn].tex:
                start = self.drawn  # the preview before it shows the same formula
            self.out[start] = formula
            self.drawn = start if is_drawn else -1
            stop = formula.stop
        return {row: formula for row, formula in self.out.items() if formula.tex}

    def _inside(self, name: str, row: int) -> list[int]:
        """Return the first elements with a tag in the subtree of a row."""
        rows = self.rows_of[name]
        first, stop = np.searchsorted(rows, (row, int(self.page.end[row])))
        inside: list[int] = rows[first : min(int(stop), int(first) + _MAX_INSIDE)].tolist()
        return inside

    def _follows_drawn(self, row: int) -> bool:
        """Tell whether nothing is shown between what was drawn last and an element."""
        page, drawn = self.page, self.drawn
        if drawn < 0 or page.parent[drawn] != page.parent[row]:
            return False
        return bool(self.shown[row] == self.shown[self.out[drawn].stop])

    def _add_script(self, row: int) -> int:
        """Add the formula of a script: MathJax 2 draws it before the script, and it is one formula."""
        page = self.page
        stop = int(page.end[row])
        if row in self.used_scripts:
            return stop
        tex, display = self._script(row)
        start = row
        if self._follows_drawn(row):
            start = self.drawn
            display = display or bool(self.out[start].display)
        if tex:
            self.out[start] = FormulaMatch(tex, display, stop)
        self.drawn = -1
        return stop

    def _script(self, row: int) -> tuple[str, bool]:
        source = self.page.nodes[row].text
        kind = self.page.attributes(row)["type"].lower()
        if kind.startswith("math/tex"):
            return clean_tex(source), "display" in kind
        if kind.startswith("math/asciimath"):
            return asciimath_to_tex(source.strip().strip("`")), "display" in kind
        if kind.startswith("math/mml"):
            return markup_tex(source), 'display="block"' in source
        return "", False

    def _read(self, row: int, attributes: dict[str, str], classes: frozenset[str]) -> FormulaMatch | None:  # noqa: C901, PLR0911 (one case per notation)
        page = self.page
        stop = int(page.end[row])
        if page.tag[row] == _IMG:
            if not is_formula_image(attributes):
                return None
            tex = image_tex(attributes) or markup_tex(attributes.get("data-mathml", ""))
            return FormulaMatch(tex, image_display(attributes), stop) if tex else None
        if is_equation_table(page, row, classes):
            tex = equation_table_tex(page, row)
            return FormulaMatch(tex, display=True, stop=stop) if tex else None
        if classes & {"ltx_equation", "ltx_equationgroup", "ltx_eqn_table"}:
            return None
        display = self._display(row, attributes, classes)
        tex = self._attribute_tex(row, attributes)
        if tex:
            return FormulaMatch(tex, display, stop)
        for annotation in self._inside("annotation", row):
            encoding = page.attributes(annotation).get("encoding", "").lower()
            if "tex" in encoding and page.row_text(annotation).strip():
                return FormulaMatch(clean_tex(page.row_text(annotation)), display, stop)
        script = self._script_of(row, attributes)
        if script >= 0:
            tex, in_display = self._script(script)
            self.used_scripts.add(script)
            return FormulaMatch(tex, display or in_display, stop)
        tex = self._image_inside(row) or self._mathml(row)
        if tex:
            return FormulaMatch(tex, display, stop)
        if "katex" in classes or "katex-display" in classes:
            return FormulaMatch(katex_to_tex(page, row), display, stop)
        if page.tag_name(row) == "mjx-container" or not DRAWN.isdisjoint(classes):
            tex = drawn_to_tex(page, row) or " ".join(page.row_text(row).split())
            return FormulaMatch(tex, display, stop)
        return self._source(row, display=display)

    def _display(self, row: int, attributes: dict[str, str], classes: frozenset[str]) -> bool | None:  # noqa: PLR0911
        """Tell whether an element says that its formula is displayed; None if it says nothing."""
        page = self.page
        if attributes.get("display") in {"block", "true"} or not classes.isdisjoint(DISPLAY_CLASSES):
            return True
        if attributes.get("data-math-style") == "display" or attributes.get("mode") == "display":
            return True
        if page.tag_name(row) == "eqn":
            return True
        if any(page.attributes(math).get("display") == "block" for math in self._inside("math", row)[:1]):
            return True
        if "mwe-math-element" in classes:
            is_block = any(image_display(page.attributes(image)) for image in self._inside("img", row)[:1])
            return True if is_block else None  # one alone in its line is displayed too
        if page.tag[row] == _MATH:
            return False if attributes.get("display") == "inline" else None
        return None if any(name in attributes for name in TEX_ATTRIBUTES) else False

    def _attribute_tex(self, row: int, attributes: dict[str, str]) -> str:
        names = (*TEX_ATTRIBUTES, "data-value") if "ql-formula" in attributes.get("class", "") else TEX_ATTRIBUTES
        if "data-attrs" in attributes and "latex-rendered" in attributes.get("class", ""):
            return clean_tex(substack_tex(attributes["data-attrs"]))
        for name in names:
            value = attributes.get(name, "").strip()
            if value.lower() in FLAGS:
                continue
            shown = int(self.shown[self.page.end[row]] - self.shown[row])
            if shown <= _MAX_CHARS + 4 * len(value):
                return clean_tex(value)
        return ""

    def _script_of(self, row: int, attributes: dict[str, str]) -> int:
        """Return the script with the TeX of what MathJax 2 drew: their ids agree."""
        name = attributes.get("id", "")
        if not name.startswith("MathJax-Element-"):
            inner = range(row + 1, min(row + 3, int(self.page.end[row])))
            ids = (self.page.attributes(k).get("id", "") for k in inner)
            name = next((value for value in ids if value.startswith("MathJax-Element-")), "")
        return self.script_of.get(name.removesuffix("-Frame"), -1) if name else -1

    def _image_inside(self, row: int) -> str:
        """Return the TeX of the image in an element with both an image and MathML."""
        page = self.page
        images = self._inside("img", row)
        return image_tex({**page.attributes(images[0]), "class": "math"}) if images else ""

    def _mathml(self, row: int) -> str:
        page = self.page
        maths = self._inside("math", row)
        if maths:
            alttext = page.attributes(maths[0]).get("alttext", "")
            return clean_tex(alttext) if alttext.strip() else mathml_to_tex(page, maths[0])
        for k in range(row, min(row + 4, int(page.end[row]))):
            tex = markup_tex(page.attributes(k).get("data-mathml", ""))
            if tex:
                return tex
        return ""

    def _source(self, row: int, *, display: bool | None) -> FormulaMatch | None:
        """Return an element whose text is TeX. One with elements inside was drawn in HTML and stays text."""
        page, stop = self.page, int(self.page.end[row])
        attributes = page.attributes(row)
        classes = frozenset(attributes.get("class", "").split())
        if classes.isdisjoint(SOURCE_CLASSES) and page.tag_name(row) not in SOURCE_TAGS:
            return None
        if self.element_count[stop] > self.element_count[row + 1] and "language-math" not in classes:
            code = row + 1 if stop == row + 3 and page.tag_name(row + 1) == "code" else -1
            if code < 0:
                return None
        tex, delimited = strip_delimiters(page.row_text(row))
        in_pre = bool(page.pre[row])
        return FormulaMatch(clean_tex(tex), bool(delimited) or bool(display) or in_pre, stop) if tex else None
