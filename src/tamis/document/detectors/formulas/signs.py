"""Signs that a page has elements that are formulas: tags, classes, attributes and the URLs of images."""

from typing import Final

import numpy as np

from tamis.html import tags
from tamis.html.attributes import TEX_ATTRIBUTES
from tamis.lazy import lazy_pattern
from tamis.page import Page

ATTRIBUTE_SELECTOR: Final = ",".join(f"[{name}]" for name in TEX_ATTRIBUTES)
#: Attributes that have it in elements of a class.
CLASS_ATTRIBUTES: Final = {"ql-formula": "data-value", "hurmet-tex": "data-entry"}
#: Words in the classes of pages with formulas, in custom tags, and in the URLs of images.
CLASS_PARTS: Final = (
    "math", "katex", "latex", "MathJax", "MJX", "ql-formula", "ql-img", "ltx_eq", "equation", "Wiris",
)  # fmt: skip
CLASS_WORDS: Final = frozenset({"tex", "eq", "formula", "ee_img"})
TAG_WORDS: Final = ("mjx-", "eq", "math-")
URL_WORDS: Final = ("latex", "math", "mimetex", "tex=", "tex2", "/tex", "equation", "cht=tx", "s2cms")
#: Elements that may be formulas.
SELECTOR: Final = (
    "math,.katex,.katex-display,mjx-container,.MathJax,.MathJax_Display,.MathJax_SVG,.MathJax_SVG_Display,"
    ".MathJax_CHTML,.MJXc-display,.MathJax_Preview,.MathJax_MathML,.mwe-math-element,script[type^='math/'],"
    ".math-inline,.math-display,.language-math,[data-math-style],math-renderer,.ql-formula,eq,eqn,img,.latex-rendered,"
    ".katex-error,.hurmet-tex,"
    ".ltx_equation,.ltx_equationgroup,.ltx_eqn_table," + ATTRIBUTE_SELECTOR
)
#: Classes of what MathJax draws.
DRAWN: Final = frozenset({
    "MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display", "MathJax_CHTML", "MJXc-display",
    "MathJax_MathML",
})  # fmt: skip
#: Classes of formulas on a line of their own.
DISPLAY_CLASSES: Final = frozenset({
    "katex-display", "MathJax_Display", "MathJax_SVG_Display", "MJXc-display", "math-display", "js-display-math",
    "ztext-math_block", "display", "block", "mwe-math-element-block", "latex-rendered",
})  # fmt: skip
#: Values of those attributes that are not TeX.
FLAGS: Final = frozenset({"", "true", "false", "1", "0", "inline", "block", "display", "yes", "no"})
#: Classes and tags of elements whose text is TeX.
SOURCE_CLASSES: Final = frozenset({"math-inline", "math-display", "language-math", "js-render-math", "katex-error"})
SOURCE_TAGS: Final = frozenset({"eq", "eqn", "math-renderer"})


_TEX_NAME: Final = lazy_pattern(r"\\[a-zA-Z]{2,}.*(?:[{}^_=]|\\[a-zA-Z]{2,})")


def is_tex_name(alt: str) -> bool:
    r"""Tell whether the alternative text of an image is TeX, whatever service drew it.

    >>> is_tex_name(r"\operatorname{fn}(x) = \exp(x)"), is_tex_name(r"C:\tea\pot"), is_tex_name("Tea")
    (True, False, False)
    """
    return "\\" in alt and ":\\" not in alt and _TEX_NAME.search(alt) is not None


def may_have_formulas(page: Page) -> bool:
    """Tell quickly whether a page may have elements that are formulas, from its tags, classes and attributes."""
    if page.tag_count("math"):
        return True
    types = page.attribute_values(page.rows_of("script").tolist(), "type")
    if any(script_type.startswith("math/") for script_type in types):
        return True
    # All values are joined, and searched for substrings: that is much faster than selectors.
    classes = " ".join(page.class_ids[1])
    if any(part in classes for part in CLASS_PARTS) or not CLASS_WORDS.isdisjoint(classes.split()):
        return True
    images = page.rows_of("img").tolist()
    urls = "\n".join(url for url in page.attribute_values(images, "src") if not url.startswith("data:"))
    if any(word in urls for word in URL_WORDS) or any(map(is_tex_name, page.attribute_values(images, "alt"))):
        return True
    custom = np.flatnonzero((page.tag == tags.OTHER) & page.is_element).tolist()
    if any(page.tag_name(row).startswith(TAG_WORDS) for row in custom):
        return True
    return bool(page.elements(ATTRIBUTE_SELECTOR))
