"""Errors as HTTP responses: a status and one sentence. Programs get JSON (RFC 9457), people a page."""

import asyncio
import json
from html import escape
from http import HTTPStatus
from typing import Final

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
from tamis.serve.pages import content_security_policy, style, template

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
