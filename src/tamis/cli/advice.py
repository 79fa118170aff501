"""What to try when a page gave little: it needs a browser, is another kind of file, or the server wants something."""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tamis.errors import FetchError
from tamis.lazy import lazy_pattern

if TYPE_CHECKING:
    from tamis.api import Extraction

#: What the answers of servers mean to a person (RFC 9110, RFC 6585).
_STATUSES: Final = {
    401: "the page needs a login: give --header 'Authorization: …', or the --cookie of your browser",
    403: "the site refuses programs, or the page needs a login; try --user-agent, the --cookie of your browser, or "
    "--render always",
    404: "there is no such page",
    410: "the page is gone",
    429: "the site wants fewer requests; try again later",
    451: "the page is withheld for legal reasons where you are",
    503: "the site is overloaded, or tests whether you are a person; try again later, or --render always",
}
#: Hosts and paths that sites redirect to until a visitor has agreed to something.
_CONSENT: Final = lazy_pattern(
    r"^consent\b|\bconsent\.|/(cookie[-_]?)?consents?\b|/(gdpr|privacy)[-_](wall|gate)", re.IGNORECASE
)
_OTHER_FILES: Final = {"a PDF document": "save it and convert it first, for example with pdftotext or Docling"}


def advise_after_error(error: Exception) -> str | None:
    """Return what the status of a response means, and what to try.

    >>> error = FetchError("the server returned 404 Not Found")
    >>> error.http_status = 404
    >>> advise_after_error(error)
    'there is no such page'
    """
    return _STATUSES.get(error.http_status or 0) if isinstance(error, FetchError) else None


def advise(extraction: "Extraction", asked: str, arrived: str | None, *, is_rendered: bool) -> str | None:
    """Return what to try for a page whose content looks wrong; None if nothing seems wrong.

    Args:
        extraction: what the page gave.
        asked: the name of the page on the command line.
        arrived: the URL that it came from, after redirects.
        is_rendered: whether a browser has rendered it.
    """
    from tamis.browser.scripted import needs_browser  # noqa: PLC0415 (loads NumPy)

    binary = extraction.page.binary_type
    if binary is not None:
        return f"this is {binary}: {_OTHER_FILES.get(binary, 'Tamis reads HTML')}"
    if arrived is not None and arrived != asked and is_consent_wall(arrived) and not is_consent_wall(asked):
        host = urlsplit(arrived).hostname
        return f"the site asks for consent first, at {host}: give the --cookie that your browser has after agreeing"
    if not is_rendered and needs_browser(extraction):
        return "this page is built by scripts: try --render"
    return None


def advise_for_file(extraction: "Extraction") -> str | None:
    """Return what to try for a file without content; None if scripts do not build it."""
    from tamis.browser.scripted import needs_browser  # noqa: PLC0415 (loads NumPy)

    if not needs_browser(extraction):
        return None
    return "this page is built by scripts: try --render, and --allow-network if they load its content"


def is_consent_wall(url: str) -> bool:
    """Return whether a URL is where sites ask for consent.

    >>> is_consent_wall("https://consent.example.com/m?continue=x"), is_consent_wall("https://example.com/tea")
    (True, False)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return _CONSENT.search(f"{parts.hostname or ''}{parts.path}") is not None
