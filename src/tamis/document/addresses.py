"""Addresses that are safe to follow: absolute where that can be, and of a scheme that runs nothing."""

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from tamis.page import Page

SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", ""})


def split_address(address: str | None) -> SplitResult | None:
    """Return the parts of an address, or None where there is none, or none that can be read.

    >>> split_address("https://example.org/tea").path, split_address("http://["), split_address("")
    ('/tea', None, None)
    """
    try:
        return urlsplit(address) if address else None
    except ValueError:
        return None


def safe_address(address: str, base: str | None) -> str | None:
    r"""Return an address made absolute, or None when its scheme could run something.

    >>> safe_address("/a?b=1", "https://example.org/x"), safe_address("java\tscript:alert(1)", None)
    ('https://example.org/a?b=1', None)
    """
    address = "".join(char for char in address.strip() if char > "\x1f")  # as browsers read it
    try:
        if base:
            address = urljoin(base, address)
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return None
    return address if scheme in SCHEMES else None


def base_of(page: Page, url: str | None) -> str | None:
    """Return what relative addresses of a page are resolved against: its ``base``, its address, or None.

    >>> from tamis.page import parse_page
    >>> base_of(parse_page('<base href="/docs/">'), "https://example.org/a")
    'https://example.org/docs/'
    """
    for row in page.rows_of("base").tolist():
        href = page.attributes(row).get("href")
        if href:
            base = safe_address(href, url)
            return base if base and urlsplit(base).scheme in {"http", "https"} else url
    return url
