"""What the server sends to its worker processes. The server never loads the parser or NumPy: only workers do."""

import json
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from tamis.browser.modes import RenderMode
from tamis.render.registry import Format
from tamis.serve.reader.preferences import DEFAULTS

COMMON_DIRECTIVES: Final = "base-uri 'none'; frame-ancestors 'none'"
#: The Content-Security-Policy of everything that is not a page of the service: nothing may load and nothing may run.
SANDBOX_POLICY: Final = f"default-src 'none'; {COMMON_DIRECTIVES}; form-action 'none'; sandbox"

#: Outputs other than formats. ``reader``: a page to read. ``explain``: why its blocks were kept. ``markdown``:
#: Markdown with front matter. ``bundle``: JSON with several formats. ``parts``: Markdown in parts for language
#: models. ``feed``: the entries of a feed. For the others no page is read.
#: ``extractors`` and ``schema``: the list of extractors and the JSON schema of results. ``request``: a large JSON
#: body, parsed. ``ping``: nothing.
View = Literal["reader", "explain", "markdown", "bundle", "parts", "feed", "extractors", "schema", "request", "ping"]
#: What a bundle can have.
BUNDLE_NAMES: Final = ("markdown", "html", "text", "xml", "metadata", "links", "images", "warnings")


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How a page is fetched.

    Attributes:
        headers: request headers for the page's server.
        timeout: seconds for the page in total: fetching and extracting.
        max_age: seconds that a cached response may be old; 0 uses none.
        no_store: do not store the response.
        render: whether Chromium renders the page: ``auto`` if the page has no content without its scripts.
    """

    headers: dict[str, str] = field(default_factory=dict)
    timeout: float | None = None
    max_age: float | None = None
    no_store: bool = False
    render: RenderMode = "never"


@dataclass(frozen=True, slots=True)
class ReaderPrefs:
    """How a client wants to read a page.

    Attributes:
        text_only: without images.
        reader_links: links lead to the reader, not to the pages themselves.
        display: display settings that differ from the default, or that the client gave: ``{"size": "l"}``.
        in_url: names of settings that the URL of the page has, and that its links keep.
    """

    text_only: bool = False
    reader_links: bool = False
    display: dict[str, str] = field(default_factory=dict)
    in_url: tuple[str, ...] = ()

    def reader_url(self, url: str, **params: str) -> str:
        """Return the URL of the reader for a page, with these display settings.

        >>> ReaderPrefs(display={"size": "l"}, in_url=("size",)).reader_url("https://e.org/?a=1")
        '/read?url=https%3A%2F%2Fe.org%2F%3Fa%3D1&size=l'
        """
        display = {name: self.display[name] for name in self.in_url if self.display[name] != DEFAULTS[name]}
        return "/read?" + urlencode({"url": url, **display, **params}, quote_via=quote, errors="replace")


def explain_url(url: str) -> str:
    """Return the URL of the explanation of a page.

    >>> explain_url("https://e.org/?a=1")
    '/explain?url=https%3A%2F%2Fe.org%2F%3Fa%3D1'
    """
    return "/explain?" + urlencode({"url": url}, quote_via=quote, errors="replace")


@dataclass(frozen=True, slots=True)
class Job:
    """A page, and what to make of it.

    Attributes:
        html: the page.
        output: a format or a view. A format travels with the job, so that workers know formats that the server's
            program has registered; its writer must be picklable.
        url: the page's URL, if it has one.
        encoding: the character encoding from the HTTP header.
        options: keywords of `tamis.extract`: how the content is chosen.
        shown: keywords of `RenderOptions`: how it is shown.
        prefs: how the reader shows the page.
        media_type: the media type from the HTTP header; ``text/plain`` is not parsed as HTML.
        names: what a bundle has.
        max_tokens: tokens of a part for language models.
        overlap: tokens of a part that the next one repeats.
        max_output: bytes of the response.
        max_nodes: elements and text runs of the page that are read.
        may_render: whether the page may be rendered if scripts build it, so that the result says what was found.
        attributes: further attributes of the response: whether it may be stored, whether the page was rendered.
    """

    html: str | bytes
    output: Format | View
    url: str | None = None
    encoding: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    prefs: ReaderPrefs = field(default_factory=ReaderPrefs)
    media_type: str | None = None
    names: tuple[str, ...] = ()
    max_tokens: int = 0
    overlap: int = 0
    max_output: int | None = None
    max_nodes: int | None = None
    may_render: bool = False
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a client gets.

    Attributes:
        body: the body of the response.
        content_type: its ``Content-Type``.
        policy: its ``Content-Security-Policy``.
        empty_reason: why the page has no content, if it has none.
        needs_browser: whether scripts build the page, so that a browser may find more.
        measure: what was found, to compare it with the rendered page (`tamis.browser.scripted.Measure`).
        gzip: whether the body is compressed.
        etag: of the response; made where it costs the event loop nothing.
        value: the result of a job that is not a response.
        job_attributes: the attributes of the job.
    """

    body: bytes
    content_type: str
    policy: str = SANDBOX_POLICY
    empty_reason: str | None = None
    needs_browser: bool = False
    measure: dict[str, Any] = field(default_factory=dict)
    gzip: bool = False
    etag: str | None = None
    value: Any = None
    job_attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def attributes(self) -> dict[str, Any]:
        """What a response needs besides the body, as JSON values."""
        return {
            "content_type": self.content_type,
            "policy": self.policy,
            "empty_reason": self.empty_reason,
            "needs_browser": self.needs_browser,
            "measure": self.measure,
            "gzip": self.gzip,
            **self.job_attributes,
        }


def load_json(body: str | bytes) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the value of some JSON; raise a `ValueError` if it is invalid.

    >>> load_json('{"a": 1}')
    {'a': 1}
    """
    try:
        return json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError("the body is not valid JSON") from error


def _reject_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are not JSON


def run(job: Job) -> JobResult:
    """Do a job, in a worker process."""
    from tamis.serve.worker import run_job  # noqa: PLC0415 (loads the parser and NumPy)

    return run_job(job)


def prepare() -> None:
    """Load everything that a page needs, so that the first page does not wait for it."""
    page = "<title>Tea</title><article><h1>Tea</h1><p>" + "Water just off the boil, and three minutes. " * 9
    run(Job(page, "reader", "https://example.org/"))
