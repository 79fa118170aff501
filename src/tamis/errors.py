"""All exceptions that Tamis raises, in one tree.

::

    TamisError
    ├── MarkupTypeError        (TypeError)    the page is neither str nor bytes
    ├── OptionError            (ValueError)   an option has an invalid value
    │   ├── EncodingNameError                 unknown character encoding
    │   └── UnknownNameError                  no extractor, format, field or value has this name
    ├── MissingExtraError      (ImportError)  an optional dependency is not installed
    ├── BrowserError           (RuntimeError) Chromium is missing or does not start
    ├── NodeError              (RuntimeError) Node.js is missing, or a JavaScript tool failed
    ├── WorkerStartError       (RuntimeError) worker processes cannot be started
    ├── BusyError                             the service is at capacity; retry later
    ├── BudgetError                           a page exceeds its budget of time or memory
    └── SourceError            (OSError)      a page could not be read
        ├── FetchError                        … over the network
        │   ├── InvalidURLError               invalid URL, or a scheme or port that is not allowed
        │   ├── BlockedURLError               the URL leads to a network that is not allowed
        │   ├── RobotsError                   robots.txt disallows it, and it was to be heeded
        │   ├── FetchTimeoutError             no response in time
        │   └── PageTooLargeError             larger than the limit of bytes
        ├── RenderError                       … because the browser could not render it
        └── CorpusError                       … as a labelled page of a corpus

A page without content is not an error: its `Extraction` is empty and says why.
"""

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def suggestion(name: object, known: "Iterable[str]") -> str:
    """Return the name that was probably meant, as a question, else all names.

    >>> suggestion("titel", ["title", "text"])
    'did you mean title?'
    """
    known = list(known)
    meant = closest_name(name, known)
    return f"there are {', '.join(known)}" if meant is None else f"did you mean {meant}?"


def closest_name(name: object, known: "Iterable[str]") -> str | None:
    """Return the known name that is most similar to another, or None if none is."""
    from difflib import get_close_matches  # noqa: PLC0415 (only for an error)

    similar = get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return similar[0] if similar else None


class TamisError(Exception):
    """The base class of all errors that Tamis raises on purpose."""


class MarkupTypeError(TamisError, TypeError):
    """The page is neither ``str`` nor ``bytes``."""


class OptionError(TamisError, ValueError):
    """An option has an invalid value."""


class EncodingNameError(OptionError):
    """The character encoding is unknown."""


class UnknownNameError(OptionError):
    """No extractor, format, field or value has this name; the message suggests one."""

    @classmethod
    def among(cls, kind: str, name: object, known: "Iterable[str]") -> "UnknownNameError":
        """Return the error for a name that is not one of those that are known.

        >>> print(UnknownNameError.among("format", "markdwon", ["text", "markdown"]))
        no format is named 'markdwon'; did you mean markdown?
        >>> print(UnknownNameError.among("format", 3, ["text", "markdown"]))
        no format is named 3; there are text, markdown
        """
        return cls(f"no {kind} is named {name!r}; {suggestion(name, known)}")


class MissingExtraError(TamisError, ImportError):
    """An optional dependency is missing; the message has the command that installs it.

    >>> str(MissingExtraError.for_module("aiohttp", "fetch"))
    "aiohttp is not installed; install it with: pip install 'tamis[fetch]'"
    """

    @classmethod
    def for_module(cls, module: str, extra: str) -> "MissingExtraError":
        """Return the error for a module that the named extra installs, or for several, separated by commas."""
        are, them = ("are", "them") if "," in module else ("is", "it")
        return cls(f"{module} {are} not installed; install {them} with: pip install 'tamis[{extra}]'")


@contextmanager
def needs_extra(module: str, extra: str) -> "Iterator[None]":
    """Raise a `MissingExtraError` if what is imported in this context is not installed.

    >>> with needs_extra("samovar", "fetch"):
    ...     import samovar
    Traceback (most recent call last):
    tamis.errors.MissingExtraError: samovar is not installed; install it with: pip install 'tamis[fetch]'
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtraError.for_module(module, extra) from error


class BrowserError(TamisError, RuntimeError):
    """Chromium is missing or does not start; the message says how to install it."""


class NodeError(TamisError, RuntimeError):
    """Node.js or npm is missing, or a tool in JavaScript failed or took too long."""


class WorkerStartError(TamisError, RuntimeError):
    """Worker processes cannot be started or prepared."""


class BusyError(TamisError):
    """The service is at capacity; retry later."""


class BudgetError(TamisError):
    """A page exceeds its budget of time or memory."""


class SourceError(TamisError, OSError):
    """A page could not be read."""


class FetchError(SourceError):
    """A page could not be read over the network.

    Attributes:
        http_status: the status that the server returned, if that is the reason.
    """

    http_status: int | None = None


class RenderError(SourceError):
    """The browser could not render a page: too large, too slow, or the browser crashed."""


class InvalidURLError(FetchError):
    """Invalid URL, or a scheme or port that is not allowed."""


class BlockedURLError(FetchError):
    """The URL leads to a network that is not allowed."""


class RobotsError(FetchError):
    """The ``robots.txt`` of the site disallows the page."""


class FetchTimeoutError(FetchError):
    """There was no response in time."""


class PageTooLargeError(FetchError):
    """A page is larger than the limit of bytes."""


class CorpusError(SourceError):
    """A corpus, or a labelled page of one, is missing or broken."""
