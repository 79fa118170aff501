r"""Formulas between delimiters in the text: ``\(…\)``, ``\[…\]``, ``$$…$$``, environments, ``$…$`` and AsciiMath.

``$…$`` counts where the page loads MathJax or KaTeX, or has a command or a script in braces between dollars; an
environment also where it has a sign of TeX. Backquotes count where the page loads AsciiMath. Codeforces writes
``$$$…$$$`` and ``$$$$$$…$$$$$$``, WordPress ``$latex …$`` and ``[latex]…[/latex]``, forums ``[tex]`` and ``[itex]``.
Where a page loads either, ``\$`` is a dollar. A backquote after a backslash begins and ends nothing. Text in code and
in elements that MathJax ignores is left alone. A formula may go on after ``br``.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from tamis.document.detectors.formulas.asciimath import asciimath_to_tex
from tamis.document.detectors.formulas.symbols import clean_tex, looks_like_tex
from tamis.html import tags
from tamis.page import Page
from tamis.page.deadline import check_time, checked
from tamis.page.sums import Bools, in_subtree, prefix_sums

_TOKEN: Final = re.compile(
    r"\\\\|\\[()\[\]$`]|\\(?:begin|end)\{[a-zA-Z]{1,20}\*?\}|\${6}|\${3}|\$\$|\$latex(?=\s)|\$|`"
    r"|\[/?(?:latex|i?tex)(?:\s[^\[\]]{0,60})?\]"
    r"|\\(?:eq)?ref\{[^{}\n]{1,60}\}"
)
_DISPLAYING: Final = (r"\[", "$$", "$$$$$$")
_CLOSERS: Final = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$", "`": "`", r"\$": r"\$", "$latex": "$",
                   "$$$": "$$$", "$$$$$$": "$$$$$$"}  # fmt: skip
_REFERENCES: Final = (r"\eqref", r"\ref")  #: to a formula with a label, which MathJax reads in text too
_SHORTCODES: Final = ("[latex", "[tex", "[itex")
_SHORTCODE_SETTINGS: Final = re.compile(r"(?:&(?:s|bg|fg)=[\w-]{1,12}){1,3}\s{0,3}$")
_CODE: Final = tags.tag_mask("code pre kbd samp tt textarea listing xmp plaintext select button")
_IGNORED: Final = ".tex2jax_ignore,.mathjax_ignore,.asciimath2jax_ignore,.nomathjax"
_TRANSPARENT: Final = tags.tag_mask("br wbr")
_ENVIRONMENT_NAMES: Final = """
    equation align gather multline eqnarray alignat flalign displaymath math cases matrix pmatrix bmatrix vmatrix
    aligned gathered split array
"""
_ENVIRONMENTS: Final = frozenset(_ENVIRONMENT_NAMES.split())
_SIGNS_OF_TEX: Final = ("mathjax", "katex", "tex2jax", "rendermathinelement", "jqmath", "mathquill")
_WORDS: Final = ("MathJax", "mathjax", "katex", "KaTeX", "tex2jax", "renderMathIn")
_SIGNS_OF_ASCIIMATH: Final = ("asciimath", "-am_", "config=am_", "mml-am", "aminitsymbols")
_DOLLAR, _ESCAPED_DOLLAR = "$", r"\$"
_ASCIIMATH: Final = ("`", _ESCAPED_DOLLAR)
_TEX_SIGN: Final = re.compile(r"[\\^_={}+<>]")
#: A command with an argument, one that is a word of its own, or a script in braces.
_COMMAND: Final = re.compile(r"\\[a-zA-Z]{2,12}\{|(?:^|[\s(+=,&_^-])\\[a-zA-Z]{2,12}(?![\w\\:])|[_^]\{")
_BETWEEN_DOLLARS: Final = re.compile(r"(?<![\\$\w])\$(?![\s$])[^$\n]{0,300}(?<!\s)\$(?![\d$])")
_HAS_SYMBOL: Final = re.compile(r"[^\W_]|\\")  #: a letter, a digit or a command
_SHOWS_NOTHING: Final = (r"\begingroup", r"\endgroup")  #: around each post of Stack Exchange
_MAX_WORDS: Final = 3  #: of a formula without any sign of TeX
_DOLLAR_SETTINGS: Final = ("'$'", '"$"', "`$`")


@dataclass(frozen=True, slots=True)
class DelimitedFormula:
    """A formula in the text of a page.

    Attributes:
        start: where it begins in `Page.text`, with its delimiter.
        stop: where it ends.
        first: the text row where it begins.
        last: the text row where it ends.
        tex: the formula as TeX; ``""`` for an escaped dollar, None for one that shows nothing.
        display: whether it stands on a line of its own.
        source: what it is written in.
    """

    start: int
    stop: int
    first: int
    last: int
    tex: str | None
    display: bool
    source: str = "TeX"


@dataclass(frozen=True, slots=True)
class MathScripts:
    """What the scripts of a page typeset: TeX, TeX between single dollars for certain, AsciiMath."""

    tex: bool = False
    dollars: bool = False
    asciimath: bool = False


def find_math_scripts(page: Page) -> MathScripts:
    """Return what the scripts of a page typeset.

    >>> from tamis.page import parse_page
    >>> find_math_scripts(parse_page('<script src="/mathjax/tex-chtml.js"></script>'))
    MathScripts(tex=True, dollars=False, asciimath=False)
    """
    scripts = page.rows_of("script").tolist()
    urls = " ".join(
        page.attribute_values(scripts, "src") + page.attribute_values(page.rows_of("link").tolist(), "href")
    )
    urls = urls.lower()
    tex, dollars, asciimath = (
        any(word in urls for word in _SIGNS_OF_TEX),
        False,
        any(word in urls for word in _SIGNS_OF_ASCIIMATH),
    )
    for row in scripts:
        source = page.raw_text(row)
        if any(word in source for word in _WORDS):
            tex = True
            dollars |= any(sign in source for sign in _DOLLAR_SETTINGS)
            asciimath |= any(word in source.lower() for word in _SIGNS_OF_ASCIIMATH)
    return MathScripts(tex, dollars, asciimath)


def _typeset(page: Page) -> MathScripts:
    """Return what is typeset in a page: as its scripts say, or as one sure formula between dollars shows."""
    scripts = find_math_scripts(page)
    if scripts.tex or not any(_is_surely_tex(match[0]) for match in _BETWEEN_DOLLARS.finditer(page.text)):
        return scripts
    return replace(scripts, tex=True)


def find_delimited(page: Page, in_formula: Bools) -> list[DelimitedFormula]:
    r"""Return the formulas in the text, in order. `in_formula` are the rows of elements that are formulas.

    >>> from tamis.page import parse_page
    >>> page = parse_page(r"<p>The area \(\pi r^2\) and the price of $5 to $6.")
    >>> [(formula.tex, formula.display) for formula in find_delimited(page, page.is_text & False)]
    [('\\pi r^2', False)]
    """
    text = page.text
    if not any(sign in text for sign in (r"\(", r"\[", "$", r"\begin{", "`", "tex]")):
        return []
    ends = set(page.offset.tolist()) if "$$" in text else set()
    tokens: list[tuple[int, str]] = []
    for match in _TOKEN.finditer(text):
        start = match.start()
        if match[0] == "$$" and start + 1 in ends:  # a dollar that ends a text, and one that begins the next
            tokens += (start, "$"), (start + 1, "$")
        else:
            tokens.append((start, match[0]))
    rows = np.searchsorted(page.offset, [start for start, _ in tokens], side="right") - 1
    left_out = in_formula | (page.hidden > 0) | page.pre
    code = np.flatnonzero(_CODE[page.tag] & page.is_element)
    left_out |= in_subtree(page.end, code)
    ignored = page.select(_IGNORED)
    if ignored:
        left_out |= in_subtree(page.end, np.array(ignored, dtype=np.int64))
    kept = [(start, token, int(row)) for (start, token), row in zip(tokens, rows, strict=True) if not left_out[row]]
    if not kept:
        return []
    scripts = cache(lambda: _typeset(page))  # scripts are long: read only where a formula depends on them
    breaks = prefix_sums(page.is_element & ~_TRANSPARENT[page.tag])
    out: list[DelimitedFormula] = []
    unit: list[tuple[int, str, int]] = []
    for token in checked([*kept, None]):
        if unit and token is not None:
            before, row = unit[-1][2], token[2]
            if page.parent[before] == page.parent[row] and breaks[row] == breaks[before]:
                unit.append(token)
                continue
        if unit:
            out += _match(page, unit, scripts)
        unit = [token] if token is not None else []
    return out


def _match(  # noqa: C901 (one pass over the delimiters)
    page: Page, unit: list[tuple[int, str, int]], scripts: Callable[[], MathScripts]
) -> list[DelimitedFormula]:
    """Return the formulas of a run of text, from its delimiters in order."""
    numbers: dict[str, list[int]] = {}  # of each delimiter
    for number, (_, token, _) in enumerate(unit):
        numbers.setdefault(token, []).append(number)
    out: list[DelimitedFormula] = []
    number = 0
    while number < len(unit):
        check_time()
        start, token, first = unit[number]
        closer = _closer(token)
        places = numbers.get(closer, [])
        at = bisect_right(places, number)
        number += 1
        if token.startswith(_REFERENCES):
            if scripts().tex:
                out.append(DelimitedFormula(start, start + len(token), first, first, token, display=False))
            continue
        if token == _ESCAPED_DOLLAR and not scripts().asciimath:
            if scripts().tex:
                out.append(DelimitedFormula(start, start + 2, first, first, "", display=False))
            continue
        if not closer or at == len(places):
            continue
        closing = places[at]
        if closer != token:
            openers = numbers[token]
            following = bisect_right(openers, number - 1)
            if following < len(openers) and openers[following] < closing:
                continue  # the next one is nearer
        stop, last = unit[closing][0] + len(closer), unit[closing][2]
        content = _content(page, (start + len(token), stop - len(closer)), first, last)
        formula = _accept(token, content, page.text[stop : stop + 1], scripts)
        if formula is not None:
            tex, display = formula
            shown = None if tex in _SHOWS_NOTHING else tex
            source = "AsciiMath" if token in _ASCIIMATH else "TeX"
            out.append(DelimitedFormula(start, stop, first, last, shown, display, source))
            number = closing + 1
    return out


def _closer(token: str) -> str:
    """Return the delimiter that ends what a delimiter begins, or ``""``."""
    if token.startswith(r"\begin"):
        return token.replace("begin", "end")
    if token.startswith(_SHORTCODES):
        return f"[/{token[1:-1].split(maxsplit=1)[0]}]"
    return _CLOSERS.get(token, "")


def _content(page: Page, span: tuple[int, int], first: int, last: int) -> str:
    """Return the text of a span of rows, with a line end for each ``br``."""
    if first == last:
        return page.text[span[0] : span[1]]
    pieces = []
    for row in range(first, last + 1):
        if page.is_text[row]:
            pieces.append(page.text[max(span[0], page.offset[row]) : min(span[1], page.offset[row + 1])])
        elif page.is_element[row]:
            pieces.append("\n")
    return "".join(pieces)


def _accept(  # noqa: PLR0911 (one return per delimiter)
    token: str, content: str, after: str, scripts: Callable[[], MathScripts]
) -> tuple[str, bool] | None:
    """Return the TeX between delimiters and whether it is displayed; None if it is not a formula."""
    if not content.strip() or (token.startswith("$$") and not _HAS_SYMBOL.search(content)):
        return None  # "$$ - $$$" are prices
    if token.startswith(r"\begin"):
        known = token[7:-1].rstrip("*") in _ENVIRONMENTS
        known = known and bool(_TEX_SIGN.search(content) or (scripts().tex and looks_like_tex(content)))
        return (clean_tex(f"{token}{content}{token.replace('begin', 'end')}"), True) if known else None
    if token == "$latex" or token.startswith(_SHORTCODES):  # noqa: S105 (no password)
        return clean_tex(_SHORTCODE_SETTINGS.sub("", content)), "display" in token
    if token in _ASCIIMATH:
        return (asciimath_to_tex(content), False) if scripts().asciimath else None
    if token == _DOLLAR:
        return (clean_tex(content), False) if _is_between_dollars(content, after, scripts) else None
    if not looks_like_tex(content) and not scripts().tex:
        return None
    return clean_tex(content), token in _DISPLAYING


def _is_between_dollars(content: str, after: str, scripts: Callable[[], MathScripts]) -> bool:
    """Tell whether text between single dollars is a formula, and no price."""
    has_tex = _TEX_SIGN.search(content) is not None
    if after.isdigit() or (content[0].isdigit() and not looks_like_tex(content)):
        return False
    if len(content.split()) > _MAX_WORDS and not has_tex:
        return False
    if content[0].isspace() or content[-1].isspace():
        return has_tex and scripts().dollars
    return scripts().tex


def _is_surely_tex(content: str) -> bool:
    r"""Tell whether text has a command or a script that no price, path or name of a variable has.

    >>> [_is_surely_tex(text) for text in (r"\frac{1}{2}", "x_{i}", r"5 off\day", "a_b", r"HOME\bin")]
    [True, True, False, False, False]
    """
    return _COMMAND.search(content) is not None
