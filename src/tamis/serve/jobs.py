"""What the server sends to its worker processes. The server never loads the parser or NumPy: only workers do."""

from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlencode

from tamis.render.registry import Format
from tamis.serve.display_settings import DISPLAY_SETTINGS
from tamis.serve.pages import SANDBOX_POLICY

#: Outputs other than formats. ``reader``: a page to read. ``markdown``: Markdown with front matter, or the links of
#: an index page. ``extractors`` and ``schema``: the list of extractors and the JSON schema of results, for which the
#: page is not read.
View = Literal["reader", "markdown", "extractors", "schema"]


@dataclass(frozen=True, slots=True)
class ReaderPrefs:
    """How a client wants to read a page.

    Attributes:
        text_only: without images.
        display: display settings that differ from the default, or that the client gave: ``{"size": "l"}``.
    """

    text_only: bool = False
    display: dict[str, str] = field(default_factory=dict)

    def reader_url(self, url: str, **params: str) -> str:
        """Return the URL of the reader for a page, with these display settings.

        >>> ReaderPrefs(display={"size": "l"}).reader_url("https://e.org/?a=1")
        '/read?url=https%3A%2F%2Fe.org%2F%3Fa%3D1&size=l'
        """
        defaults = {setting.name: setting.default for setting in DISPLAY_SETTINGS}
        display = {name: value for name, value in self.display.items() if value != defaults[name]}
        return "/read?" + urlencode({"url": url, **display, **params}, quote_via=quote, errors="replace")


@dataclass(frozen=True, slots=True)
class Job:
    """A page, and what to make of it.

    Attributes:
        html: the page.
        output: a format or a view. A format travels with the job, so that workers know formats that the server's
            program has registered; its writer must be picklable.
        url: the page's URL, if it has one.
        encoding: the character encoding from the HTTP header.
        options: keywords of `tamis.extract`.
        prefs: how the reader shows the page.
    """

    html: str | bytes
    output: Format | View
    url: str | None = None
    encoding: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    prefs: ReaderPrefs = field(default_factory=ReaderPrefs)


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a client gets.

    Attributes:
        body: the body of the response.
        content_type: its ``Content-Type``.
        policy: its ``Content-Security-Policy``.
        empty_reason: why the page has no content, if it has none.
    """

    body: bytes
    content_type: str
    policy: str = SANDBOX_POLICY
    empty_reason: str | None = None


def run(job: Job) -> JobResult:
    """Do a job, in a worker process."""
    from tamis.serve.job_runner import run_job  # noqa: PLC0415 (loads the parser and NumPy)

    return run_job(job)


def prepare() -> None:
    """Load everything that a page needs, so that the first page does not wait for it."""
    page = "<title>Tea</title><article><h1>Tea</h1><p>" + "Water just off the boil, and three minutes. " * 9
    run(Job(page, "reader", "https://example.org/"))
