"""The application: routes, the shell around them, and its life from start to end."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.errors import TamisError
from tamis.serve import api, batch, jobs
from tamis.serve import reader_routes as reading
from tamis.serve.pages import BARE_POLICY
from tamis.serve.problems import Problem
from tamis.serve.service import Service
from tamis.serve.settings import Settings

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

log = logging.getLogger("tamis.serve")
_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_ROUTES: Final = [
    Route("/", reading.home),
    Route("/read", reading.read, methods=["GET", "POST"]),
    Route("/v1/extract", api.get_extract, methods=["GET"]),
    Route("/v1/extract", api.post_extract, methods=["POST"]),
    Route("/v1/batch", batch.batch, methods=["POST"]),
    Route("/v1/extractors", api.extractors),
    Route("/healthz", api.healthz),
    Route("/metrics", api.metrics),
    Route("/openapi.json", api.openapi),
    Route("/docs", reading.docs),
    Route("/{address:path}", reading.simple),
]
_PATHS: Final = frozenset(route.path for route in _ROUTES)


def create_app(
    settings: Settings | None = None,
    *,
    resolver: "AbstractResolver | None" = None,
    work: Callable[[Any], Any] = jobs.run,
    prepare: Callable[[], None] | None = jobs.prepare,
) -> Starlette:
    """Return the application, for any ASGI server.

    Args:
        settings: what it may do, and how much.
        resolver: who is asked for the addresses of names, instead of the system.
        work: what workers do with a page.
        prepare: what they do before the first one.
    """
    service = Service(settings or Settings(), resolver=resolver, work=work, prepare=prepare)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    app = Starlette(
        routes=_ROUTES,
        lifespan=life,
        exception_handlers={Problem: _told, TamisError: _told, HTTPException: _told_http, Exception: _told},
    )
    app.state.service = service
    app.add_middleware(Shell, service=service)
    return app


async def _told(_: Request, error: Exception) -> Response:
    return (await Problem.of(error).paused()).as_json()


async def _told_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return Problem(error.status_code, str(error.detail), dict(error.headers or {})).as_json()


class Shell:
    """What is around every request: the name it came to, the headers it leaves with, its place in the metrics."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", BARE_POLICY)
                for name, value in _ALWAYS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            if self._knows(scope):
                await self.app(scope, receive, dressed)
            else:
                unknown = Problem(421, "the service does not go by this name; see --name").as_json()
                await unknown(scope, receive, dressed)
        finally:
            path = scope["path"] if scope["path"] in _PATHS else "/{address}"
            self.service.metrics.request(path, status, time.perf_counter() - began)

    def _knows(self, scope: Scope) -> bool:
        """Whether a request came to a name of ours. A page elsewhere could bind its own name to our address."""
        names = self.service.settings.names
        if not names:
            return True
        host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
        bare = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
        return bare in names
