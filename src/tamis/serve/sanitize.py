"""The last step before a browser sees HTML: nh3 with an explicit allow-list.

The document model lets nothing through that runs; this step does not rely on it. The list has no svg, math, style,
form, frame or media elements, and no attribute that any of them needs.
"""

import re
from typing import Final

from tamis.errors import MissingExtraError

_TAG_NAMES: Final = """
    a abbr article b blockquote br caption code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins
    li mark ol p pre q rp rt ruby s section small span strong sub sup table tbody td tfoot th thead tr ul
"""
_TAGS: Final = frozenset(_TAG_NAMES.split())
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
_CLASSES: Final = {
    "p": {"verse", "math", "callout-title", "byline"},
    "span": {"math"},
    "div": {"footnote", "callout"},
    "article": {"post"},
}
_ROLES: Final = {"a": {"role": {"doc-noteref", "doc-backlink"}}}
#: Tags that are removed with their content. Other tags that are not allowed leave their content behind.
_REMOVED_WITH_CONTENT: Final = frozenset(
    {"script", "style", "template", "noscript", "iframe", "object", "title", "textarea"}
)
_FOOTNOTE_ID: Final = re.compile(r"#?fn(?:ref)?-[^\s\"'<>]{1,80}")
_WEB_URL: Final = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_CONTACT_URL: Final = re.compile(r"(?:mailto|tel):", re.IGNORECASE)


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, or None to remove it."""
    if name == "id":
        return value if _FOOTNOTE_ID.fullmatch(value) else None
    if name in {"src", "cite"}:
        return value if _WEB_URL.match(value) else None
    if name == "href" and tag == "a":
        allowed = _WEB_URL.match(value) or _CONTACT_URL.match(value) or _FOOTNOTE_ID.fullmatch(value)
        return value if allowed else None
    return value


def sanitize(html: str, rel: str | None = "noopener noreferrer") -> str:
    """Return HTML with nothing but what is allowed. Images load lazily.

    Args:
        html: the HTML.
        rel: the ``rel`` of all links; None where the page's headers keep the referrer back.

    >>> sanitize('<p onclick="x()">Tea<script>y()</script><svg onload=z()>')
    '<p>Tea</p>'
    """
    try:
        import nh3  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("nh3", "serve") from error
    return nh3.clean(
        html,
        tags=set(_TAGS),
        clean_content_tags=set(_REMOVED_WITH_CONTENT),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_filter_attribute,
        allowed_classes=_CLASSES,
        tag_attribute_values=_ROLES,
        set_tag_attribute_values={"img": {"loading": "lazy", "decoding": "async"}},
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel=rel,
        strip_comments=True,
    )
