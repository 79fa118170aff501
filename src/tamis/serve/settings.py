"""How the service is set up: one value, made by the command line or by a test."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from tamis.sources.fetch import Limits
from tamis.sources.ssrf import Policy


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service may do, and how much.

    Attributes:
        policy: which addresses are read.
        limits: what fetching a page may cost.
        workers: processes that extract.
        requests: that are worked on at a time; one more is told to come back.
        cpu: seconds of processor time for one page.
        wall_timeout: seconds that a page may take in a worker, whatever it waits for.
        memory: bytes that a worker may hold.
        body: bytes of a request, and of one line of a batch.
        batch: bytes of a whole batch.
        body_seconds: time for a client to send a request.
        cache: bytes kept in memory.
        cache_file: where answers are kept over restarts, if anywhere.
        cache_seconds: how long an answer is good for.
        names: what the service may be called in the ``Host`` header; empty allows all.
    """

    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    requests: int = 64
    cpu: float = 10
    wall_timeout: float = 60
    memory: int = 2_000_000_000
    body: int = 10_000_000
    batch: int = 1_000_000_000
    body_seconds: float = 30
    cache: int = 64_000_000
    cache_file: Path | None = None
    cache_seconds: float = 600
    names: frozenset[str] = frozenset()
