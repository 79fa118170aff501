"""The access log: one line for each request, as text or JSON, with its times and an identifier.

A line has the path without the query, because the query has the URL of the page that somebody reads.
"""

import json
import logging
import re
import secrets
import time
from contextvars import ContextVar
from typing import Final

from starlette.types import Scope

from tamis.serve.settings import AccessLog

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
