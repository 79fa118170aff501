"""The URL against which the relative URLs of a page are resolved."""

from urllib.parse import urlsplit

from tamis.html.urls import safe_url
from tamis.page.columns import Page


def base_url(page: Page, url: str | None) -> str | None:
    """Return what relative addresses of a page are resolved against: its ``base``, its address, or None.

    >>> from tamis.page import parse_page
    >>> base_url(parse_page('<base href="/docs/">'), "https://example.org/a")
    'https://example.org/docs/'
    """
    for row in page.rows_of("base").tolist():
        href = page.attributes(row).get("href")
        if href:
            base = safe_url(href, url)
            return base if base and urlsplit(base).scheme in {"http", "https"} else url
    return url
