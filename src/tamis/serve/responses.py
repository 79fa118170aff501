"""Bodies in and responses out: bodies with limits, responses with an ETag, compressed for clients that accept it."""

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

_MIN_COMPRESSED_BYTES: Final = 1000  #: shorter bodies are not worth compressing


def get_service(request: Request) -> "Service":
    """Return the service of the application that a request belongs to."""
    return cast("Service", request.app.state.service)


async def read_body(request: Request) -> bytes:
    """Return the body of a request. One that is too large or too slow is a problem."""
    settings = get_service(request).settings
    too_large = Problem(413, f"at most {settings.max_body / 1_000_000:g} MB are allowed", {"Connection": "close"})
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > settings.max_body:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_timeout):
            async for chunk in request.stream():
                body += chunk
                if len(body) > settings.max_body:
                    raise too_large
    except TimeoutError as error:
        message = f"the body took more than {settings.body_timeout:g} seconds to arrive"
        raise Problem(408, message, {"Connection": "close"}) from error
    except ClientDisconnect as error:
        raise Problem(400, "the body is incomplete") from error
    return bytes(body)


def make_response(request: Request, entry: Entry, headers: dict[str, str] | None = None) -> Response:
    """Return the response for a cache entry: 304 if the client has it already."""
    max_age = max(0, int(entry.expires - time.time()))
    cacheable = request.method in {"GET", "HEAD"}
    attributes = entry.attributes
    combined = {
        "Content-Security-Policy": attributes["policy"],
        "Cache-Control": f"private, max-age={max_age}" if cacheable else "no-store",
        **({"Tamis-Empty-Reason": attributes["empty_reason"]} if attributes["empty_reason"] else {}),
        **(headers or {}),
    }
    combined["Vary"] = ", ".join([*filter(None, [combined.get("Vary", "")]), "Accept-Encoding"])
    if cacheable:
        combined["ETag"] = entry.etag
        if _matches(request.headers.get("if-none-match", ""), entry.etag):
            return Response(status_code=304, headers=combined)
    body = entry.body
    if len(body) >= _MIN_COMPRESSED_BYTES and "gzip" in request.headers.get("accept-encoding", "").lower():
        body = gzip.compress(body, 6, mtime=0)
        combined["Content-Encoding"] = "gzip"
    return Response(body, headers=combined, media_type=attributes["content_type"])


def _matches(if_none_match: str, etag: str) -> bool:
    """Return whether an ``If-None-Match`` header has an ETag, compared weakly."""
    return any(each.strip() in {"*", etag, etag.removeprefix("W/")} for each in if_none_match.split(","))
