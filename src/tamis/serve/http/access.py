"""Who may come in: host names, request framing, foreign origins, API keys and the rate of requests."""

import base64
import binascii
import hashlib
import hmac
import math
import time
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from tamis.serve.http.responses import Problem
from tamis.serve.settings import Settings

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})  #: for monitors, which have no key
_CHEAP_PATHS: Final = OPEN_PATHS | {"/favicon.ico", "/metrics"}  #: do not count as requests of a client
_MAX_CLIENTS: Final = 10_000  #: clients whose rate is remembered
_IPV6_PREFIX: Final = 64  #: a provider gives one customer at least this many


class AccessPolicy:
    """The checks that every request passes, in order, before anything is done for it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._keys = [hashlib.sha256(key.encode()).digest() for key in settings.api_keys]
        self._rates = RateLimiter(settings.rate_limit, settings.rate_burst)
        self._proxies = tuple(ip_network(proxy, strict=False) for proxy in settings.trusted_proxies)

    def check(self, scope: Scope, headers: Headers) -> None:
        """Raise a `Problem` for a request that is not let in."""
        if "transfer-encoding" in headers and "content-length" in headers:
            # A proxy in front may have read one, and we the other: where one request ends, another may hide.
            raise Problem(400, "both Content-Length and Transfer-Encoding are given", {"Connection": "close"})
        if not self._accepts_host(headers):
            raise Problem(421, "this service has another host name; see --hostname")
        self._check_origin(scope, headers)
        if self._keys and scope["path"] not in OPEN_PATHS and not self._has_key(headers):
            # Browsers ask for the key as a password.
            raise Problem(401, "an API key is missing or wrong", {"WWW-Authenticate": 'Basic realm="Tamis"'})
        if scope["path"] not in _CHEAP_PATHS:
            seconds = self._rates.wait_time(self.client(scope, headers))
            if seconds > 0:
                raise Problem(429, "too many requests; retry later", {"Retry-After": str(math.ceil(seconds))})

    def client(self, scope: Scope, headers: Headers) -> str:
        """Return the address of a client: behind trusted proxies, the last one that they name and do not trust."""
        address = str((scope.get("client") or ("",))[0])
        if not self._proxies:
            return address
        chain = [part.strip() for part in headers.get("x-forwarded-for", "")[:1000].split(",") if part.strip()]
        for hop in [*chain[::-1], ""]:
            if not self._is_proxy(address) or not hop:
                return address
            address = hop.strip("[]")
        return address

    def _accepts_host(self, headers: Headers) -> bool:
        """Return whether the ``Host`` header is allowed. A page elsewhere could bind its own name to our address."""
        hostnames = self.settings.hostnames
        if not hostnames or "*" in hostnames:
            return True
        header = headers.get("host", "").lower()
        host = header[: header.find("]") + 1] if header.startswith("[") else header.partition(":")[0]
        return host in hostnames

    def allows_origin(self, origin: str) -> bool:
        """Return whether the pages of an origin may use the service."""
        allowed = self.settings.cors_origins
        return bool(origin) and ("*" in allowed or origin.lower() in allowed)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Refuse requests that a page elsewhere makes in the name of its visitor. A link may be followed."""
        site = headers.get("sec-fetch-site", "none").lower()
        if site in {"none", "same-origin"} or scope["path"] in _CHEAP_PATHS:
            return
        is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if is_link and scope["method"] in {"GET", "HEAD"}:
            return
        if not self.allows_origin(headers.get("origin", "")):
            raise Problem(403, "a page of another origin may not use this service; see --cors-origin")

    def _has_key(self, headers: Headers) -> bool:
        scheme, _, value = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key", "")
        if scheme.lower() == "bearer":
            given = value.strip()
        elif scheme.lower() == "basic":
            try:
                given = base64.b64decode(value, validate=True).decode().partition(":")[2]
            except (binascii.Error, ValueError):
                return False
        digest = hashlib.sha256(given.encode("utf-8", "replace")).digest()
        # All of them are compared, so that the time says nothing.
        return any([hmac.compare_digest(digest, key) for key in self._keys])  # noqa: C419

    def _is_proxy(self, address: str) -> bool:
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        return any(ip in network for network in self._proxies)


class RateLimiter:
    """A token bucket for each client.

    >>> limiter = RateLimiter(per_minute=60, burst=2)
    >>> [limiter.wait_time("192.0.2.1", now=0.0) > 0 for _ in range(3)]
    [False, False, True]
    >>> limiter.wait_time("192.0.2.1", now=1.5) > 0
    False
    """

    def __init__(self, per_minute: float, burst: int) -> None:
        self._per_second, self._burst = per_minute / 60, max(1, burst)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def wait_time(self, client: str, now: float | None = None) -> float:
        """Count a request, and return the seconds until it would be allowed: 0 if it is."""
        if not self._per_second:
            return 0.0
        now = time.monotonic() if now is None else now
        name = _client_network(client)
        tokens, counted = self._buckets.pop(name, (float(self._burst), now))
        tokens = min(float(self._burst), tokens + (now - counted) * self._per_second)
        allowed = tokens >= 1
        self._buckets[name] = (tokens - allowed, now)
        if len(self._buckets) > _MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._per_second


def _client_network(client: str) -> str:
    """Return the address of a client, of IPv6 its network: one client has as many addresses as it likes.

    >>> _client_network("2001:db8::1") == _client_network("2001:db8::2"), _client_network("192.0.2.1")
    (True, '192.0.2.1')
    """
    if ":" not in client:
        return client
    try:
        return str(ip_network(f"{client}/{_IPV6_PREFIX}", strict=False))
    except ValueError:
        return client[:64]
