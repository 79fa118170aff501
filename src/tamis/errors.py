"""All exceptions that Tamis raises, in one tree.

::

    TamisError
    ├── MarkupTypeError        (TypeError)    the page is neither str nor bytes
    ├── OptionError            (ValueError)   an option has an invalid value
    │   ├── EncodingNameError                 unknown character encoding
    │   └── UnknownExtractorError             unknown extractor
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
        │   ├── FetchTimeoutError             no response in time
        │   └── PageTooLargeError             larger than the limit of bytes
        ├── RenderError                       … because the browser could not render it
        └── CorpusError                       … as a labelled page of a corpus

A page without content is not an error: its `Extraction` is empty and says why.
"""


class TamisError(Exception):
    """The base class of all errors that Tamis raises on purpose."""


class MarkupTypeError(TamisError, TypeError):
    """The page is neither ``str`` nor ``bytes``."""


class OptionError(TamisError, ValueError):
    """An option has an invalid value."""


class EncodingNameError(OptionError):
    """The character encoding is unknown."""


class UnknownExtractorError(OptionError):
    """The extractor is unknown."""


class MissingExtraError(TamisError, ImportError):
    """An optional dependency is missing; the message has the command that installs it.

    >>> str(MissingExtraError.for_module("aiohttp", "fetch"))
    "aiohttp is not installed; install it with: pip install 'tamis[fetch]'"
    """

    @classmethod
    def for_module(cls, module: str, extra: str) -> "MissingExtraError":
        """Return the error for a module that the named extra installs."""
        return cls(f"{module} is not installed; install it with: pip install 'tamis[{extra}]'")


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
    """A page could not be read over the network."""


class RenderError(SourceError):
    """The browser could not render a page: too large, too slow, or the browser crashed."""


class InvalidURLError(FetchError):
    """Invalid URL, or a scheme or port that is not allowed."""


class BlockedURLError(FetchError):
    """The URL leads to a network that is not allowed."""


class FetchTimeoutError(FetchError):
    """There was no response in time."""


class PageTooLargeError(FetchError):
    """A page is larger than the limit of bytes."""


class CorpusError(SourceError):
    """A corpus, or a labelled page of one, is missing or broken."""
