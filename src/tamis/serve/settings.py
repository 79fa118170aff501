"""`Settings`: the configuration of the service, as one value."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from tamis.browser.modes import RenderMode
from tamis.sources.fetch import USER_AGENT, FetchLimits
from tamis.sources.guard import Policy
from tamis.sources.quantities import Duration, Size

# ruff: noqa: RUF009 (`Size` and `Duration` are numbers)

AccessLog = Literal["off", "plain", "json"]
#: Sections of the help.
ACCESS: Final = "Access"
FETCHING: Final = "Fetching and rendering"
LIMITS: Final = "Limits"
OPERATION: Final = "Operation"
_SMALLEST: Final = 1000  #: bytes; a smaller size is a number of megabytes without its unit


@dataclass(frozen=True, slots=True)
class Setting:
    """What the command line says of a field of `Settings`: ``max_body`` is ``--max-body`` and ``TAMIS_MAX_BODY``.

    Attributes:
        help: what it is.
        panel: the section of the help that lists it.
        minimum: the smallest value.
    """

    help: str
    panel: str
    minimum: float | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service may do, and how much. Sizes are in bytes, times in seconds; a `Setting` says what a field is.

    Attributes:
        policy: the networks and ports that pages are fetched from.
        limits: what fetching a page may cost.
        max_connections: beyond it, those are closed that have waited longest with their request.
        cache_ttl: unless the page's server says less.
        hostnames: the accepted values of the ``Host`` header, without the port; empty accepts all.
        api_keys: the keys of clients; empty serves everybody.
        cors_origins: the origins whose pages may use the API; ``*`` is all.
        trusted_proxies: addresses of proxies whose ``X-Forwarded-For`` names the client.
        request_headers: headers that a client may have sent to a page's server.
        render: which pages Chromium renders if a client does not say; with never, no client may ask for it.
    """

    policy: Policy = field(default_factory=Policy)
    limits: FetchLimits = field(default_factory=FetchLimits)
    proxy: Annotated[
        str | None, Setting("HTTP proxy: its URL, or env for HTTPS_PROXY, HTTP_PROXY and NO_PROXY.", FETCHING)
    ] = None
    user_agent: Annotated[str, Setting("The User-Agent header.", FETCHING)] = USER_AGENT
    retries: Annotated[int, Setting("How often a server that is busy is asked again.", FETCHING, 0)] = 0
    workers: Annotated[int, Setting("Worker processes; by default one per core.", OPERATION, 1)] = field(
        default_factory=lambda: max(1, os.cpu_count() or 1)
    )
    max_requests: Annotated[int, Setting("Requests that are worked on at a time.", LIMITS, 1)] = 64
    max_waiting: Annotated[int, Setting("Requests that wait for others; the next one gets 503.", LIMITS, 0)] = 512
    wait_timeout: Annotated[Duration, Setting("Time that a request waits for others.", LIMITS, 0.1)] = Duration(10)
    max_batches: Annotated[int, Setting("Batches at a time; the next one gets 503.", LIMITS, 0)] = 8
    max_connections: Annotated[int, Setting("Open connections.", LIMITS, 1)] = 2000
    head_timeout: Annotated[Duration, Setting("Time for a client to send the head of a request.", LIMITS, 0.1)] = (
        Duration(10)
    )
    body_timeout: Annotated[Duration, Setting("Time for a client to send a body.", LIMITS, 0.1)] = Duration(30)
    request_timeout: Annotated[Duration, Setting("Time for a request until its response is sent.", LIMITS, 1)] = (
        Duration(120)
    )
    batch_timeout: Annotated[Duration, Setting("Time for a batch until its response is sent.", LIMITS, 1)] = Duration(
        1800
    )
    cpu_timeout: Annotated[Duration, Setting("CPU time per page.", LIMITS, 0.01)] = Duration(10)
    wall_timeout: Annotated[Duration, Setting("Time on the clock per page in a worker process.", LIMITS, 0.1)] = (
        Duration(60)
    )
    max_memory: Annotated[Size, Setting("Memory of a worker process.", LIMITS, 100_000_000)] = Size(2_000_000_000)
    max_body: Annotated[Size, Setting("Size of a request body.", LIMITS, _SMALLEST)] = Size(10_000_000)
    max_batch: Annotated[Size, Setting("Size of a batch.", LIMITS, _SMALLEST)] = Size(1_000_000_000)
    max_buffered: Annotated[
        Size, Setting("Size of all bodies and responses that are held at a time.", LIMITS, 1_000_000)
    ] = Size(256_000_000)
    max_output: Annotated[Size, Setting("Size of the output for one page.", LIMITS, _SMALLEST)] = Size(20_000_000)
    max_nodes: Annotated[int, Setting("Elements and text runs of a page that are read.", LIMITS, 1)] = 1_000_000
    cache_size: Annotated[Size, Setting("Size of the responses kept in memory.", OPERATION, 0)] = Size(64_000_000)
    cache_file: Annotated[Path | None, Setting("SQLite file that keeps responses over restarts.", OPERATION)] = None
    cache_ttl: Annotated[Duration, Setting("Time for which a response is fresh.", OPERATION, 0)] = Duration(600)
    drain_timeout: Annotated[Duration, Setting("Time for requests in flight to end at a stop.", OPERATION, 1)] = (
        Duration(30)
    )
    hostnames: frozenset[str] = frozenset()
    api_keys: frozenset[str] = frozenset()
    rate_limit: Annotated[float, Setting("Requests per minute and client; 0 for no limit.", ACCESS, 0)] = 0
    rate_burst: Annotated[int, Setting("Requests that a client may send at once.", ACCESS, 1)] = 20
    cors_origins: frozenset[str] = frozenset()
    trusted_proxies: frozenset[str] = frozenset()
    request_headers: frozenset[str] = frozenset({"accept-language", "user-agent"})
    access_log: Annotated[AccessLog, Setting("Log of requests.", OPERATION)] = "off"
    render: Annotated[RenderMode, Setting("Clients choose for each page, unless it is never.", FETCHING)] = "never"
    render_timeout: Annotated[Duration, Setting("Time for Chromium to render a page.", FETCHING, 0.1)] = Duration(20)
    max_renders: Annotated[int, Setting("Pages that Chromium renders at a time.", FETCHING, 1)] = 2
