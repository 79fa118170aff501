"""The URL against which the relative URLs of a page are resolved."""

from tamis.html.urls import MAX_URL_CHARS, safe_url, split_url
from tamis.page.columns import Page


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
