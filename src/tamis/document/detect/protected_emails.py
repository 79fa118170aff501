"""E-mail addresses that Cloudflare hides from harvesters: decode them, as its script does in a browser.

The address is in hexadecimal digits. The first byte is a key, every other byte a character XOR that key.
"""

from typing import Final

import numpy as np

from tamis.page import Page

_PATH: Final = "/cdn-cgi/l/email-protection"


def decode_email(digits: str) -> str:
    """Return the address in hexadecimal digits; ``""`` if there is none.

    >>> decode_email("422736022736236c2b2d"), decode_email("tea")
    ('et@eta.io', '')
    """
    try:
        key, *encoded = bytes.fromhex(digits.strip())
        address = bytes(byte ^ key for byte in encoded).decode()
    except ValueError:
        return ""
    is_address = "@" in address and address.isprintable() and not any(char in " <>" for char in address)
    return address if is_address else ""


def protected_emails(page: Page) -> dict[int, str]:
    """Return what text rows of protected addresses say: the address at the first row, nothing at the others.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Ask <span data-cfemail="422736022736236c2b2d">[email&nbsp;protected]</span>')
    >>> list(protected_emails(page).values())
    ['et@eta.io']
    """
    out: dict[int, str] = {}
    for row, digits in page.attribute("data-cfemail").items():
        address = decode_email(digits)
        if address:
            rows = (np.flatnonzero(page.is_text[row : page.end[row]]) + row).tolist()
            out.update(dict.fromkeys(rows, ""))
            if rows:
                out[rows[0]] = address
    return out


def unprotected_url(href: str, digits: str | None = None) -> str:
    """Return the ``mailto:`` URL of a link to a protected address, and any other URL as it is.

    >>> unprotected_url("/cdn-cgi/l/email-protection#422736022736236c2b2d"), unprotected_url("/tea")
    ('mailto:et@eta.io', '/tea')
    """
    path, _, fragment = href.partition("#")
    if not path.endswith(_PATH):
        return href
    query = fragment.partition("?")[2]
    address = decode_email(fragment.partition("?")[0]) or decode_email(digits or "")
    return f"mailto:{address}" + (f"?{query}" if query else "") if address else ""
