"""The application: its routes, its middleware, its life, and the server that runs it."""

import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.errors import TamisError
from tamis.serve import jobs, monitoring
from tamis.serve.http import api, batch
from tamis.serve.http.access import AccessPolicy
from tamis.serve.http.connections import MAX_HEAD, protocol_class
from tamis.serve.http.responses import Problem
from tamis.serve.jobs import SANDBOX_POLICY
from tamis.serve.reader import routes as reader_routes
from tamis.serve.service import Service
from tamis.serve.settings import Settings

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

# The server: uvicorn with the limits of the service.

_BACKLOG = 1024  #: connections that the kernel keeps until they are accepted


class Server(uvicorn.Server):
    """A server for the application.

    Args:
        app: from `tamis.serve.http.app.create_app`.
        settings: the same as the application's.
        log_level: of uvicorn's own messages.
    """

    def __init__(self, app: ASGIApp, settings: Settings, log_level: str = "warning") -> None:
        protocol = protocol_class(settings)
        config = uvicorn.Config(
            app,
            http=protocol,
            ws="none",
            log_level=log_level,
            access_log=False,  # the service has its own
            server_header=False,
            proxy_headers=False,  # likewise
            h11_max_incomplete_event_size=MAX_HEAD,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=max(1, round(settings.drain_timeout)),
            backlog=protocol.registry.accepted_at_once,
            lifespan="on",
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets=sockets)
        for listener in sockets or ():
            # asyncio also takes the backlog for the number of connections to accept at once; this is the kernel's.
            listener.listen(_BACKLOG)


# The application: its routes, its middleware, and its life from start to end.

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
    Route("/explain", reader_routes.explain, methods=["GET", "POST"]),
    Route("/v1/extract", api.get_extract, methods=["GET"]),
    Route("/v1/extract", api.post_extract, methods=["POST"]),
    Route("/v1/batch", batch.batch, methods=["POST"]),
    Route("/v1/extractors", api.extractors),
    Route("/healthz", api.healthz),
    Route("/readyz", api.readyz),
    Route("/metrics", api.metrics),
    Route("/openapi.json", api.openapi),
    Route("/settings", reader_routes.settings),
    Route("/docs", reader_routes.docs),
    Route("/favicon.ico", reader_routes.favicon),
    Route("/{url:path}", reader_routes.markdown),
]
_PEOPLE_PATHS: Final = frozenset({"/", "/read", "/explain", "/docs", "/settings"})
_CLIENT_LEFT: Final = 499  #: status in the log of a request whose client left before the response
_COUNTED_BYTES: Final = 65_536  #: smaller pieces of a response are not counted; a connection buffers as much
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
            ClientDisconnect: _handle_disconnect,
            Exception: _handle_error,
        },
    )
    app.state.service = service
    app.add_middleware(ServiceMiddleware, service=service)
    return app


async def _handle_error(_: Request, error: Exception) -> Response:
    return (await Problem.from_error(error).delayed()).as_json()


async def _handle_disconnect(_: Request, __: Exception) -> Response:
    return Response(status_code=_CLIENT_LEFT)  # nobody reads it


async def _handle_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return Problem(error.status_code, str(error.detail), dict(error.headers or {})).as_json()


class ServiceMiddleware:
    """Lets requests in, adds headers to every response, counts both, and logs them."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service
        self.access = AccessPolicy(service.settings)
        self._let_in: ASGIApp = self._check
        if service.settings.cors_origins:
            self._let_in = CORSMiddleware(
                self._check,
                service.settings.cors_origins,
                allow_methods=("GET", "POST"),
                allow_headers=("Authorization", "Cache-Control", "X-API-Key", "X-Request-ID"),
                expose_headers=("ETag", "Retry-After", "Tamis-Empty-Reason", "Tamis-Rendered", "X-Request-ID"),
                max_age=3600,
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, size = time.perf_counter(), _CLIENT_LEFT, 0
        headers = Headers(scope=scope)
        identifier = monitoring.request_id(headers.get("x-request-id"))
        added = {**_SECURITY_HEADERS, monitoring.REQUEST_ID: identifier}
        # A sandboxed page of the reader has an origin of its own, and shows the icon.
        if scope["path"] == "/favicon.ico" or self.access.allows_origin(headers.get("origin", "")):
            added["Cross-Origin-Resource-Policy"] = "cross-origin"
        times = monitoring.begin_times()

        async def send_with_headers(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                for name, value in added.items():
                    MutableHeaders(scope=message).setdefault(name, value)
                await send(message)
                return
            body = message.get("body", b"")
            size += len(body)
            if len(body) < _COUNTED_BYTES:
                await send(message)
                return
            # Until the client has read it, a large response counts against the budget. It was made within the
            # limits of its request, so it is sent even if there is no room: in two messages, of which the second
            # waits until the first has been written.
            with self.service.buffered.hold_always(len(body)):
                await send({**message, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": message.get("more_body", False)})

        try:
            await self._let_in(scope, receive, send_with_headers)
        except ClientDisconnect:
            pass
        finally:
            seconds = time.perf_counter() - began
            path = scope["path"] if scope["path"] in _PATHS else "/{url}"
            self.service.metrics.request(path, status, seconds)
            style = self.service.settings.access_log
            client = self.access.client(scope, headers) if style != "off" else ""
            monitoring.write_line(style, scope, client, status, size, {"total": seconds, **times}, identifier)

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, if it is let in."""
        headers = Headers(scope=scope)
        try:
            self.access.check(scope, headers)
        except Problem as problem:
            is_person = scope["path"] in _PEOPLE_PATHS and "text/html" in headers.get("accept", "")
            response = problem.as_page() if is_person else problem.as_json()
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)
