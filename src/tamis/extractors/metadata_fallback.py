"""Text from a page's metadata and from the data of its scripts, for pages that show no content.

A page that scripts build has no text in its HTML, but often describes itself to search engines: an article's body or
a product's description in JSON-LD, a description in ``meta``. Or it has its content as data for its scripts
(`tamis.extractors.script_text`). If that text is long enough to be content, it replaces the missing content, and the
extraction says so.
"""

from typing import Any, Final

from tamis.extractors.script_text import script_text
from tamis.page import Page
from tamis.page.json_ld import parse_json_ld

#: Shorter descriptions advertise a page, longer ones are its first paragraphs: on the held-out pages of WCXB that
#: show nothing, those without content have at most 51 words, those with content 65 and more.
_MIN_WORDS: Final = 60
#: Data of scripts has more that is no content: the page of WCXB that shows nothing and has none brings 89 words.
_MIN_SCRIPT_WORDS: Final = 120
#: A page with fewer words, and with data of eight times as many, shows a message or a menu until its script runs.
_LITTLE_SHOWN, _TIMES_SHOWN = 60, 8
_JSON_LD_PROPERTIES: Final = ("articleBody", "text", "description", "reviewBody")
_META_NAMES: Final = frozenset({"description", "og:description", "twitter:description"})
_MAX_JSON_VALUES: Final = 2000  #: JSON-LD values that are visited


def metadata_fallback(page: Page, *, has_content: bool = False) -> tuple[str, str] | None:
    """Return the longest text in a page's metadata or scripts and its source, or None if it is too short.

    A page that has content has a fallback only if it shows next to nothing beside what its scripts have.

    >>> from tamis.page import parse_page
    >>> text = "Boil the water, and wait a little. " * 40
    >>> page = parse_page(f'<meta property="og:description" content="{text}"><script>build()</script>')
    >>> fallback, source = metadata_fallback(page)
    >>> fallback[:14], source
    ('Boil the water', 'meta og:description')
    >>> data = '<script type="application/json">{"body": "' + text + '"}</script>'
    >>> metadata_fallback(parse_page(f"<p>Loading …</p>{data}"), has_content=True)[1]
    'data of a script'
    """
    shown = int(page.words[page.shown].sum()) if has_content else 0
    if has_content and (shown >= _LITTLE_SHOWN or not page.tag_count("script")):
        return None
    in_script = script_text(page)
    script_words = len(in_script.split())
    if has_content and script_words < max(_MIN_SCRIPT_WORDS, _TIMES_SHOWN * shown):
        return None
    candidates = _metadata_texts(page)
    if script_words >= _MIN_SCRIPT_WORDS:
        candidates.append((in_script, "data of a script"))
    longest = max(candidates, key=lambda pair: len(pair[0]), default=("", ""))
    return longest if len(longest[0].split()) >= _MIN_WORDS else None


def _metadata_texts(page: Page) -> list[tuple[str, str]]:
    """Return the texts in ``meta`` elements and JSON-LD, with their sources."""
    candidates: list[tuple[str, str]] = []
    for row in page.rows_of("meta").tolist():
        attributes = page.attributes(row)
        name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
        if name in _META_NAMES:
            candidates.append((attributes.get("content", ""), f"meta {name}"))
    stack: list[Any] = [parse_json_ld(page, row) for row in page.rows_of("script").tolist()]
    for _ in range(_MAX_JSON_VALUES):
        if not stack:
            break
        value = stack.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in _JSON_LD_PROPERTIES and isinstance(inner, str):
                    candidates.append((inner, f"json-ld {name}"))
                else:
                    stack.append(inner)
        elif isinstance(value, list):
            stack.extend(value)
    return candidates
