"""What a page says of itself, for pages that show nothing.

A page that scripts build has no text of its own, but often tells search engines what it holds: an article's body or a
product's text in JSON-LD, a description in ``meta``. Where that is long enough to be content it stands in for it, and
the extraction says so.
"""

from typing import Any, Final

from tamis.page import Page
from tamis.page.json_ld import linked_data

#: Words. Shorter descriptions advertise a page, longer ones are its first paragraphs: on the held-out pages of WCXB
#: that show nothing, those without content have at most 51, those with content 65 and more.
_FEWEST: Final = 60
_PROPERTIES: Final = ("articleBody", "text", "description", "reviewBody")
_NAMES: Final = frozenset({"description", "og:description", "twitter:description"})
_MOST: Final = 2000  # values of JSON-LD that are looked at


def metadata_fallback(page: Page) -> tuple[str, str] | None:
    """Return the longest text that a page says of itself, and where it says so; None where that is no content.

    >>> from tamis.page import parse_page
    >>> said = "Boil the water, and wait a little. " * 10
    >>> found = metadata_fallback(parse_page(f'<meta property="og:description" content="{said}"><script>build()</script>'))
    >>> found[0][:14], found[1]
    ('Boil the water', 'meta og:description')
    """
    said: list[tuple[str, str]] = []
    for row in page.rows_of("meta").tolist():
        given = page.attributes(row)
        name = (given.get("property") or given.get("name") or "").strip().lower()
        if name in _NAMES:
            said.append((given.get("content", ""), f"meta {name}"))
    rest: list[Any] = [linked_data(page, row) for row in page.rows_of("script").tolist()]
    for _ in range(_MOST):
        if not rest:
            break
        value = rest.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in _PROPERTIES and isinstance(inner, str):
                    said.append((inner, f"json-ld {name}"))
                else:
                    rest.append(inner)
        elif isinstance(value, list):
            rest.extend(value)
    best = max(said, key=lambda pair: len(pair[0]), default=("", ""))
    return best if len(best[0].split()) >= _FEWEST else None
