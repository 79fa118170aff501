"""``POST /v1/batch``: a line of JSON in, a line of JSON out, in order, each as soon as it and those before are done.

Lines are read as fast as pages are done: a few are worked on ahead, and the client waits with the rest. An invalid
line gets an error line, and the others go on. A JSON array of the same values is read as a whole.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis.errors import TamisError
from tamis.serve.http.api import run_request
from tamis.serve.http.requests import check_names, parse_values
from tamis.serve.http.responses import Problem, get_service, plain_body, received_body
from tamis.serve.jobs import SANDBOX_POLICY
from tamis.serve.service import LINES_PER_WORKER, Service

MEDIA_TYPE: Final = "application/x-ndjson"
_ACCEPTED_TYPES: Final = frozenset(
    {MEDIA_TYPE, "application/ndjson", "application/jsonl", "application/json", "text/plain", ""}
)
_Line = tuple[int, Any]  #: number and bytes or value of a line; None for a line that is too long


class BatchLimitError(Exception):
    """A batch is too large, or its lines arrive too slowly."""


class _Lines(Protocol):
    number: int

    async def next(self) -> _Line | None:
        """Return the next line, or None at the end."""
        ...


class BatchResponse(Response):
    """A response that is written while its request is still being read, so it is an ASGI application itself.

    It holds its place among the batches until it has been sent.

    Args:
        request: the request.
        is_array: the body is one JSON array, not lines.
    """

    def __init__(self, request: Request, *, is_array: bool) -> None:
        self.request, self.service, self.is_array = request, get_service(request), is_array
        self.background = None

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the results line by line."""
        async with self.service.batch_slots.take():
            if not self.is_array:
                await self._send(send, _LineReader(self.request, self.service), as_array=False)
                return
            async with received_body(self.request) as body:
                values = await self._array(body)
                as_array = "application/json" in self.request.headers.get("accept", "")
                await self._send(send, _Values(values), as_array=as_array)

    async def _array(self, body: bytes) -> list[Any]:
        """Return the values of an array. Some clients send lines as JSON."""
        try:
            values = await self.service.parse_json(body)
        except TamisError:
            values = None
        return values if isinstance(values, list) else [line for line in body.split(b"\n") if line.strip()]

    async def _send(self, send: Send, lines: _Lines, *, as_array: bool) -> None:
        headers = {
            "content-type": "application/json" if as_array else MEDIA_TYPE,
            "cache-control": "no-store",
            "content-security-policy": SANDBOX_POLICY,
            "x-accel-buffering": "no",  # a proxy in front should not hold lines back either
        }
        raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw_headers})
        separator = b"["
        async for line in self._results(lines):
            body = separator + line.rstrip(b"\n") if as_array else line
            await send({"type": "http.response.body", "body": body, "more_body": True})
            separator = b","
        end = (b"]" if separator == b"," else b"[]") if as_array else b""
        await send({"type": "http.response.body", "body": end, "more_body": False})

    async def _results(self, lines: _Lines) -> AsyncIterator[bytes]:
        max_pending = LINES_PER_WORKER * self.service.pool.size
        pending: deque[asyncio.Task[bytes]] = deque()
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
        self._skipping, self._began = False, 0.0

    async def next(self) -> _Line | None:
        """Return the next line, or None at the end. The time for a line does not start anew with each piece."""
        self._began = time.monotonic()
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
        seconds = self._settings.body_timeout
        try:
            async with asyncio.timeout(max(0.0, self._began + seconds - time.monotonic())):
                chunk = await anext(self._stream)
        except StopAsyncIteration:
            self._ended = True
            return
        except TimeoutError as error:
            raise BatchLimitError(f"no line within {seconds:g} seconds; see --body-timeout") from error
        self._received += len(chunk)
        if self._received > self._settings.max_batch:
            raise BatchLimitError(f"at most {self._settings.max_batch / 1_000_000:g} MB are allowed; see --max-batch")
        self._buffer += chunk


class _Values:
    """The values of a JSON array, as lines."""

    def __init__(self, values: list[Any]) -> None:
        self.number, self._values = 0, values

    async def next(self) -> _Line | None:
        """Return the next value, or None at the end."""
        if self.number == len(self._values):
            return None
        self.number += 1
        return self.number, self._values[self.number - 1]


async def run_line(service: Service, number: int, line: Any) -> bytes:  # noqa: ANN401 (bytes, or a JSON value)
    """Return the result of one line, or what is wrong with it."""
    head: dict[str, Any] = {"line": number}
    try:
        if line is None:
            limit = f"{service.settings.max_body / 1_000_000:g} MB"
            raise Problem(413, f"a line may have at most {limit}; see --max-body")  # noqa: TRY301
        with service.buffered.hold(len(line) if isinstance(line, bytes) else 0):
            values = await service.parse_json(line) if isinstance(line, bytes) else line
            wanted = parse_values(values)
            if wanted.id is not None:
                head["id"] = wanted.id
            job, options = wanted.job(None, wanted.html or ""), wanted.fetch_options(service.settings)
            entry = await run_request(service, wanted, job, options, posted=wanted.html is not None, wait=True)
            body = await plain_body(entry)
    except Exception as error:  # noqa: BLE001 (whatever is wrong with one line, the others go on)
        return _encode({**head, **_failure(error)})
    # JSON is put into the line as it is, without parsing it again.
    name = "json" if isinstance(job.output, str) else job.output.name
    result = body if name == "json" else await asyncio.to_thread(_json_string, body)
    return _encode({**head, "status": 200, "format": name})[:-2] + b',"result":' + result + b"}\n"


def _json_string(body: bytes) -> bytes:
    return json.dumps(body.decode(), ensure_ascii=False).encode()


def _failure(error: Exception) -> dict[str, Any]:
    problem = Problem.from_error(error)
    return {"status": problem.status, "error": problem.as_dict()}


def _encode(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


async def batch(request: Request) -> Response:
    """Extract many pages."""
    check_names(request.query_params)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in _ACCEPTED_TYPES:
        raise Problem(415, f"the body must be {MEDIA_TYPE} or application/json")
    get_service(request).batch_slots.check()  # before the response has begun
    return BatchResponse(request, is_array=media_type == "application/json")
