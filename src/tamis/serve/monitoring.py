"""The access log, and counters and histograms of the service."""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.types import Scope

from tamis.serve.settings import AccessLog

# The access log: one line for each request, as text or JSON, with its times and an identifier.
#
# A line has the path without the query, because the query has the URL of the page that somebody reads.

log = logging.getLogger("tamis.access")

REQUEST_ID: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
#: Seconds of the parts of a request: fetch, render, work.
_times: ContextVar[dict[str, float] | None] = ContextVar("times", default=None)


def begin_times() -> dict[str, float]:
    """Return the times of a request, which parts of it add to."""
    times: dict[str, float] = {}
    _times.set(times)
    return times


def add_time(name: str, seconds: float) -> None:
    """Add the time of a part to the current request."""
    times = _times.get()
    if times is not None:
        times[name] = times.get(name, 0.0) + seconds


def request_id(given: str | None) -> str:
    """Return the identifier that the client, or a proxy, gave the request, or a new one.

    >>> request_id("a-1"), len(request_id("not valid"))
    ('a-1', 16)
    """
    return given if given and _VALID_ID.fullmatch(given) else secrets.token_hex(8)


def write_line(
    style: AccessLog, scope: Scope, client: str, status: int, size: int, times: dict[str, float], identifier: str
) -> None:
    """Log a request."""
    if style == "off":
        return
    rounded = {name: round(seconds, 4) for name, seconds in times.items()}
    path = scope["path"][:200]
    if path.lower().startswith(("/http:", "/https:")):
        path = "/{url}"
    if style == "json":
        values = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "client": client,
            "method": scope["method"],
            "path": path,
            "status": status,
            "bytes": size,
            "seconds": rounded,
            "id": identifier,
        }
        log.info("%s", json.dumps(values, ensure_ascii=True))
        return
    shown = " ".join(f"{name}={seconds:.3f}" for name, seconds in rounded.items())
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    safe = path.encode("ascii", "backslashreplace").decode().replace("\n", "\\n").replace("\r", "\\r")
    log.info('%s %s "%s %s" %d %d %s id=%s', stamp, client, scope["method"], safe, status, size, shown, identifier)


# Counters and histograms of the service, for Prometheus.

#: Upper bounds of the histogram in seconds: Prometheus' defaults without the smallest.
_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics(Collector):
    """Counts requests and fetches, and the duration of requests.

    Args:
        gauges: returns current values by name; a name that ends in ``_total`` is that of a counter.

    >>> metrics = Metrics(lambda: {"tamis_queue": 1})
    >>> metrics.request("/read", 200, 0.02)
    >>> print(metrics.render().decode().splitlines()[2])
    tamis_requests_total{path="/read",status="200"} 1.0
    """

    def __init__(self, gauges: Callable[[], Mapping[str, float]]) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._gauges, self._registry = gauges, CollectorRegistry()
        self._requests = Counter(
            "tamis_requests", "Requests by route and status.", ["path", "status"], registry=self._registry
        )
        self._fetches = Counter("tamis_fetches", "Pages fetched, by result.", ["result"], registry=self._registry)
        self._seconds = Histogram(
            "tamis_request_seconds", "Duration of requests.", ["path"], buckets=_BUCKETS, registry=self._registry
        )
        self._registry.register(self)

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request. `path` is the path of the route, so that there are few."""
        self._requests.labels(path, status).inc()
        self._seconds.labels(path).observe(seconds)

    def fetch(self, result: str) -> None:
        """Count a fetch by its result."""
        self._fetches.labels(result).inc()

    def describe(self) -> Iterable[Metric]:
        """Return no names: the gauges are read when they are asked for."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Yield the gauges."""
        for name, value in self._gauges().items():
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            yield family(name, name.removeprefix("tamis_").replace("_", " ") + ".", value=value)

    def render(self) -> bytes:
        """Return all metrics as text."""
        return generate_latest(self._registry)
