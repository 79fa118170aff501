"""The application: its routes, its middleware, and its life from start to end."""

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
from tamis.serve import api, batch, jobs, reader_routes
from tamis.serve.pages import SANDBOX_POLICY
from tamis.serve.problems import Problem
from tamis.serve.service import Service
from tamis.serve.settings import Settings

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

_SECURITY_HEADERS: Final = {
    "Content-Security-Policy": SANDBOX_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_ROUTES: Final = [
    Route("/", reader_routes.home),
    Route("/read", reader_routes.read, methods=["GET", "POST"]),
    Route("/v1/extract", api.get_extract, methods=["GET"]),
    Route("/v1/extract", api.post_extract, methods=["POST"]),
    Route("/v1/batch", batch.batch, methods=["POST"]),
    Route("/v1/extractors", api.extractors),
    Route("/healthz", api.healthz),
    Route("/metrics", api.metrics),
    Route("/openapi.json", api.openapi),
    Route("/docs", reader_routes.docs),
    Route("/{url:path}", reader_routes.markdown),
]
_PATHS: Final = frozenset(route.path for route in _ROUTES)


def create_app(
    settings: Settings | None = None,
    *,
    resolver: "AbstractResolver | None" = None,
    run_job: Callable[[Any], Any] = jobs.run,
    prepare: Callable[[], None] | None = jobs.prepare,
) -> Starlette:
    """Return the application, for any ASGI server.

    Args:
        settings: what it may do, and how much.
        resolver: resolves host names instead of the system.
        run_job: what worker processes do with a page.
        prepare: what they do before the first page.
    """
    service = Service(settings or Settings(), resolver=resolver, run_job=run_job, prepare=prepare)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    app = Starlette(
        routes=_ROUTES,
        lifespan=lifespan,
        exception_handlers={
            Problem: _handle_error,
            TamisError: _handle_error,
            HTTPException: _handle_http_error,
            Exception: _handle_error,
        },
    )
    app.state.service = service
    app.add_middleware(ServiceMiddleware, service=service)
    return app


async def _handle_error(_: Request, error: Exception) -> Response:
    return (await Problem.from_error(error).delayed()).as_json()


async def _handle_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return Problem(error.status_code, str(error.detail), dict(error.headers or {})).as_json()


class ServiceMiddleware:
    """Checks the ``Host`` header of every request, adds security headers to every response, and counts both."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            if self._accepts_host(scope):
                await self.app(scope, receive, send_with_headers)
            else:
                problem = Problem(421, "this service has another host name; see --hostname").as_json()
                await problem(scope, receive, send_with_headers)
        finally:
            path = scope["path"] if scope["path"] in _PATHS else "/{url}"
            self.service.metrics.request(path, status, time.perf_counter() - began)

    def _accepts_host(self, scope: Scope) -> bool:
        """Return whether the ``Host`` header is allowed. A page elsewhere could bind its own name to our address."""
        hostnames = self.service.settings.hostnames
        if not hostnames:
            return True
        header = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
        host = header[: header.find("]") + 1] if header.startswith("[") else header.partition(":")[0]
        return host in hostnames
