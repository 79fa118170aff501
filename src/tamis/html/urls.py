"""Addresses that are safe to follow: absolute where that can be, and of a scheme that runs nothing."""

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", ""})


def split_url(address: str | None) -> SplitResult | None:
    """Return the parts of an address, or None where there is none, or none that can be read.

    >>> split_url("https://example.org/tea").path, split_url("http://["), split_url("")
    ('/tea', None, None)
    """
    try:
        return urlsplit(address) if address else None
    except ValueError:
        return None


def safe_url(address: str, base: str | None) -> str | None:
    r"""Return an address made absolute, or None when its scheme could run something.

    >>> safe_url("/a?b=1", "https://example.org/x"), safe_url("java\tscript:alert(1)", None)
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
