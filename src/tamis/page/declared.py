"""What a page declares in its markup: the URL that relative URLs begin with, and JSON-LD."""

import json
from typing import Any, Final

from tamis.html.text import replace_json_surrogates
from tamis.html.urls import MAX_URL_CHARS, safe_url, split_url
from tamis.lazy import lazy_pattern
from tamis.page.columns import Page

# The URL against which the relative URLs of a page are resolved.


def base_url(page: Page, url: str | None) -> str | None:
    """Return the URL of the page's ``base`` element if it has a usable one, else the page's own URL.

    >>> from tamis.page import parse_page
    >>> base_url(parse_page('<base href="/docs/">'), "https://example.org/a")
    'https://example.org/docs/'
    """
    if url is not None and len(url) > MAX_URL_CHARS:
        url = None
    for row in page.rows_of("base").tolist():
        href = page.attributes(row).get("href")
        if href:
            base = safe_url(href, url)
            parts = split_url(base)
            return base if parts and parts.scheme in {"http", "https"} else url
    return url


# The JSON-LD of a page, as plain values.

_TRAILING_COMMA: Final = lazy_pattern(r",\s*([}\]])")


def parse_json_ld(page: Page, row: int) -> list[Any]:
    """Return the value of a JSON-LD script in a list, or an empty list if the script is not valid JSON-LD.

    Line breaks inside strings and trailing commas are accepted.
    """
    media_type = page.attribute_of(row, "type")
    if media_type is None or media_type.partition(";")[0].strip().lower() != "application/ld+json":
        return []
    text = replace_json_surrogates(page.raw_text(row))
    for repaired in (False, True):  # commas are removed only where the text is invalid as it stands
        try:
            return [json.loads(_TRAILING_COMMA.sub(r"\1", text) if repaired else text, strict=False)]
        except (ValueError, RecursionError):
            continue
    return []
