"""`Settings`: the configuration of the service, as one value."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tamis.sources.fetch import Limits
from tamis.sources.ssrf import Policy

AccessLog = Literal["off", "plain", "json"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service may do, and how much. Sizes are in bytes, times in seconds.

    Attributes:
        policy: the networks and ports that pages are fetched from.
        limits: what fetching a page may cost.
        workers: the number of worker processes.
        max_requests: requests that are worked on at a time.
        max_waiting: requests that wait until others are done; the next one gets 503.
        wait_timeout: time for which a request waits until it gets 503.
        max_batches: batches at a time; the next one gets 503.
        max_connections: open connections. Beyond it, those are closed that have waited longest with their request.
        head_timeout: time for a client to send the head of a request.
        body_timeout: time for a client to send a body, or a line of a batch.
        request_timeout: time for a request in total, until its response has been sent.
        batch_timeout: time for a batch in total.
        cpu_timeout: CPU time per page.
        wall_timeout: time on the clock per page in a worker.
        max_memory: memory of a worker process.
        max_body: size of a request body, and of one line of a batch.
        max_batch: size of a batch.
        max_buffered: size of all request bodies and responses that are held at a time; beyond it, 503.
        max_output: size of the response for one page.
        max_nodes: elements and text runs of a page that are read; the rest is left out, with a warning.
        cache_size: size of the responses kept in memory.
        cache_file: an SQLite file that keeps responses over restarts, if given.
        cache_ttl: time for which a response is fresh, unless the page's server says less.
        drain_timeout: time for requests in flight to end when the service is stopped.
        hostnames: the accepted values of the ``Host`` header, without the port; empty accepts all.
        api_keys: the keys of clients; empty serves everybody.
        rate_limit: requests per minute and client; 0 is no limit.
        rate_burst: requests that a client may send at once.
        cors_origins: the origins whose pages may use the API; ``*`` is all.
        trusted_proxies: addresses of proxies whose ``X-Forwarded-For`` names the client.
        request_headers: headers that a client may have sent to a page's server.
        access_log: whether each request is logged, and how.
        render: whether clients may have pages rendered by Chromium.
        render_timeout: time for Chromium to render a page.
        max_renders: pages that Chromium renders at a time.
    """

    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    max_requests: int = 64
    max_waiting: int = 512
    wait_timeout: float = 10
    max_batches: int = 8
    max_connections: int = 2000
    head_timeout: float = 10
    body_timeout: float = 30
    request_timeout: float = 120
    batch_timeout: float = 1800
    cpu_timeout: float = 10
    wall_timeout: float = 60
    max_memory: int = 2_000_000_000
    max_body: int = 10_000_000
    max_batch: int = 1_000_000_000
    max_buffered: int = 256_000_000
    max_output: int = 20_000_000
    max_nodes: int = 1_000_000
    cache_size: int = 64_000_000
    cache_file: Path | None = None
    cache_ttl: float = 600
    drain_timeout: float = 30
    hostnames: frozenset[str] = frozenset()
    api_keys: frozenset[str] = frozenset()
    rate_limit: float = 0
    rate_burst: int = 20
    cors_origins: frozenset[str] = frozenset()
    trusted_proxies: frozenset[str] = frozenset()
    request_headers: frozenset[str] = frozenset({"accept-language", "user-agent"})
    access_log: AccessLog = "off"
    render: bool = False
    render_timeout: float = 20
    max_renders: int = 2
