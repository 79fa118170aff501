"""What goes wrong, told to a client: a status, and one sentence. Programs get RFC 9457's JSON, people a page."""

import asyncio
import json
from html import escape
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
from tamis.serve.pages import policy, style, template

MEDIA_TYPE: Final = "application/problem+json"
#: Seconds after which a client that was turned away may come back.
RETRY_AFTER: Final = 2
#: Seconds before it is told so. A client that comes back at once would else keep the server busy with refusals:
#: without the pause, answers fell to a third when wrk sent twice as many requests as there is room for.
_PAUSE: Final = 0.5
_STATUS: Final[tuple[tuple[type[TamisError], int], ...]] = (
    (InvalidURLError, 400),
    (BlockedURLError, 403),
    (FetchTimeoutError, 504),
    (FetchError, 502),
    (BusyError, 503),
    (BudgetError, 422),
)
TITLES: Final = {
    400: "The request is not understood",
    403: "The address is not read from",
    404: "There is nothing here",
    405: "Not in this way",
    406: "There is no such format",
    408: "The request took too long to arrive",
    413: "The request is too large",
    415: "The request is of a kind that is not read",
    421: "The service does not go by this name",
    422: "The page cannot be read",
    500: "Something went wrong here",
    502: "The page did not come",
    503: "There is enough to do for now",
    504: "The page did not come in time",
}


class Problem(Exception):  # noqa: N818 (an answer, raised where it is known)
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}

    @classmethod
    def of(cls, error: Exception) -> "Problem":
        """Return the problem that an error stands for. Of an error that is none of ours nothing is told."""
        if isinstance(error, Problem):
            return error
        if isinstance(error, TamisError):
            status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
            return cls(status, str(error), {"Retry-After": str(RETRY_AFTER)} if status == 503 else {})  # noqa: PLR2004
        return cls(500, "The server has noted what it was.")

    async def paused(self) -> "Problem":
        """Return the problem, after a moment where it is one of being busy."""
        if self.status == 503:  # noqa: PLR2004
            await asyncio.sleep(_PAUSE)
        return self

    def values(self) -> dict[str, object]:
        """Return the problem as plain values."""
        title = TITLES.get(self.status, "The request was refused")
        return {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail}

    def as_json(self) -> Response:
        """Return the problem for a program."""
        body = json.dumps(self.values(), ensure_ascii=False).encode("utf-8", "replace")
        return Response(body, self.status, self.headers, MEDIA_TYPE)

    def as_page(self, url: str | None = None) -> Response:
        """Return the problem for a person."""
        css = style("home.css")
        web = url is not None and url.lower().startswith(("http://", "https://"))
        original = f'<p><a href="{escape(url or "")}" rel="noreferrer">Open the original</a></p>' if web else ""
        title = escape(TITLES.get(self.status, "The request was refused"))
        page = template("problem.html").substitute(
            style=css, title=title, detail=escape(self.detail[:1].upper() + self.detail[1:]), original=original
        )
        headers = {**self.headers, "Content-Security-Policy": policy(css)}
        return Response(page.encode("utf-8", "replace"), self.status, headers, "text/html; charset=utf-8")
