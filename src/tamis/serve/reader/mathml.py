"""TeX as MathML, which browsers draw without a script. What latex2mathml does not understand is left as TeX.

ADR 0019 has the comparison with the parser that stood here.
"""

import re
from html import unescape
from typing import Final
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

_UNREAD: Final = re.compile(r"\\[A-Za-z]|^&$")  #: what the library writes for what it does not know
#: The library writes the cells of these as text, and those of ``align*`` as a table.
_ALIGNED: Final = re.compile(r"\\(begin|end)\{(?:align|aligned|alignedat|split|gathered|gather\*?)\}")
#: Brackets and cells as one group, which a script may follow: ``\\begin{bmatrix} … \\end{bmatrix}^{-1}``.
_MATRIX: Final = re.compile(r"\\begin\{([a-zA-Z]?matrix)\}(?:(?!\\begin\{).)*?\\end\{\1\}", re.DOTALL)
_MAX_CHARS: Final = 5000
_MAX_BRACES: Final = 200  #: the library is recursive; deeper groups than its stack allows are left as TeX
_TAGS: Final = (
    "math mi mn mo mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover "
    "munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd menclose"
)
#: Attributes that neither link, nor run, nor style by a sheet.
_ATTRIBUTES: Final = (
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height largeop "
    "linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace "
    "scriptlevel separator side stretchy symmetric voffset width"
)
#: Elements that need a number of children; TeX that ends too early leaves them with fewer.
_CHILDREN: Final = {
    "mfrac": 2,
    "mroot": 2,
    "msub": 2,
    "msup": 2,
    "munder": 2,
    "mover": 2,
    "msubsup": 3,
    "munderover": 3,
}
_ALLOWED_TAGS, _ALLOWED_ATTRIBUTES = frozenset(_TAGS.split()), frozenset(_ATTRIBUTES.split())


def to_mathml(tex: str, *, display: bool = False) -> str | None:
    r"""Return a formula as a ``math`` element, or None if something in it is not understood or not harmless.

    >>> to_mathml(r"x^2 < \text{<b>}")
    '<math><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><mtext>&lt;b&gt;</mtext></mrow></math>'
    >>> to_mathml(r"\unknown{x}") is None, to_mathml(r"\href{javascript:x}{y}") is None
    (True, True)
    """
    if len(tex) > _MAX_CHARS or tex.count("{") > _MAX_BRACES or tex.count("\\left") > _MAX_BRACES:
        return None
    tex = _MATRIX.sub(r"{\g<0>}", _ALIGNED.sub(r"\\\1{align*}", tex))
    try:
        math = convert_to_element(tex, display="block" if display else "inline")
    except Exception:  # noqa: BLE001 (it raises whatever it stumbles over in invalid TeX)
        return None
    math.attrib = {"display": "block"} if display else {}
    if not all(map(_is_safe, math.iter())) or not any(element.text for element in math.iter()):
        return None
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _is_safe(element: Element) -> bool:
    """Return whether an element is one of MathML's own with plain text, which it gets unescaped."""
    element.text = unescape(element.text) if element.text else None
    known = element.tag in _ALLOWED_TAGS and _ALLOWED_ATTRIBUTES.issuperset(element.attrib) and not element.tail
    is_whole = len(element) == _CHILDREN.get(element.tag, len(element))
    return known and is_whole and _UNREAD.search(element.text or "") is None
