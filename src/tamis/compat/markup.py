"""Pages as other packages accept them, and a warning for keywords without effect."""

import re
import warnings
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from inspect import currentframe
from typing import Final

from tamis.page import parse_page
from tamis.sources.fetched import Fetched

# Say once which keywords of another package have no effect.

_WARNED: Final[set[tuple[str, str]]] = set()


def warn_ignored(package: str, **keywords: object) -> None:
    """Warn of each keyword that is set and has no effect, once per process; false values are not set.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_ignored("example", speed=9, colour=None)
    ...     warn_ignored("example", speed=9)
    >>> [str(warning.message) for warning in caught]
    ["tamis.compat.example: 'speed' has no effect here (docs/migration.md)"]
    """
    for name, value in keywords.items():
        if not value or (package, name) in _WARNED:
            continue
        _WARNED.add((package, name))
        message = f"tamis.compat.{package}: {name!r} has no effect here (docs/migration.md)"
        warnings.warn(message, UserWarning, stacklevel=_caller_level())


def _caller_level() -> int:
    """Return the `stacklevel` of the first caller outside `tamis.compat`, whose line the warning should show."""
    level, frame = 0, currentframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith("tamis.compat."):
        level, frame = level + 1, frame.f_back
    return level


# Pages as other packages accept them: strings, bytes, responses and parsed trees.

_TAG: Final = re.compile("<[!/?A-Za-z]")
_TAG_BYTES: Final = re.compile(b"<[!/?A-Za-z]")


def read_markup(value: object) -> str | bytes:
    """Return the HTML of what another package accepts as a page; anything else is a `TypeError`.

    Besides strings and bytes these are responses with their body in ``data``, elements of lxml and trees of
    Resiliparse.

    >>> read_markup(bytearray(b"<p>Tea"))
    b'<p>Tea'
    """
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, Fetched):
        return decode(value.body, value.encoding)
    if isinstance(body := getattr(value, "data", None), (str, bytes)):
        return body
    if hasattr(value, "getroottree") or hasattr(value, "getroot"):  # an element or a tree of lxml
        markup: str = import_module("lxml.html").tostring(value, encoding="unicode")
        return markup
    if hasattr(value, "create_element") and hasattr(value, "body"):  # a tree of Resiliparse
        return str(value)
    raise TypeError("incompatible input type", type(value))


def has_tag(markup: str | bytes) -> bool:
    """Return whether there is a tag: some packages find nothing in plain text.

    >>> has_tag("a < b, b > c"), has_tag(b"<p>Tea")
    (False, True)
    """
    return bool(_TAG.search(markup) if isinstance(markup, str) else _TAG_BYTES.search(markup))


def lxml_error(name: str, error: Exception) -> Exception:
    """Return an error that is also lxml's error of that name where lxml is installed, so that callers catch either.

    >>> isinstance(lxml_error("ParserError", ValueError("Document is empty")), ValueError)
    True
    """
    if not find_spec("lxml"):
        return error
    bases = (getattr(import_module("lxml.etree"), name), type(error))
    both: Exception = type(type(error).__name__, bases, {})(str(error))
    return both


def decode(body: bytes, encoding: str | None = None) -> str:
    """Return bytes as text, decoded as browsers do.

    >>> decode("<p>Thé".encode("iso-8859-1"), "iso-8859-1")
    '<p>Thé'
    """
    name = parse_page(body, encoding=encoding).encoding or "utf-8"
    try:
        return body.decode(name, "replace")
    except LookupError:  # an encoding of the web that Python has under no name
        return body.decode("utf-8", "replace")


def remove_elements(markup: str | bytes, *, css: Iterable[str] = (), xpath: Iterable[str] = ()) -> str:
    """Return the page without the elements that the selectors match; an invalid selector is a `ValueError`.

    >>> remove_elements("<p>Tea</p><div class=ad>Buy</div>", css=[".ad"])
    '<html><head></head><body><p>Tea</p></body></html>'
    """
    document = parse_page(markup).document
    for selector in css:
        for element in document.select(selector):
            element.decompose()
    for path in xpath:
        found = document.xpath(path)
        for node in found if isinstance(found, list) else ():
            if hasattr(node, "decompose"):
                node.decompose()
    return document.html
