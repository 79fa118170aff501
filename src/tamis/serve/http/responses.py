"""Responses: bodies with limits and an ETag, errors as problems, pages from templates."""

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from html import escape
from http import HTTPStatus
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import mimeparse
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tamis.errors import (
    BlockedURLError,
    BudgetError,
    BusyError,
    FetchError,
    FetchTimeoutError,
    InvalidURLError,
    TamisError,
)
from tamis.serve.cache import Entry
from tamis.serve.jobs import COMMON_DIRECTIVES

if TYPE_CHECKING:
    from tamis.serve.service import Service

# HTML pages from templates: package files with ``$names``, whose values the caller has escaped.


@cache
def template(name: str) -> Template:
    """Return a template of the package."""
    return Template(files("tamis.serve").joinpath("templates", name).read_text("utf-8").strip())


@cache
def style(name: str) -> str:
    """Return a style sheet of the package."""
    return template(name).template


@cache
def content_security_policy(css: str, *, images: bool = False, forms: bool = False, same_origin: bool = False) -> str:
    """Return the Content-Security-Policy of a page: nothing but its own style sheet, and what is given.

    Args:
        css: the style sheet.
        images: images load.
        forms: forms may be sent to this site.
        same_origin: the page belongs to this site, so that browsers say so of its forms. Pages with content of
            strangers do not. No page may run scripts.
    """
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    directives = ["default-src 'none'", f"style-src 'sha256-{digest}'", COMMON_DIRECTIVES]
    if images:
        directives.append("img-src http: https:")
    elif same_origin:
        directives.append("img-src 'self'")  # the icon
    own = " allow-same-origin" if same_origin else ""
    directives.append("form-action 'self'" if forms else "form-action 'none'")
    # Links may open. Scripts, plugins, the server's own origin and, unless given, forms stay blocked.
    directives.append(f"sandbox allow-popups allow-popups-to-escape-sandbox{' allow-forms' if forms else ''}{own}")
    return "; ".join(directives)


# Errors as HTTP responses: a status and one sentence. Programs get JSON (RFC 9457), people a page.

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 2  #: seconds after which a client that got 503 should retry
#: Seconds before a 503 is sent. A client that retries at once would otherwise keep the server busy with refusals:
#: without the delay, throughput fell to a third when wrk sent twice as many requests as are allowed.
_BUSY_DELAY: Final = 0.5
_STATUSES: Final[tuple[tuple[type[TamisError], int], ...]] = (
    (InvalidURLError, 400),
    (BlockedURLError, 403),
    (FetchTimeoutError, 504),
    (FetchError, 502),
    (BusyError, 503),
    (BudgetError, 422),
)
TITLES: Final = {
    400: "Invalid request",
    401: "API key needed",
    403: "URL not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Format not available",
    408: "Request timeout",
    413: "Request too large",
    415: "Unsupported media type",
    421: "Unknown host name",
    422: "Page exceeds its limits",
    429: "Too many requests",
    500: "Internal error",
    502: "Page could not be fetched",
    503: "At capacity",
    504: "Page did not arrive in time",
}


#: What a person can do next.
_ADVICE: Final = {
    400: "Check the address: it should look like https://example.org/page.",
    401: "Ask whoever runs this service for a key, and give it as the password. The user name may be anything.",
    403: "Pages inside private networks cannot be read here. A page on the public web can.",
    404: "Check the address, or start from the home page.",
    408: "Your connection may be slow. Try again, or choose a smaller file.",
    413: "Choose a smaller file, or save the page without its pictures.",
    415: "Choose a file that a browser saved as a web page, with a name that ends in .html.",
    421: "This service is not meant to be reached by this name. Ask whoever runs it.",
    422: "The page is unusually large or complicated. The original may still open in your browser.",
    429: "Wait a moment, then reload this page.",
    500: "It is a mistake of ours, not of yours. Try another page, or try again later.",
    502: "The page may have moved, or its server may be down. Open the original to see, or try again later.",
    503: "Many people are reading just now. Wait a moment, then reload this page.",
    504: "Its server is slow just now. Try again later, or open the original.",
}


class Problem(Exception):  # noqa: N818 (a response, raised where it is known)
    """A request that is answered with an error status and one sentence."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, _sentence(detail), headers or {}

    @classmethod
    def from_error(cls, error: Exception) -> "Problem":
        """Return the problem for an exception. Details of an exception that is not ours are not disclosed."""
        if isinstance(error, Problem):
            return error
        if isinstance(error, TamisError):
            status = next((status for error_type, status in _STATUSES if isinstance(error, error_type)), 400)
            busy = status == HTTPStatus.SERVICE_UNAVAILABLE
            return cls(status, str(error), {"Retry-After": str(RETRY_AFTER)} if busy else {})
        return cls(500, "the error was logged")

    @property
    def title(self) -> str:
        """What went wrong, in a few words."""
        return TITLES.get(self.status, "Request refused")

    async def delayed(self) -> "Problem":
        """Return the problem, after a delay if it is 503."""
        if self.status == HTTPStatus.SERVICE_UNAVAILABLE:
            await asyncio.sleep(_BUSY_DELAY)
        return self

    def as_dict(self) -> dict[str, object]:
        """Return the problem as plain values."""
        return {"type": "about:blank", "title": self.title, "status": self.status, "detail": self.detail}

    def as_json(self) -> Response:
        """Return the response for a program."""
        body = json.dumps(self.as_dict(), ensure_ascii=False).encode("utf-8", "replace")
        return Response(body, self.status, self.headers, MEDIA_TYPE)

    def as_page(self, url: str | None = None) -> Response:
        """Return the response for a person, with a link to the original page if its URL is known."""
        css = style("home.css")
        is_web = url is not None and url.lower().startswith(("http://", "https://"))
        link = f'<p><a href="{escape(url or "")}" rel="noreferrer">Open the original</a></p>' if is_web else ""
        advice = _ADVICE.get(self.status, "")
        page = template("problem.html").substitute(
            style=css,
            title=escape(self.title),
            detail=escape(self.detail),
            advice=f"<p>{escape(advice)}</p>" if advice else "",
            original=link,
        )
        headers = {**self.headers, "Content-Security-Policy": content_security_policy(css, same_origin=True)}
        return Response(page.encode("utf-8", "replace"), self.status, headers, "text/html; charset=utf-8")


def _sentence(text: str) -> str:
    """Return a message as a sentence.

    >>> _sentence("at capacity; retry later")
    'At capacity; retry later.'
    """
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else text + "."


# Bodies in and responses out: bodies with limits, responses with an ETag, compressed for clients that accept it.

_Value = TypeVar("_Value")
_INLINE_BYTES: Final = 65_536  #: smaller bodies are decompressed on the event loop, in a millisecond at most


def get_service(request: Request) -> "Service":
    """Return the service of the application that a request belongs to."""
    return cast("Service", request.app.state.service)


@asynccontextmanager
async def received_body(request: Request) -> AsyncIterator[bytes]:
    """Hold the body of a request. One that is too large or too slow is a problem.

    Its bytes count against the budget of the service until the block ends.
    """
    service = get_service(request)
    settings = service.settings
    limit = f"at most {settings.max_body / 1_000_000:g} MB are allowed; see --max-body"
    too_large = Problem(413, limit, {"Connection": "close"})
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared[:20]) > settings.max_body:
        raise too_large
    body = bytearray()
    with service.buffered.hold() as held:
        try:
            async with asyncio.timeout(settings.body_timeout):
                async for chunk in request.stream():
                    held.add(len(chunk))
                    body += chunk
                    if len(body) > settings.max_body:
                        raise too_large
        except TimeoutError as error:
            message = f"the body took more than {settings.body_timeout:g} seconds to arrive; see --body-timeout"
            raise Problem(408, message, {"Connection": "close"}) from error
        except ClientDisconnect as error:
            raise Problem(400, "the body is incomplete") from error
        yield bytes(body)


async def while_connected(request: Request, work: Coroutine[Any, Any, _Value]) -> _Value:
    """Return the result of some work, which is cancelled if the client leaves or if it takes too long.

    The body of the request must have been read.
    """
    seconds = get_service(request).settings.request_timeout
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, watcher}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if watcher.done():
            raise ClientDisconnect
        raise Problem(504, f"the request took more than {seconds:g} seconds; see --request-timeout")
    finally:
        watcher.cancel()
        if not task.done():
            task.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def make_response(request: Request, entry: Entry, headers: dict[str, str] | None = None) -> Response:
    """Return the response for a cache entry: 304 if the client has it already."""
    attributes = entry.attributes
    cacheable = request.method in {"GET", "HEAD"} and attributes.get("storable", True)
    max_age = max(0, int(entry.expires - time.time()))
    combined = {
        "Content-Security-Policy": attributes["policy"],
        "Cache-Control": f"private, max-age={max_age}" if cacheable else "no-store",
        **({"Tamis-Empty-Reason": attributes["empty_reason"]} if attributes["empty_reason"] else {}),
        **({"Tamis-Rendered": "true"} if attributes.get("rendered") else {}),
        **(headers or {}),
    }
    combined["Vary"] = ", ".join([*filter(None, [combined.get("Vary", "")]), "Accept-Encoding"])
    if request.method in {"GET", "HEAD"}:
        combined["ETag"] = entry.etag
        if _matches(request.headers.get("if-none-match", ""), entry.etag):
            return Response(status_code=304, headers=combined)
    body = entry.body
    if attributes.get("gzip"):
        if _accepts_gzip(request.headers.get("accept-encoding", "")):
            combined["Content-Encoding"] = "gzip"
        else:
            body = await plain_body(entry)
    get_service(request).buffered.check(len(body))
    return Response(body, headers=combined, media_type=attributes["content_type"])


async def plain_body(entry: Entry) -> bytes:
    """Return the body of an entry decompressed, in a thread if it is large."""
    return entry.plain_body() if entry.size < _INLINE_BYTES else await asyncio.to_thread(entry.plain_body)


def _accepts_gzip(accept_encoding: str) -> bool:
    """Return whether an ``Accept-Encoding`` header allows gzip.

    >>> _accepts_gzip("br, gzip"), _accepts_gzip("gzip;q=0"), _accepts_gzip("*"), _accepts_gzip("")
    (True, False, True, False)
    """
    # The grammar is that of `Accept`, where each value has a type before it.
    ranges = ",".join(f"encoding/{each.strip()}" for each in accept_encoding.split(",") if each.strip())
    try:
        return bool(ranges) and mimeparse.quality("encoding/gzip", ranges) > 0
    except mimeparse.MimeTypeParseException:
        return False


def _matches(if_none_match: str, etag: str) -> bool:
    """Return whether an ``If-None-Match`` header has an ETag, compared weakly."""
    return any(each.strip() in {"*", etag, etag.removeprefix("W/")} for each in if_none_match.split(","))
