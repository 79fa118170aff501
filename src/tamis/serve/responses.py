"""Bodies in and responses out: bodies with limits, responses with an ETag, compressed for clients that accept it."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tamis.serve.entries import Entry
from tamis.serve.problems import Problem

if TYPE_CHECKING:
    from tamis.serve.service import Service

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
    too_large = Problem(413, f"at most {settings.max_body / 1_000_000:g} MB are allowed", {"Connection": "close"})
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
            message = f"the body took more than {settings.body_timeout:g} seconds to arrive"
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
        raise Problem(504, f"the request took more than {seconds:g} seconds")
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
    for item in accept_encoding.lower().split(","):
        name, _, params = item.partition(";")
        if name.strip() in {"gzip", "x-gzip", "*"}:
            quality = params.replace(" ", "").removeprefix("q=")
            return not quality or quality.strip("0.") != ""
    return False


def _matches(if_none_match: str, etag: str) -> bool:
    """Return whether an ``If-None-Match`` header has an ETag, compared weakly."""
    return any(each.strip() in {"*", etag, etag.removeprefix("W/")} for each in if_none_match.split(","))
