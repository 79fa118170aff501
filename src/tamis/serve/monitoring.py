"""The access log, and counters and histograms of the service."""

import json
import logging
import re
import secrets
import time
from bisect import bisect_left
from collections import Counter
from contextvars import ContextVar
from typing import Final

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


# Counters and histograms of the service, in the text format of Prometheus.

#: Upper bounds of the histogram in seconds: Prometheus' defaults without the smallest.
_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counts requests and fetches, and the duration of requests.

    >>> metrics = Metrics()
    >>> metrics.request("/read", 200, 0.02)
    >>> print(metrics.render({"tamis_queue": 1}).splitlines()[2])
    tamis_requests_total{path="/read",status="200"} 1
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._fetches: Counter[str] = Counter()
        self._durations: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request. `path` is the path of the route, so that there are few."""
        self._requests[path, status] += 1
        self._durations.setdefault(path, [0] * (len(_BUCKETS) + 1))[bisect_left(_BUCKETS, seconds)] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]  # a Counter also sums floats

    def fetch(self, result: str) -> None:
        """Count a fetch by its result."""
        self._fetches[result] += 1

    def render(self, gauges: dict[str, float]) -> str:
        """Return all metrics as text, with the values of some gauges."""
        lines = _header("tamis_requests_total", "counter", "Requests by route and status.")
        for (path, status), count in sorted(self._requests.items()):
            lines.append(f'tamis_requests_total{{path="{path}",status="{status}"}} {count}')
        lines += _header("tamis_fetches_total", "counter", "Pages fetched, by result.")
        lines += [f'tamis_fetches_total{{result="{name}"}} {count}' for name, count in sorted(self._fetches.items())]
        lines += _header("tamis_request_seconds", "histogram", "Duration of requests.")
        for path, counts in sorted(self._durations.items()):
            total = 0
            for bound, count in zip((*_BUCKETS, "+Inf"), counts, strict=True):
                total += count
                lines.append(f'tamis_request_seconds_bucket{{path="{path}",le="{bound}"}} {total}')
            lines.append(f'tamis_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}')
            lines.append(f'tamis_request_seconds_count{{path="{path}"}} {total}')
        for name, value in gauges.items():
            metric_type = "counter" if name.endswith("_total") else "gauge"
            lines += [
                *_header(name, metric_type, name.removeprefix("tamis_").replace("_", " ") + "."),
                f"{name} {value:g}",
            ]
        return "\n".join(lines) + "\n"


def _header(name: str, metric_type: str, summary: str) -> list[str]:
    return [f"# HELP {name} {summary}", f"# TYPE {name} {metric_type}"]
