"""`Settings`: the configuration of the service, as one value."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from tamis.sources.fetch import Limits
from tamis.sources.ssrf import Policy


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service may do, and how much.

    Attributes:
        policy: the networks and ports that pages are fetched from.
        limits: what fetching a page may cost.
        workers: the number of worker processes.
        max_requests: concurrent requests; the next one gets 503.
        cpu_timeout: seconds of CPU time per page.
        wall_timeout: seconds on the clock per page in a worker.
        max_memory: bytes that a worker may hold.
        max_body: bytes of a request body, and of one line of a batch.
        max_batch: bytes of a batch.
        body_timeout: seconds for a client to send a body, or the next piece of a batch.
        cache_size: bytes of responses kept in memory.
        cache_file: an SQLite file that keeps responses over restarts, if given.
        cache_ttl: seconds for which a response is fresh.
        hostnames: the accepted values of the ``Host`` header, without the port; empty accepts all.
    """

    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    max_requests: int = 64
    cpu_timeout: float = 10
    wall_timeout: float = 60
    max_memory: int = 2_000_000_000
    max_body: int = 10_000_000
    max_batch: int = 1_000_000_000
    body_timeout: float = 30
    cache_size: int = 64_000_000
    cache_file: Path | None = None
    cache_ttl: float = 600
    hostnames: frozenset[str] = frozenset()
