"""The server: uvicorn with the limits of the service."""

import socket

import uvicorn
from starlette.types import ASGIApp

from tamis.serve.connections import MAX_HEAD, protocol_class
from tamis.serve.settings import Settings

_BACKLOG = 1024  #: connections that the kernel keeps until they are accepted


class Server(uvicorn.Server):
    """A server for the application.

    Args:
        app: from `tamis.serve.app.create_app`.
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
            # asyncio takes the backlog for the number of connections to accept at once, too; this is the kernel's.
            listener.listen(_BACKLOG)
