"""Find the elements of a page that are formulas, read each as TeX, and choose those of the content."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.formulas.asciimath import asciimath_to_tex
from tamis.document.detectors.formulas.delimited import DelimitedFormula, find_delimited
from tamis.document.detectors.formulas.drawn import drawn_to_tex, equation_table_tex, is_equation_table
from tamis.document.detectors.formulas.katex import katex_to_tex
from tamis.document.detectors.formulas.mathml import mathml_to_tex
from tamis.document.detectors.formulas.signs import (
    CLASS_ATTRIBUTES,
    DISPLAY_CLASSES,
    DRAWN,
    FLAGS,
    SELECTOR,
    SOURCE_CLASSES,
    SOURCE_TAGS,
    is_tex_name,
    may_have_formulas,
)
from tamis.document.detectors.formulas.symbols import clean_tex, looks_like_tex, strip_delimiters
from tamis.html import tags
from tamis.html.attributes import TEX_ATTRIBUTES
from tamis.page import Page
from tamis.page.parse import parse_page
from tamis.page.sums import Bools, prefix_sums

# Images of formulas: the TeX is in the alternative text, in the title, in a ``data-`` attribute or in the URL.

#: Classes of images that are formulas.
_CLASS: Final = re.compile(
    r"(?:^|\s)(?:tex|latex|latexcenter|math|eq|mwe-math-fallback-\S*|equation_image|ql-img-\S*|quicklatex\S*|"
    r"Wirisformula|ee_img|mathjax-img|wp-katex-eq|formula)(?:\s|$)"
)
#: Services that draw the TeX of their URL, and the text that comes before it there.
_SERVICES: Final = (
    ("codecogs.com/", "?"), ("/latex.php", "latex="), ("chart?cht=tx", "chl="), ("render/math", "math="),
    ("math.now.sh", "from="), ("math.now.sh", "inline="), ("zhihu.com/equation", "tex="), ("/mathtex.cgi", "?"),
    ("/mimetex.cgi", "?"), ("upmath.me/", "/svg/"), ("upmath.me/", "/png/"), ("tex.s2cms.ru/", "/svg/"),
    ("math.jianshu.com", "formula="), ("latex.vimsky.com", "?"), ("i.upmath.me", "/svg/"), ("/cgi-bin/tex", "?"),
    ("sciweavers.org/tex2img.php", "eq="), ("math.vercel.app", "from="), ("latex.ppizarror.com", "?"),
)  # fmt: skip
_SERVICE_WORDS: Final = tuple(dict.fromkeys(word for word, _ in _SERVICES))
#: Settings that codecogs reads from the TeX.
_SETTINGS: Final = re.compile(
    r"^(?:\s|\\inline\b|\\dpi\{\d*\}|\\bg_\w+|\\fn_\w+|\\(?:tiny|small|large|Large|LARGE|huge|normalsize)\b|"
    r"\\color\{\w*\}|\\fg_\w+)"
)
_TEX_ATTRIBUTES: Final = ("data-latex", "data-tex", "data-equation-content", "data-formula", "data-math", "data-eq")
_DISPLAY_CLASS: Final = re.compile(r"display|latexcenter|block", re.IGNORECASE)


def is_formula_image(attributes: dict[str, str]) -> bool:
    """Tell whether an image has the class of a formula, its TeX as an attribute, or the URL of a service."""
    if _CLASS.search(attributes.get("class", "")) or any(name in attributes for name in _TEX_ATTRIBUTES):
        return True
    src = _source(attributes)
    return any(word in src for word in _SERVICE_WORDS) or is_tex_name(attributes.get("alt", ""))


def image_tex(attributes: dict[str, str]) -> str:
    r"""Return the TeX of an image of a formula; ``""`` if it has none.

    >>> image_tex({"src": r"https://latex.codecogs.com/gif.latex?\dpi{110}&space;\frac{a}{b}&plus;1", "alt": ""})
    '\\frac{a}{b}+1'
    >>> image_tex({"src": "https://s0.wp.com/latex.php?latex=x%5E2&bg=ffffff&fg=000&s=0"})
    'x^2'
    """
    for name in _TEX_ATTRIBUTES:
        if attributes.get(name, "").strip():
            return clean_tex(attributes[name])
    named = bool(_CLASS.search(attributes.get("class", "")))
    for name in ("alt", "title"):
        value = attributes.get(name, "")
        if value.strip() and not value.startswith(("http", "Rendered by")) and (named or looks_like_tex(value)):
            return _strip_settings(clean_tex(value))
    return _url_tex(_source(attributes))


def image_display(attributes: dict[str, str]) -> bool | None:
    """Tell whether a class says that an image is displayed, or that it is inline; None if it says neither."""
    classes = attributes.get("class", "")
    if _DISPLAY_CLASS.search(classes):
        return True
    return False if "inline" in classes else None


def _source(attributes: dict[str, str]) -> str:
    src = attributes.get("src", "")
    return src if src and not src.startswith("data:") else attributes.get("data-src", "")


def _url_tex(src: str) -> str:
    for word, before in _SERVICES:
        at = src.find(word)
        start = src.find(before, at) if at >= 0 else -1
        if start < 0:
            continue
        value = src[start + len(before) :]
        if before.endswith("="):
            value = value.partition("&")[0].replace("+", " ")
        else:
            value = value.replace("&space;", " ").replace("&plus;", "+").replace("&amp;", "&")
        tex = clean_tex(_strip_settings(unquote(value)))
        if tex:
            return tex
    return ""


def _strip_settings(tex: str) -> str:
    setting = _SETTINGS.match(tex)
    while setting and setting.end():
        tex = tex[setting.end() :]
        setting = _SETTINGS.match(tex)
    return tex.strip()


# Formulas inside attributes and scripts: MathML as text, and the JSON of Substack.


def substack_tex(attrs: str) -> str:
    """Return the TeX in the attributes that Substack writes as JSON, or ``""``."""
    try:
        value = json.loads(attrs)
    except ValueError:
        return ""
    tex = value.get("persistentExpression") if isinstance(value, dict) else None
    return tex if isinstance(tex, str) else ""


def markup_tex(markup: str) -> str:
    """Return the TeX of MathML in an attribute or a script, also as MathType writes it."""
    if not markup.strip():
        return ""
    if "«math" in markup:
        for written, meant in (("«", "<"), ("»", ">"), ("¨", '"'), ("§", "&")):
            markup = markup.replace(written, meant)
    page = parse_page(markup)
    maths = page.rows_of("math").tolist()
    if not maths:
        return ""
    for row in page.rows_of("annotation").tolist():
        if "tex" in page.attributes(row).get("encoding", "").lower():
            return clean_tex(page.row_text(row))
    return mathml_to_tex(page, maths[0])


@dataclass(frozen=True, slots=True)
class FormulaMatch:
    """A formula in the page.

    Attributes:
        tex: the formula as TeX.
        display: whether it stands on a line of its own; None if the page does not say.
        stop: the row after it.
        source: what the page has of it.
    """

    tex: str
    display: bool | None
    stop: int
    source: str = "TeX"


# Which formulas belong to the content: those in selected text, and those that stand alone between it.

Counts = npt.NDArray[np.int64]
#: Elements in which a formula alone is an entry, and no line of its own.
_ENTRIES: Final = tags.tag_mask("li td th dt dd h1 h2 h3 h4 h5 h6 caption figcaption summary legend option")
_MAX_LEVELS: Final = 12  #: from a formula up to an element with selected text


@dataclass(frozen=True, slots=True)
class ContentFormulas:
    """The formulas of the content: elements by row, and those between delimiters in order."""

    elements: dict[int, FormulaMatch] = field(default_factory=dict)
    delimited: list[DelimitedFormula] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.elements or self.delimited)


def content_formulas(page: Page, mask: Bools) -> ContentFormulas:
    r"""Return the formulas that belong to the selected rows. Each says whether it is displayed.

    >>> from tamis.page import parse_page
    >>> page = parse_page(r"<p>We get</p><p>\[a=b\]</p><p>as planned.</p>")
    >>> words = page.is_text & (page.nonspace > 5)
    >>> [formula.tex for formula in content_formulas(page, words & (page.nonspace != 7)).delimited]
    ['a=b']
    """
    if "formulas" not in page.memo:  # plain text and the document ask for them
        elements = find_formulas(page)
        in_formula = np.zeros(len(page), dtype=np.bool_)
        for row, formula in elements.items():
            in_formula[row : formula.stop] = True
        page.memo["formulas"] = elements, in_formula, find_delimited(page, in_formula)
    elements, in_formula, delimited = page.memo["formulas"]
    if not elements and not delimited:
        return ContentFormulas()
    return _ContentFilter(page, mask, in_formula, delimited).choose(elements)


class _ContentFilter:
    """Counts over the page that decide where each formula belongs."""

    def __init__(self, page: Page, mask: Bools, in_formula: Bools, delimited: list[DelimitedFormula]) -> None:
        self.page, self.mask, self.delimited = page, mask, delimited
        self.selected = page.count_selected(mask)
        chars = np.where((page.hidden == 0) & page.is_text & ~in_formula, page.nonspace, 0).astype(np.int64)
        for formula in delimited:
            inside = formula.stop - formula.start - _spaces(page.text[formula.start : formula.stop])
            chars[formula.first] -= (
                inside  # a formula of several rows may take more than the first has: only sums count
            )
        self.unselected_chars = prefix_sums(np.where(mask, 0, chars))
        rows = np.flatnonzero(mask)
        self.alone_runs: set[int] = set()
        self.first, self.last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)
        self.selected_runs = frozenset(np.unique(page.inline_run[mask]).tolist())
        images = (page.tag == tags.IDS["img"]) & ~in_formula & (page.hidden == 0)
        by_run = np.bincount(page.inline_run, weights=chars + images)
        self.other_runs = by_run > 0  # runs of inline content with text or images besides formulas

    def choose(self, elements: dict[int, FormulaMatch]) -> ContentFormulas:
        run = self.page.inline_run
        runs = Counter(int(run[row]) for row in elements) + Counter(int(run[found.first]) for found in self.delimited)
        self.alone_runs = {number for number, count in runs.items() if count == 1 and not self.other_runs[number]}
        kept = {}
        for row, formula in elements.items():
            if not self._belongs(row, formula.stop):
                continue
            display = formula.display
            if display is None:
                block = int(self.page.block_ancestor[row])
                display = int(run[row]) in self.alone_runs and not self._is_entry(block)
            kept[row] = replace(formula, display=display)
        delimited = [found for found in self.delimited if self._belongs(found.first, found.last + 1)]
        return ContentFormulas(kept, delimited)

    def _is_entry(self, block: int) -> bool:
        """Tell whether a formula alone in a block is an entry. A ``dd`` without terms only indents, as in a wiki."""
        page = self.page
        if page.tag[block] == tags.IDS["dd"]:
            outer = int(page.parent[block])
            return bool((page.tag[outer : page.end[outer]] == tags.IDS["dt"]).any())
        return bool(_ENTRIES[page.tag[block]])

    def _belongs(self, row: int, stop: int) -> bool:  # noqa: PLR0911 (one return per case)
        """Tell whether a formula is in selected text, or alone in its block between selected text."""
        page = self.page
        if self.selected[stop] > self.selected[row]:
            return True
        run = int(page.inline_run[row])
        if page.hidden[row] or self.last < 0:
            return False
        if run in self.selected_runs:
            return True
        if self.other_runs[run]:
            return False
        inner = row
        for _ in range(_MAX_LEVELS):
            outer = int(page.parent[inner])
            if outer <= 0:
                return False
            if self.selected[page.end[outer]] > self.selected[outer]:
                break
            inner = outer
        else:
            return False
        if self.unselected_chars[page.end[inner]] > self.unselected_chars[inner]:
            return False
        if self.first < row < self.last:
            return True
        near = (row, self.first) if row < self.first else (self.last, row)
        return bool(self.unselected_chars[near[1]] == self.unselected_chars[near[0]])


def _spaces(text: str) -> int:
    return sum(map(str.isspace, text))


# Find the elements of a page that are formulas, and read each as TeX.
#
# What a page has of a formula is trusted in this order: the TeX that it was written in (an annotation, a script, a
# ``data-`` attribute, the ``alt`` of an image), MathML, and last what a script drew.

_IMG, _SCRIPT, _MATH = (tags.IDS[name] for name in ("img", "script", "math"))
_MAX_INSIDE: Final = 8  #: elements with one tag that are read in a formula
_MAX_CHARS: Final = 400  #: of an element with its TeX as an attribute, beyond four times its length


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

    def find(self) -> dict[int, FormulaMatch]:  # noqa: C901 (one case per kind of element)
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
                if page.tag[row] == _MATH:  # nothing in it is a formula of its own
                    stop = int(page.end[row])
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
        tex, display, notation = self._script(row)
        start = row
        if self._follows_drawn(row):
            start = self.drawn
            display = display or bool(self.out[start].display)
        if tex:
            self.out[start] = FormulaMatch(tex, display, stop, notation)
        self.drawn = -1
        return stop

    def _script(self, row: int) -> tuple[str, bool, str]:
        """Return the TeX of a script, whether it is displayed, and its notation."""
        source = self.page.raw_text(row)
        kind = self.page.attributes(row)["type"].lower()
        if kind.startswith("math/tex"):
            return clean_tex(source), "display" in kind, "TeX"
        if kind.startswith("math/asciimath"):
            return asciimath_to_tex(source.strip().strip("`")), "display" in kind, "AsciiMath"
        if kind.startswith("math/mml"):
            return markup_tex(source), 'display="block"' in source, "MathML"
        return "", False, ""

    def _read(self, row: int, attributes: dict[str, str], classes: frozenset[str]) -> FormulaMatch | None:  # noqa: C901, PLR0911 (one case per notation)
        page = self.page
        stop = int(page.end[row])
        if page.tag[row] == _IMG:
            if not is_formula_image(attributes):
                return None
            tex = image_tex(attributes) or markup_tex(attributes.get("data-mathml", ""))
            return FormulaMatch(tex, image_display(attributes), stop, "picture") if tex else None
        if is_equation_table(page, row, classes):
            tex = equation_table_tex(page, row)
            return FormulaMatch(tex, display=True, stop=stop, source="equation table") if tex else None
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
            tex, in_display, notation = self._script(script)
            self.used_scripts.add(script)
            return FormulaMatch(tex, display or in_display, stop, notation)
        tex = self._image_inside(row)
        if tex:
            return FormulaMatch(tex, display, stop, "picture")
        tex = self._mathml(row)
        if tex:
            return FormulaMatch(tex, display, stop, "MathML")
        if page.tag_name(row) == "mjx-container" or not DRAWN.isdisjoint(classes):
            tex = drawn_to_tex(page, row) or page.collapsed_text(row)
            return FormulaMatch(tex, display, stop, "drawn signs")
        if "katex" in classes or "katex-display" in classes:  # drawn without MathML, and hidden from screen readers
            drawn = next((k for k in range(row, stop) if page.attribute_of(k, "class") == "katex-html"), -1)
            tex = katex_to_tex(page, drawn) if drawn >= 0 else ""
            return FormulaMatch(tex or page.collapsed_text(row), display, stop, "drawn signs")
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
        classes = attributes.get("class", "").split()
        names = (*TEX_ATTRIBUTES, *(CLASS_ATTRIBUTES[name] for name in classes if name in CLASS_ATTRIBUTES))
        if "data-attrs" in attributes and "latex-rendered" in attributes.get("class", ""):
            return clean_tex(substack_tex(attributes["data-attrs"]))
        if self.page.tag_name(row) == "mjx-container":  # MathJax 4 writes the TeX beside what it draws
            inner = range(row + 1, min(row + 3, int(self.page.end[row])))
            drawn = (self.page.attribute_of(k, "data-latex") for k in inner if self.page.is_element[k])
            attributes = {**attributes, "data-latex": next(filter(None, drawn), attributes.get("data-latex", ""))}
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
