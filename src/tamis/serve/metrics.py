"""What the service has done, in the text format that Prometheus reads."""

from bisect import bisect_left
from collections import Counter
from typing import Final

#: Seconds: the upper edges of the histogram, Prometheus' own defaults without the finest.
_EDGES: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counts of requests and of fetches, and how long requests took.

    >>> metrics = Metrics()
    >>> metrics.request("/read", 200, 0.02)
    >>> print(metrics.render({"tamis_queue": 1}).splitlines()[2])
    tamis_requests_total{path="/read",status="200"} 1
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._fetches: Counter[str] = Counter()
        self._times: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request. `path` is the route's, so that there are few of them."""
        self._requests[path, status] += 1
        self._times.setdefault(path, [0] * (len(_EDGES) + 1))[bisect_left(_EDGES, seconds)] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]  # a sum, which Counter keeps as well

    def fetch(self, result: str) -> None:
        """Count a fetch by how it ended."""
        self._fetches[result] += 1

    def render(self, gauges: dict[str, float]) -> str:
        """Return everything as text, and the values of some gauges."""
        out = _head("tamis_requests_total", "counter", "Requests by route and status.")
        for (path, status), count in sorted(self._requests.items()):
            out.append(f'tamis_requests_total{{path="{path}",status="{status}"}} {count}')
        out += _head("tamis_fetches_total", "counter", "Pages fetched, by how it ended.")
        out += [f'tamis_fetches_total{{result="{name}"}} {count}' for name, count in sorted(self._fetches.items())]
        out += _head("tamis_request_seconds", "histogram", "How long requests took.")
        for path, counts in sorted(self._times.items()):
            total = 0
            for edge, count in zip((*_EDGES, "+Inf"), counts, strict=True):
                total += count
                out.append(f'tamis_request_seconds_bucket{{path="{path}",le="{edge}"}} {total}')
            out.append(f'tamis_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}')
            out.append(f'tamis_request_seconds_count{{path="{path}"}} {total}')
        for name, value in gauges.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            out += [*_head(name, kind, name.removeprefix("tamis_").replace("_", " ") + "."), f"{name} {value:g}"]
        return "\n".join(out) + "\n"


def _head(name: str, kind: str, said: str) -> list[str]:
    return [f"# HELP {name} {said}", f"# TYPE {name} {kind}"]
