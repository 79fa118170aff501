"""``POST /v1/batch``: a line of JSON in, a line of JSON out, in order, each as soon as it and those before are done.

Lines are read as fast as pages are done: a few are worked on ahead, and the client waits with the rest. A line that
is wrong gives a line that says so, and the others go on.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis.serve.api import extracted
from tamis.serve.pages import BARE_POLICY
from tamis.serve.problems import Problem
from tamis.serve.requests import FORMATS, Ask, from_json
from tamis.serve.responses import service_of
from tamis.serve.service import Service

MEDIA_TYPE: Final = "application/x-ndjson"
_AHEAD: Final = 2  #: lines worked on for each worker


class TooLongError(Exception):
    """A batch is too long, or its lines come too slowly."""


class Batch(Response):
    """An answer that is written while its request is still being read, so it speaks ASGI itself."""

    def __init__(self, request: Request) -> None:
        self.request, self.service = request, service_of(request)
        self.background = None

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer line by line."""
        headers = {
            "content-type": MEDIA_TYPE,
            "cache-control": "no-store",
            "content-security-policy": BARE_POLICY,
            "x-accel-buffering": "no",  # a proxy in front should not hold lines back either
        }
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        with self.service.slot():
            await send({"type": "http.response.start", "status": 200, "headers": raw})
            async for line in self._answers():
                await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _answers(self) -> AsyncIterator[bytes]:
        ahead = _AHEAD * self.service.pool.size
        waiting: deque[asyncio.Task[bytes]] = deque()
        lines = _Lines(self.request, self.service)
        reading: asyncio.Task[tuple[int, bytes | None] | None] | None = asyncio.ensure_future(lines.next())
        try:
            while reading or waiting:
                # The first line's answer goes out as soon as it is there, even if the next line never comes.
                first = {waiting[0]} if waiting else set()
                room = {reading} if reading and len(waiting) < ahead else set()
                done, _ = await asyncio.wait(first | room, return_when=asyncio.FIRST_COMPLETED)
                if reading in done:
                    assert reading is not None
                    line = reading.result()
                    reading = None
                    if line is not None:
                        waiting.append(asyncio.create_task(answer_line(self.service, *line)))
                        reading = asyncio.ensure_future(lines.next())
                while waiting and waiting[0].done():
                    yield waiting.popleft().result()
        except TooLongError as error:
            for task in list(waiting):
                yield await task
            waiting.clear()
            yield _line({"line": lines.number + 1, **_failed(Problem(413, str(error)))})
        except ClientDisconnect:
            return
        finally:
            for task in waiting:
                task.cancel()
            if reading is not None:
                reading.cancel()


class _Lines:
    """The lines of a body, as it arrives."""

    def __init__(self, request: Request, service: Service) -> None:
        self.number = 0
        self._stream, self._rest, self._taken = request.stream(), bytearray(), 0
        self._settings, self._ended = service.settings, False
        self._skipping = False

    async def next(self) -> tuple[int, bytes | None] | None:
        """Return the number and bytes of the next line (None for one that is too long), or None at the end."""
        while True:
            place = self._rest.find(b"\n")
            if place >= 0:
                line = bytes(self._rest[:place])
                del self._rest[: place + 1]
                skipped, self._skipping = self._skipping, False
                if skipped or line.strip():
                    self.number += 1
                    return self.number, None if skipped else line
                continue
            if self._ended:
                line, self._rest = bytes(self._rest), bytearray()
                if self._skipping or line.strip():
                    self.number += 1
                    skipped, self._skipping = self._skipping, False
                    return self.number, None if skipped else line
                return None
            await self._more()
            if len(self._rest) > self._settings.body:  # the rest of such a line is passed over
                self._skipping = True
                last = self._rest.find(b"\n")
                del self._rest[: last if last >= 0 else len(self._rest)]

    async def _more(self) -> None:
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                chunk = await anext(self._stream)
        except StopAsyncIteration:
            self._ended = True
            return
        except TimeoutError as error:
            raise TooLongError(f"no line within {self._settings.body_seconds:g} seconds") from error
        self._taken += len(chunk)
        if self._taken > self._settings.batch:
            raise TooLongError(f"{self._settings.batch / 1_000_000:g} MB at most")
        self._rest += chunk


async def answer_line(service: Service, number: int, line: bytes | None) -> bytes:
    """Return the answer to one line: what was found, or what is wrong with it."""
    head: dict[str, Any] = {"line": number}
    try:
        if line is None:
            raise Problem(413, f"a line has {service.settings.body / 1_000_000:g} MB at most")  # noqa: TRY301
        ask = from_json(line)
        if ask.id is not None:
            head["id"] = ask.id
        form = ask.form or "json"
        body = await _body(service, ask, FORMATS[form])
    except Exception as error:  # noqa: BLE001 (whatever is wrong with one line, the others go on)
        return _line({**head, **_failed(error)})
    # JSON is put into the line as it is, without reading it again.
    result = body if form == "json" else json.dumps(body.decode(), ensure_ascii=False).encode()
    return _line({**head, "status": 200, "format": form})[:-2] + b',"result":' + result + b"}\n"


async def _body(service: Service, ask: Ask, form: str) -> bytes:
    return (await extracted(service, ask, ask.html, form, wait=True)).body


def _failed(error: Exception) -> dict[str, Any]:
    problem = Problem.of(error)
    return {"status": problem.status, "error": problem.values()}


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


async def batch(request: Request) -> Response:
    """Extract many pages."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in {MEDIA_TYPE, "application/ndjson", "application/jsonl", "application/json", "text/plain", ""}:
        raise Problem(415, f"a batch is {MEDIA_TYPE}")
    service_of(request).turn_away()  # before the answer has begun
    return Batch(request)
