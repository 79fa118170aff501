"""Callouts by name: what the attributes of a box say about its type.

GitHub, Obsidian, Docusaurus, Hugo, Jekyll, Bootstrap, MkDocs, Sphinx, VitePress, Starlight, Quarto, Asciidoctor,
Confluence, MDN and Microsoft have a word for the box (`_BOXES`) and a word for its type (`TYPES`), in one class or in
two.
"""

import re
from typing import Final

from tamis.lazy import lazy_pattern

_BOXES: Final = lazy_pattern(
    r"(?:^|-)(?:admonition|admonitionblock|alert|callout|notecard|custom-block|hint|notices?|starlight-aside|"
    r"information-macro|blockquote-tag|prompt)(?:$|-)",
    re.IGNORECASE,
)
_TYPE_NAMES: Final = """
    note info tip hint important warning caution danger error attention success question bug example abstract summary
    todo failure seealso faq check help tldr primary secondary light dark neutral quote cite
"""
TYPES: Final = frozenset(_TYPE_NAMES.split())
#: Colours of Bootstrap's alerts, which say only that it is one.
COLOURS: Final = frozenset({"primary", "secondary", "light", "dark", "neutral"})
_BOXES_AND_TYPES: Final = frozenset({"hint"})  #: a word for the box of one tool, and for a type of another
_WHOLE: Final = frozenset({"callout", "admonition", "notecard", "custom-block"})  #: boxes without a type
_SEPARATORS: Final = lazy_pattern(r"[-_]+")
#: Attributes beside the class of a box that name its type.
_TYPE_ATTRIBUTES: Final = ("data-type", "data-variant", "data-kind", "data-severity", "data-level", "type", "variant")


def names_box(classes: str) -> bool:
    """Tell whether a ``class`` has a word for a box.

    >>> names_box("my-alert wide"), names_box("alertness")
    (True, False)
    """
    return any(_BOXES.search("-".join(_SEPARATORS.split(word.lower()))) for word in classes.split())


def callout_type(attributes: dict[str, str]) -> tuple[str, bool]:
    """Return the type of callout that attributes name, or ``""``, and whether they say that it is a box.

    >>> callout_type({"class": "markdown-alert markdown-alert-warning"}), callout_type({"class": "note"})
    (('warning', True), ('note', False))
    >>> callout_type({"class": "alert alert-primary"}), callout_type({"class": "alert-list"})
    (('note', True), ('', True))
    >>> callout_type({"class": "hint hint-warning"})[0], callout_type({"class": "admonition hint"})[0]
    ('warning', 'hint')
    """
    declared = attributes.get("data-callout-type") or attributes.get("data-callout") or ""
    if declared and declared != "true":
        return declared.lower(), True
    if "data-callout" in attributes:
        return "note", True
    words = attributes.get("class", "").split()
    found = ""
    for word in words:
        parts = _SEPARATORS.split(word.lower())
        before = "-".join(parts[:-1])
        if parts[-1] in TYPES and (before in {"", "is"} or _BOXES.search(before)):
            found = parts[-1] if not found or found in COLOURS or found in _BOXES_AND_TYPES else found
    box = names_box(attributes.get("class", ""))
    if not found and box:
        found = next((value for name in _TYPE_ATTRIBUTES if (value := attributes.get(name, "").lower()) in TYPES), "")
    if not found:
        is_box = any(word in _WHOLE or word.endswith(("-callout", "-callout-card")) for word in words)
        found = "note" if attributes.get("role") == "alert" or is_box else ""
        return found or (attributes.get("data-type", "") if attributes.get("data-type", "") in TYPES else ""), True
    return "note" if found in COLOURS else found, box
