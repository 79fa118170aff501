"""Formulas inside attributes and scripts: MathML as text, and the JSON of Substack."""

import json

from tamis.document.detect.formulas.mathml import mathml_to_tex
from tamis.document.detect.formulas.tex import clean_tex
from tamis.page.parse import parse_page


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
