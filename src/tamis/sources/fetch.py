"""Fetch pages over HTTP (extra ``fetch``): guarded where the socket is made, bounded in time, size and redirects."""

import asyncio
import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from tamis.errors import BlockedURLError, FetchError, FetchTimeoutError, InvalidURLError, MissingExtraError
from tamis.sources.decode import Decoder
from tamis.sources.fetched import Fetched
from tamis.sources.ssrf import NetworkScope, Policy, refusals

if TYPE_CHECKING:
    import yarl
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver

_AGENT: Final = "Mozilla/5.0 (compatible; Tamis; main-content reader)"
_HEADERS: Final = {
    "User-Agent": _AGENT,
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_ERRORS: Final = 400  #: HTTP: from here on a status is an error
_CHUNK: Final = 65536
_SECONDS: Final = 15.0
_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a page may cost.

    Attributes:
        seconds: for everything: names, connecting, redirects, reading.
        bytes: of the decoded body, and of the encoded one.
        redirects: hops after the first address.
        per_host: connections to one host at a time.
    """

    seconds: float = _SECONDS
    bytes: int = _BYTES
    redirects: int = 5
    per_host: int = 4


class Fetcher:
    """Fetches pages, many at a time, within a policy and limits. Close it when done, or use ``async with``.

    Proxies and passwords of the environment are ignored, and no cookie is kept.
    """

    def __init__(
        self, policy: Policy | None = None, limits: Limits | None = None, resolver: "AbstractResolver | None" = None
    ) -> None:
        aiohttp = _aiohttp()
        self.policy, self.limits = policy or Policy(), limits or Limits()
        self._session: ClientSession = aiohttp.ClientSession(
            # The names' answers are not what is checked, so it does not matter who gives them or when.
            connector=aiohttp.TCPConnector(
                socket_factory=self.policy.socket, limit_per_host=self.limits.per_host, resolver=resolver
            ),
            timeout=aiohttp.ClientTimeout(total=self.limits.seconds),
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,  # bodies are decoded here, a bounded piece at a time
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def get(self, url: str) -> Fetched:
        """Fetch a page."""
        aiohttp = _aiohttp()
        seen: list[str] = []
        token = refusals.set(seen)
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._follow(url)
        except TimeoutError as error:
            raise FetchTimeoutError(f"no answer within {self.limits.seconds:g} seconds") from error
        except FetchError:
            raise
        except (aiohttp.ClientError, ValueError, OSError) as error:
            if seen:
                raise BlockedURLError("the address leads into a network that is not read from") from error
            raise FetchError(_said(error)) from error
        finally:
            refusals.reset(token)

    async def _follow(self, url: str) -> Fetched:
        address = self._checked(url)
        for _ in range(self.limits.redirects + 1):
            async with self._session.get(address, allow_redirects=False) as response:
                onward = response.headers.get("Location") if response.status in _REDIRECTS else None
                if onward is None:
                    return await self._read(response)
                response.close()  # the body of a redirect is never read, whatever it claims to be
                address = self._checked(onward, address)
        raise FetchError(f"more than {self.limits.redirects} redirects")

    def _checked(self, url: str, base: "yarl.URL | None" = None) -> "yarl.URL":
        import yarl  # noqa: PLC0415 (comes with aiohttp)

        try:
            address = yarl.URL(url.strip())
            address = base.join(address) if base is not None else address
            host, port = address.host, address.port
        except (ValueError, UnicodeError) as error:
            raise InvalidURLError(f"not an address: {url[:200]!r}") from error
        self.policy.check(address.scheme, port)
        if not host:
            raise InvalidURLError(f"not an address: {url[:200]!r}")
        return address

    async def _read(self, response: "ClientResponse") -> Fetched:
        if response.status >= _ERRORS:
            response.close()
            raise FetchError(f"the server answered {response.status} {response.reason or ''}".rstrip())
        decoder = Decoder(response.headers.get("Content-Encoding", ""), self.limits.bytes)
        try:
            async for chunk in response.content.iter_chunked(_CHUNK):
                decoder.feed(chunk)
        except BaseException:
            response.close()  # what is left of it is not read
            raise
        storable = "no-store" not in response.headers.get("Cache-Control", "").lower()
        return Fetched(decoder.done(), str(response.url), response.charset, storable)


def fetch(url: str, *, timeout: float = _SECONDS, max_bytes: int = _BYTES, allow_private: bool = False) -> Fetched:
    """Download one page (extra ``fetch``), for `tamis.extract`.

    Connections into private networks and to unusual ports are refused, as in the service, because the URL may come
    from a page.

    Args:
        url: an ``http`` or ``https`` URL.
        timeout: seconds for everything: resolving, connecting, redirects, reading.
        max_bytes: of the body, before and after decoding.
        allow_private: connect to private and loopback addresses and to any port, too.
    """
    policy = Policy(scope=NetworkScope.ANY, ports=None) if allow_private else Policy()

    async def run() -> Fetched:
        async with Fetcher(policy, Limits(seconds=timeout, bytes=max_bytes)) as fetcher:
            return await fetcher.get(url)

    _aiohttp()
    return asyncio.run(run())


def _aiohttp() -> Any:  # noqa: ANN401 (a module)
    try:
        import aiohttp  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("aiohttp", "fetch") from error
    return aiohttp


def _said(error: BaseException) -> str:
    """Return what went wrong, without the wrapping of libraries."""
    inner = getattr(error, "os_error", None)
    if isinstance(inner, socket.gaierror):
        return "there is no such host"
    if isinstance(inner, OSError) and inner.errno:
        return f"cannot connect: {os.strerror(inner.errno).lower()}"
    return str(error) or type(error).__name__
