"""Everything Tamis raises, in one tree.

::

    TamisError
    ├── MarkupTypeError        (TypeError)    the page is neither str nor bytes
    ├── OptionError            (ValueError)   an option has a value it cannot have
    │   ├── EncodingNameError                 no such character encoding
    │   └── UnknownExtractorError             no extractor of that name
    ├── MissingExtraError      (ImportError)  an optional dependency is not installed
    ├── BrowserError           (RuntimeError) there is no Chromium, or it does not start
    ├── WorkerStartError       (RuntimeError) worker processes cannot be started
    ├── BusyError                             the service has enough to do; ask again later
    ├── BudgetError                           a page needs more time or memory than it may have
    └── SourceError            (OSError)      a page could not be read
        ├── FetchError                        … over the network
        │   ├── InvalidURLError                  the address is none, or of a scheme or port that is not read
        │   ├── BlockedURLError         it leads where connections are not allowed to
        │   └── FetchTimeoutError             no answer in time
        ├── RenderError                       … or could not be drawn by the browser
        └── CorpusError                       … as a labelled page of a corpus

A page without content is not an error: its `Extraction` is empty and says why.
"""


class TamisError(Exception):
    """The root of every error that Tamis raises on purpose."""


class MarkupTypeError(TamisError, TypeError):
    """The page is neither ``str`` nor ``bytes``."""


class OptionError(TamisError, ValueError):
    """An option has a value that it cannot have."""


class EncodingNameError(OptionError):
    """No character encoding has that name."""


class UnknownExtractorError(OptionError):
    """No extractor has that name."""


class MissingExtraError(TamisError, ImportError):
    """An optional dependency is missing; the message has the command that installs it.

    >>> str(MissingExtraError.for_module("aiohttp", "fetch"))
    "aiohttp is not installed; get it with: pip install 'tamis[fetch]'"
    """

    @classmethod
    def for_module(cls, module: str, extra: str) -> "MissingExtraError":
        """Return the error for a module that the named extra would have brought."""
        return cls(f"{module} is not installed; get it with: pip install 'tamis[{extra}]'")


class BrowserError(TamisError, RuntimeError):
    """There is no Chromium, or it does not start; the message says how to get it."""


class WorkerStartError(TamisError, RuntimeError):
    """Worker processes cannot be started or prepared."""


class BusyError(TamisError):
    """The service has enough to do; ask again later."""


class BudgetError(TamisError):
    """A page needs more time or memory than it may have."""


class SourceError(TamisError, OSError):
    """A page could not be read."""


class FetchError(SourceError):
    """A page could not be read over the network."""


class RenderError(SourceError):
    """A page could not be drawn by the browser: too large, too slow, or it crashed it."""


class InvalidURLError(FetchError):
    """An address is none, or of a scheme or port that is not read."""


class BlockedURLError(FetchError):
    """An address leads where connections are not allowed to."""


class FetchTimeoutError(FetchError):
    """A page did not come in time."""


class CorpusError(SourceError):
    """A corpus, or a labelled page of one, is missing or broken."""
