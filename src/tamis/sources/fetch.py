"""Download pages over HTTP (extra ``fetch``): guarded at the socket, bounded in time, size and redirects."""

import asyncio
import os
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Self

from tamis.errors import (
    BlockedURLError,
    BusyError,
    FetchError,
    FetchTimeoutError,
    InvalidURLError,
    MissingExtraError,
)
from tamis.sources.content_encodings import Decoder, accepted_encodings
from tamis.sources.fetched import Fetched
from tamis.sources.guard import BLOCKED_MESSAGE, NetworkScope, Policy, ThreadResolver, blocked_addresses

if TYPE_CHECKING:
    import yarl
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver

_HEADERS: Final = {
    "User-Agent": "Mozilla/5.0 (compatible; Tamis; main-content reader)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
}
#: Request headers with which a page is somebody's own: what comes back is not stored.
_CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
_REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_FIRST_ERROR_STATUS: Final = 400
#: Chunks of a chunked body: so many, and one more for each 64 bytes. A server that flushes every few words stays
#: below; one that sends single bytes without end costs 10 µs of CPU time for each.
_MAX_CHUNKS: Final = 20_000
_BYTES_PER_CHUNK: Final = 64
_MAX_INTERIM: Final = 16  #: interim responses (100 Continue, 103 Early Hints) before the real one
_DEFAULT_TIMEOUT: Final = 15.0
_DEFAULT_MAX_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class FetchLimits:
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
        self,
        policy: Policy | None = None,
        limits: FetchLimits | None = None,
        resolver: "AbstractResolver | None" = None,
    ) -> None:
        aiohttp = _import_aiohttp()
        self.policy, self.limits = policy or Policy(), limits or FetchLimits()
        self._session: ClientSession = aiohttp.ClientSession(
            # The policy checks sockets, not the resolver's results, so it does not matter which resolver is used.
            connector=aiohttp.TCPConnector(
                socket_factory=self.policy.socket,
                limit_per_host=self.limits.connections_per_host,
                resolver=resolver or ThreadResolver(),
            ),
            timeout=aiohttp.ClientTimeout(total=self.limits.timeout),
            headers={**_HEADERS, "Accept-Encoding": accepted_encodings()},
            response_class=_response_class(),
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

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 (a limit of the whole)
    ) -> Fetched:
        """Download a page.

        Args:
            url: its URL.
            headers: request headers, in addition to the usual ones or instead of them. A redirect to another origin
                does not get them.
            timeout: seconds in total, if less than the limit.

        Raises:
            InvalidURLError: the URL is invalid, or its scheme or port is not allowed.
            BlockedURLError: the URL, or a redirect, leads to a network that is not allowed.
            FetchTimeoutError: the page did not arrive in time.
            FetchError: the download failed otherwise.
        """
        aiohttp = _import_aiohttp()
        seconds = min(timeout or self.limits.timeout, self.limits.timeout)
        blocked: list[str] = []
        token = blocked_addresses.set(blocked)
        try:
            async with asyncio.timeout(seconds):
                return await self._follow(url, headers or {})
        except TimeoutError as error:
            raise FetchTimeoutError(f"no response within {seconds:g} seconds") from error
        except (FetchError, BusyError):
            raise
        except (aiohttp.ClientError, ValueError, OSError) as error:
            if blocked:
                raise BlockedURLError(BLOCKED_MESSAGE) from error
            raise FetchError(_describe(error)) from error
        finally:
            blocked_addresses.reset(token)

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Fetched:
        target = first = self._check_url(url)
        credentials = bool(target.user or target.password or _CREDENTIALS & {name.lower() for name in headers})
        for _ in range(self.limits.max_redirects + 1):
            own = headers if target.origin() == first.origin() else {}
            async with self._session.get(target, headers=own, allow_redirects=False) as response:
                location = response.headers.get("Location") if response.status in _REDIRECT_STATUSES else None
                if location is None:
                    return await self._read(response, credentials=credentials)
                response.close()  # the body of a redirect is never read, whatever it claims to be
                target = self._check_url(location, target)
        raise FetchError(f"more than {self.limits.max_redirects} redirects")

    def _check_url(self, url: str, base: "yarl.URL | None" = None) -> "yarl.URL":
        target = parse_url(url, base)
        self.policy.check_url(target.scheme, target.port)
        if not target.host:
            raise _invalid_url(url, base)
        return target

    async def _read(self, response: "ClientResponse", *, credentials: bool) -> Fetched:
        if response.status >= _FIRST_ERROR_STATUS:
            response.close()
            error = FetchError(f"the server returned {_describe_status(response.status)}")
            error.http_status = response.status
            raise error
        try:
            decoder = Decoder(response.headers.get("Content-Encoding", ""), self.limits.max_bytes)
            chunks = received = 0
            async for piece, is_chunk_end in response.content.iter_chunks():
                chunks, received = chunks + is_chunk_end, received + len(piece)
                if chunks > _MAX_CHUNKS + received // _BYTES_PER_CHUNK:
                    raise FetchError("the page arrives in too many pieces")  # noqa: TRY301 (the body is left below)
                decoder.feed(piece)
        except BaseException:
            response.close()  # the rest of the body is not read
            raise
        directives = _cache_directives(response.headers.get("Cache-Control", ""))
        storable = not credentials and not {"no-store", "no-cache", "private"} & directives.keys()
        max_age = directives.get("s-maxage") or directives.get("max-age") or ""
        url = response.url.with_user(None)  # and without a password
        return Fetched(
            decoder.finish(),
            str(url),
            response.charset,
            storable,
            response.content_type.lower() if "Content-Type" in response.headers else None,
            int(max_age[:9]) if max_age.isdecimal() and max_age.isascii() else None,
            response.status,
        )


def parse_url(url: str, base: "yarl.URL | None" = None) -> "yarl.URL":
    """Return a URL as the HTTP client reads it, relative to a base if given. One that is invalid is an error."""
    import yarl  # noqa: PLC0415 (comes with aiohttp)

    try:
        target = yarl.URL(url.strip())
        target = base.join(target) if base is not None else target
        _ = target.host, target.port  # some versions check them only when they are read
    except (ValueError, IndexError) as error:  # yarl 1.25 gives an IndexError for ``//[::]@``
        raise _invalid_url(url, base) from error
    return target


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
    if not isinstance(url, str):
        raise InvalidURLError(f"a URL is a str, not {type(url).__name__}")
    _import_aiohttp()
    policy = Policy(scope=NetworkScope.ANY, ports=None) if allow_private else Policy()

    async def download() -> Fetched:
        async with Fetcher(policy, FetchLimits(timeout=timeout, max_bytes=max_bytes)) as fetcher:
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


@cache
def _response_class() -> Any:  # noqa: ANN401 (a class of a module that is an extra)
    aiohttp = _import_aiohttp()

    class BoundedResponse(aiohttp.ClientResponse):  # type: ignore[misc,name-defined]
        """A response before which only a few interim responses may come; aiohttp reads them without end."""

        async def start(self, connection: Any) -> Any:  # noqa: ANN401 (as its base class)
            protocol = connection.protocol
            read, reads = protocol.read, 0

            async def counted_read() -> Any:  # noqa: ANN401 (a message)
                nonlocal reads
                reads += 1
                if reads > _MAX_INTERIM:
                    raise aiohttp.ServerDisconnectedError
                return await read()

            protocol.read = counted_read
            try:
                return await super().start(connection)
            finally:
                del protocol.read

    return BoundedResponse


def _cache_directives(header: str) -> dict[str, str]:
    """Return the directives of a ``Cache-Control`` header.

    >>> _cache_directives('private="x", max-age=60')
    {'private': 'x', 'max-age': '60'}
    """
    pairs = (part.partition("=") for part in header[:1000].lower().split(","))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs if name.strip()}


def _invalid_url(url: str, base: object) -> InvalidURLError:
    # What a server sent is not repeated.
    return InvalidURLError(
        "a redirect leads to an invalid URL" if base is not None else f"invalid URL: {url[:200]!r}"
    )


def _describe_status(status: int) -> str:
    """Return a status with its standard name: the name that the server gave it may be anything."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _describe(error: BaseException) -> str:
    """Return what went wrong, in our words: messages of libraries repeat bytes of the server."""
    aiohttp = _import_aiohttp()
    cause = getattr(error, "os_error", None) or error
    if isinstance(cause, OSError) and cause.errno and not isinstance(cause, (socket.gaierror, ssl.SSLError)):
        return f"cannot connect: {os.strerror(cause.errno).lower()}"
    descriptions: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
        ((socket.gaierror,), "unknown host"),
        ((ssl.SSLError, aiohttp.ClientSSLError), "the server's certificate is not valid"),
        ((aiohttp.ServerDisconnectedError,), "the server closed the connection"),
        ((aiohttp.ClientPayloadError,), "the page is incomplete"),
        ((aiohttp.ClientResponseError,), "the server's response is not valid HTTP"),
        ((aiohttp.ClientConnectorError,), "cannot connect"),
    )
    matches = (text for types, text in descriptions if isinstance(cause, types) or isinstance(error, types))
    return next(matches, "the page could not be fetched")
