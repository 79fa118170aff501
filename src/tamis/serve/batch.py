"""``POST /v1/batch``: a line of JSON in, a line of JSON out, in order, each as soon as it and those before are done.

Lines are read as fast as pages are done: a few are worked on ahead, and the client waits with the rest. An invalid
line gets an error line, and the others go on.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis.serve.api import run_request
from tamis.serve.pages import SANDBOX_POLICY
from tamis.serve.problems import Problem
from tamis.serve.requests import choose_format, parse_json
from tamis.serve.responses import get_service
from tamis.serve.service import Service

MEDIA_TYPE: Final = "application/x-ndjson"
_ACCEPTED_TYPES: Final = frozenset(
    {MEDIA_TYPE, "application/ndjson", "application/jsonl", "application/json", "text/plain", ""}
)
_LINES_PER_WORKER: Final = 2  #: lines that are worked on at a time
_Line = tuple[int, bytes | None]  #: number and bytes of a line; None for a line that is too long


class BatchLimitError(Exception):
    """A batch is too large, or its lines arrive too slowly."""


class BatchResponse(Response):
    """A response that is written while its request is still being read, so it is an ASGI application itself."""

    def __init__(self, request: Request) -> None:
        self.request, self.service = request, get_service(request)
        self.background = None

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the results line by line."""
        headers = {
            "content-type": MEDIA_TYPE,
            "cache-control": "no-store",
            "content-security-policy": SANDBOX_POLICY,
            "x-accel-buffering": "no",  # a proxy in front should not hold lines back either
        }
        raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        with self.service.slot():
            await send({"type": "http.response.start", "status": 200, "headers": raw_headers})
            async for line in self._results():
                await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _results(self) -> AsyncIterator[bytes]:
        max_pending = _LINES_PER_WORKER * self.service.pool.size
        pending: deque[asyncio.Task[bytes]] = deque()
        lines = _LineReader(self.request, self.service)
        reading: asyncio.Task[_Line | None] | None = asyncio.ensure_future(lines.next())
        try:
            while reading or pending:
                # The first result is sent as soon as it is there, even if the next line never comes.
                result = {pending[0]} if pending else set()
                next_line = {reading} if reading and len(pending) < max_pending else set()
                done, _ = await asyncio.wait(result | next_line, return_when=asyncio.FIRST_COMPLETED)
                if reading in done:
                    assert reading is not None
                    line = reading.result()
                    reading = None
                    if line is not None:
                        pending.append(asyncio.create_task(run_line(self.service, *line)))
                        reading = asyncio.ensure_future(lines.next())
                while pending and pending[0].done():
                    yield pending.popleft().result()
        except BatchLimitError as error:
            for task in list(pending):
                yield await task
            pending.clear()
            yield _encode({"line": lines.number + 1, **_failure(Problem(413, str(error)))})
        except ClientDisconnect:
            return
        finally:
            for task in pending:
                task.cancel()
            if reading is not None:
                reading.cancel()


class _LineReader:
    """The lines of a body, as it arrives."""

    def __init__(self, request: Request, service: Service) -> None:
        self.number = 0
        self._stream, self._buffer, self._received = request.stream(), bytearray(), 0
        self._settings, self._ended = service.settings, False
        self._skipping = False

    async def next(self) -> _Line | None:
        """Return the next line, or None at the end."""
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                skipped, self._skipping = self._skipping, False
                if skipped or line.strip():
                    self.number += 1
                    return self.number, None if skipped else line
                continue
            if self._ended:
                line, self._buffer = bytes(self._buffer), bytearray()
                if self._skipping or line.strip():
                    self.number += 1
                    skipped, self._skipping = self._skipping, False
                    return self.number, None if skipped else line
                return None
            await self._read_more()
            if len(self._buffer) > self._settings.max_body:  # the rest of such a line is skipped
                self._skipping = True
                end = self._buffer.find(b"\n")
                del self._buffer[: end if end >= 0 else len(self._buffer)]

    async def _read_more(self) -> None:
        try:
            async with asyncio.timeout(self._settings.body_timeout):
                chunk = await anext(self._stream)
        except StopAsyncIteration:
            self._ended = True
            return
        except TimeoutError as error:
            raise BatchLimitError(f"no line within {self._settings.body_timeout:g} seconds") from error
        self._received += len(chunk)
        if self._received > self._settings.max_batch:
            raise BatchLimitError(f"at most {self._settings.max_batch / 1_000_000:g} MB are allowed")
        self._buffer += chunk


async def run_line(service: Service, number: int, line: bytes | None) -> bytes:
    """Return the result of one line, or what is wrong with it."""
    head: dict[str, Any] = {"line": number}
    try:
        if line is None:
            limit = f"{service.settings.max_body / 1_000_000:g} MB"
            raise Problem(413, f"a line may have at most {limit}")  # noqa: TRY301
        wanted = parse_json(line)
        if wanted.id is not None:
            head["id"] = wanted.id
        output = choose_format(wanted.format, None)
        body = (await run_request(service, wanted, wanted.html, output, wait=True)).body
    except Exception as error:  # noqa: BLE001 (whatever is wrong with one line, the others go on)
        return _encode({**head, **_failure(error)})
    # JSON is put into the line as it is, without parsing it again.
    result = body if output.name == "json" else json.dumps(body.decode(), ensure_ascii=False).encode()
    return _encode({**head, "status": 200, "format": output.name})[:-2] + b',"result":' + result + b"}\n"


def _failure(error: Exception) -> dict[str, Any]:
    problem = Problem.from_error(error)
    return {"status": problem.status, "error": problem.as_dict()}


def _encode(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


async def batch(request: Request) -> Response:
    """Extract many pages."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in _ACCEPTED_TYPES:
        raise Problem(415, f"the body must be {MEDIA_TYPE}")
    get_service(request).check_capacity()  # before the response has begun
    return BatchResponse(request)
