"""Download pages over HTTP (extra ``fetch``): guarded at the socket, bounded in time, size and redirects."""

import asyncio
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from tamis.errors import BlockedURLError, FetchError, FetchTimeoutError, InvalidURLError, MissingExtraError
from tamis.sources.decode import Decoder
from tamis.sources.fetched import Fetched
from tamis.sources.ssrf import BLOCKED_MESSAGE, NetworkScope, Policy, blocked_addresses

if TYPE_CHECKING:
    import yarl
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver

_HEADERS: Final = {
    "User-Agent": "Mozilla/5.0 (compatible; Tamis; main-content reader)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
_REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_FIRST_ERROR_STATUS: Final = 400
_CHUNK_BYTES: Final = 65536
_DEFAULT_TIMEOUT: Final = 15.0
_DEFAULT_MAX_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What downloading a page may cost.

    Attributes:
        timeout: seconds in total: resolving, connecting, redirects, reading.
        max_bytes: of the body, before and after decoding.
        max_redirects: redirects that are followed.
        connections_per_host: simultaneous connections to one host.
    """

    timeout: float = _DEFAULT_TIMEOUT
    max_bytes: int = _DEFAULT_MAX_BYTES
    max_redirects: int = 5
    connections_per_host: int = 4


class Fetcher:
    """Downloads pages concurrently, within a policy and limits. Close it when done, or use ``async with``.

    Proxies and credentials from the environment are ignored, and no cookies are kept.
    """

    def __init__(
        self, policy: Policy | None = None, limits: Limits | None = None, resolver: "AbstractResolver | None" = None
    ) -> None:
        aiohttp = _import_aiohttp()
        self.policy, self.limits = policy or Policy(), limits or Limits()
        self._session: ClientSession = aiohttp.ClientSession(
            # The policy checks sockets, not the resolver's results, so it does not matter which resolver is used.
            connector=aiohttp.TCPConnector(
                socket_factory=self.policy.socket,
                limit_per_host=self.limits.connections_per_host,
                resolver=resolver,
            ),
            timeout=aiohttp.ClientTimeout(total=self.limits.timeout),
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,  # `Decoder` decodes bodies in bounded pieces
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def get(self, url: str) -> Fetched:
        """Download a page.

        Raises:
            InvalidURLError: the URL is invalid, or its scheme or port is not allowed.
            BlockedURLError: the URL, or a redirect, leads to a network that is not allowed.
            FetchTimeoutError: the page did not arrive in time.
            FetchError: the download failed otherwise.
        """
        aiohttp = _import_aiohttp()
        blocked: list[str] = []
        token = blocked_addresses.set(blocked)
        try:
            async with asyncio.timeout(self.limits.timeout):
                return await self._follow(url)
        except TimeoutError as error:
            raise FetchTimeoutError(f"no response within {self.limits.timeout:g} seconds") from error
        except FetchError:
            raise
        except (aiohttp.ClientError, ValueError, OSError) as error:
            if blocked:
                raise BlockedURLError(BLOCKED_MESSAGE) from error
            raise FetchError(_describe(error)) from error
        finally:
            blocked_addresses.reset(token)

    async def _follow(self, url: str) -> Fetched:
        target = self._check_url(url)
        for _ in range(self.limits.max_redirects + 1):
            async with self._session.get(target, allow_redirects=False) as response:
                location = response.headers.get("Location") if response.status in _REDIRECT_STATUSES else None
                if location is None:
                    return await self._read(response)
                response.close()  # the body of a redirect is never read, whatever it claims to be
                target = self._check_url(location, target)
        raise FetchError(f"more than {self.limits.max_redirects} redirects")

    def _check_url(self, url: str, base: "yarl.URL | None" = None) -> "yarl.URL":
        import yarl  # noqa: PLC0415 (comes with aiohttp)

        try:
            target = yarl.URL(url.strip())
            target = base.join(target) if base is not None else target
            host, port = target.host, target.port
        except (ValueError, UnicodeError) as error:
            raise InvalidURLError(f"invalid URL: {url[:200]!r}") from error
        self.policy.check_url(target.scheme, port)
        if not host:
            raise InvalidURLError(f"invalid URL: {url[:200]!r}")
        return target

    async def _read(self, response: "ClientResponse") -> Fetched:
        if response.status >= _FIRST_ERROR_STATUS:
            response.close()
            raise FetchError(f"the server returned {response.status} {response.reason or ''}".rstrip())
        decoder = Decoder(response.headers.get("Content-Encoding", ""), self.limits.max_bytes)
        try:
            async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
                decoder.feed(chunk)
        except BaseException:
            response.close()  # the rest of the body is not read
            raise
        storable = "no-store" not in response.headers.get("Cache-Control", "").lower()
        return Fetched(decoder.finish(), str(response.url), response.charset, storable)


def fetch(
    url: str,
    *,
    timeout: float = _DEFAULT_TIMEOUT,
    max_bytes: int = _DEFAULT_MAX_BYTES,
    allow_private: bool = False,
) -> Fetched:
    """Download one page (extra ``fetch``), for `tamis.extract`.

    Connections into private networks and to unusual ports are refused, as in the service, because the URL may come
    from a page.

    This function blocks. It also works inside a running event loop, as in a notebook; an asynchronous program that
    must not block uses `tamis.sources.fetch.Fetcher`.

    Args:
        url: an ``http`` or ``https`` URL.
        timeout: seconds in total: resolving, connecting, redirects, reading.
        max_bytes: of the body, before and after decoding.
        allow_private: also connect to private and loopback addresses, and to any port.
    """
    _import_aiohttp()
    policy = Policy(scope=NetworkScope.ANY, ports=None) if allow_private else Policy()

    async def download() -> Fetched:
        async with Fetcher(policy, Limits(timeout=timeout, max_bytes=max_bytes)) as fetcher:
            return await fetcher.get(url)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(download())
    with ThreadPoolExecutor(1, "tamis-fetch") as executor:  # a thread can run one event loop only
        return executor.submit(lambda: asyncio.run(download())).result()


def _import_aiohttp() -> Any:  # noqa: ANN401 (a module)
    try:
        import aiohttp  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("aiohttp", "fetch") from error
    return aiohttp


def _describe(error: BaseException) -> str:
    """Return what went wrong, without the wrapping of libraries."""
    cause = getattr(error, "os_error", None)
    if isinstance(cause, socket.gaierror):
        return "unknown host"
    if isinstance(cause, OSError) and cause.errno:
        return f"cannot connect: {os.strerror(cause.errno).lower()}"
    return str(error) or type(error).__name__
