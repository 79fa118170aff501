"""The last step before a browser sees HTML: nh3 with an explicit list of what may be there, and nothing else.

The document model has let nothing through that runs; this does not rely on it. There is no svg, math, style, form,
frame or media in the list, and no attribute that any of them would need.
"""

import re
from typing import Final

from tamis.errors import MissingExtraError

_NAMES: Final = """
    a abbr article b blockquote br caption code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins
    li mark ol p pre q rp rt ruby s section small span strong sub sup table tbody td tfoot th thead tr ul
"""
_TAGS: Final = frozenset(_NAMES.split())
_ATTRIBUTES: Final = {
    "a": {"href", "id"},
    "article": {"data-author", "data-date", "data-level"},
    "blockquote": {"cite"},
    "div": {"id", "dir", "lang"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_CLASSES: Final = {"p": {"verse", "math"}, "span": {"math"}, "div": {"footnote"}, "article": {"post"}}
_ROLES: Final = {"a": {"role": {"doc-noteref", "doc-backlink"}}}
#: What is in these goes with them; other unknown tags leave their text behind.
_WITH_TEXT: Final = frozenset({"script", "style", "template", "noscript", "iframe", "object", "title", "textarea"})
_NOTE: Final = re.compile(r"#?fn(?:ref)?-[^\s\"'<>]{1,80}")
_WEB: Final = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_CALL: Final = re.compile(r"(?:mailto|tel):", re.IGNORECASE)


def _allowed(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, or None where it may not be there."""
    if name == "id":
        return value if _NOTE.fullmatch(value) else None
    if name in {"src", "cite"}:
        return value if _WEB.match(value) else None
    if name == "href" and tag == "a":
        return value if _WEB.match(value) or _CALL.match(value) or _NOTE.fullmatch(value) else None
    return value


def clean(html: str, rel: str | None = "noopener noreferrer") -> str:
    """Return HTML with nothing but what is allowed. Pictures load when they come near.

    Links tell nobody whence; `rel` can be None where the page's headers see to that.

    >>> clean('<p onclick="x()">Tea<script>y()</script><svg onload=z()>')
    '<p>Tea</p>'
    """
    try:
        import nh3  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("nh3", "serve") from error
    return nh3.clean(
        html,
        tags=set(_TAGS),
        clean_content_tags=set(_WITH_TEXT),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_allowed,
        allowed_classes=_CLASSES,
        tag_attribute_values=_ROLES,
        set_tag_attribute_values={"img": {"loading": "lazy", "decoding": "async"}},
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel=rel,
        strip_comments=True,
    )
