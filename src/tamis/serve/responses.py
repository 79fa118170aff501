"""Requests in and answers out: bodies with a limit, answers with a tag, compressed where the client likes it."""

import asyncio
import gzip
import time
from typing import TYPE_CHECKING, Final, cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tamis.serve.cache import Entry
from tamis.serve.problems import Problem

if TYPE_CHECKING:
    from tamis.serve.service import Service

_WORTH: Final = 1000  #: bytes from which compressing pays


def service_of(request: Request) -> "Service":
    """Return the service that a request came to."""
    return cast("Service", request.app.state.service)


async def read_body(request: Request) -> bytes:
    """Return the body of a request; one that is too large, or takes too long to arrive, is a problem."""
    settings = service_of(request).settings
    too_large = Problem(413, f"{settings.body / 1_000_000:g} MB at most", {"Connection": "close"})
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > settings.body:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > settings.body:
                    raise too_large
    except TimeoutError as error:
        raise Problem(408, f"{settings.body_seconds:g} seconds at most", {"Connection": "close"}) from error
    except ClientDisconnect as error:
        raise Problem(400, "the request was cut short") from error
    return bytes(body)


def reply(request: Request, entry: Entry, headers: dict[str, str] | None = None) -> Response:
    """Return an answer; to a client that has it already, that nothing has changed."""
    seconds = max(0, int(entry.expires - time.time()))
    cached = request.method in {"GET", "HEAD"}
    given = {
        "Content-Security-Policy": entry.facts["policy"],
        "Cache-Control": f"private, max-age={seconds}" if cached else "no-store",
        **({"Tamis-Empty-Reason": entry.facts["empty_reason"]} if entry.facts["empty_reason"] else {}),
        **(headers or {}),
    }
    given["Vary"] = ", ".join([*filter(None, [given.get("Vary", "")]), "Accept-Encoding"])
    if cached:
        given["ETag"] = entry.tag
        if _has(request.headers.get("if-none-match", ""), entry.tag):
            return Response(status_code=304, headers=given)
    body, kind = entry.body, entry.facts["type"]
    if len(body) >= _WORTH and "gzip" in request.headers.get("accept-encoding", "").lower():
        body = gzip.compress(body, 6, mtime=0)
        given["Content-Encoding"] = "gzip"
    return Response(body, headers=given, media_type=kind)


def _has(tags: str, tag: str) -> bool:
    """Whether one of the tags that a client has is this one, compared weakly."""
    return any(one.strip() in {"*", tag, tag.removeprefix("W/")} for one in tags.split(","))
