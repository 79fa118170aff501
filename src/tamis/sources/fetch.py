"""Download pages over HTTP (extra ``fetch``): guarded at the socket, bounded in time, size and redirects.

Command, library, service, batches, feeds and drop-ins all fetch with `Fetcher`. A `Policy` says where it may connect
to, `FetchLimits` what a page may cost, and `Requests` how pages are asked for.
"""

import asyncio
import os
import socket
import ssl
import urllib.request
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Self, TypedDict, Unpack

from tamis.errors import (
    BlockedURLError,
    BusyError,
    FetchError,
    FetchTimeoutError,
    InvalidURLError,
    OptionError,
    RobotsError,
    needs_extra,
)
from tamis.sources.content_encodings import Decoder, accepted_encodings
from tamis.sources.fetched import Fetched
from tamis.sources.guard import (
    NetworkScope,
    Policy,
    ThreadResolver,
    blocked_addresses,
    written_address,
)

if TYPE_CHECKING:
    import yarl
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver

USER_AGENT: Final = "Mozilla/5.0 (compatible; Tamis; main-content reader)"
_ACCEPT: Final = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
_ROBOTS_NAME: Final = "Tamis"  #: what ``robots.txt`` calls us, unless the user agent is another
#: Request headers with which a page is somebody's own: what comes back is not stored.
_CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
_REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_FIRST_ERROR_STATUS: Final = 400
_FIRST_SERVER_ERROR: Final = 500
#: The server may answer later: RFC 9110 (408, 502 to 504) and RFC 6585 (429).
_RETRY_STATUSES: Final = frozenset({408, 429, 502, 503, 504})
_MAX_ROBOTS: Final = 500_000  #: bytes of a ``robots.txt`` that are read; RFC 9309 asks for at least 500 KiB
#: Chunks of a chunked body: this many, and one more for each 64 bytes. A server that flushes every few words stays
#: below; one that sends single bytes without end costs 10 µs of CPU time for each.
_MAX_CHUNKS: Final = 20_000
_BYTES_PER_CHUNK: Final = 64
_MAX_INTERIM: Final = 16  #: interim responses (100 Continue, 103 Early Hints) before the real one
_DEFAULT_TIMEOUT: Final = 15.0
_DEFAULT_MAX_BYTES: Final = 10_000_000
_MAX_BYTES_OF_A_PERSON: Final = 20_000_000  #: where a person fetches: as much as `tamis.Limits` reads


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


@dataclass(frozen=True, slots=True)
class Requests:
    """How pages are asked for.

    Attributes:
        user_agent: the ``User-Agent`` header.
        headers: further request headers. A redirect to another origin does not get them.
        cookies: cookies to send, likewise. Cookies of servers are not kept.
        proxy: the URL of an HTTP proxy; ``"env"`` takes ``HTTPS_PROXY``, ``HTTP_PROXY`` and ``NO_PROXY``. None uses
            none, whatever the environment says. Behind a proxy, the proxy resolves names: an address in a URL is
            checked here, what a name leads to is the proxy's to refuse.
        retries: how often a page is asked for again if the server is busy (408, 429, 502, 503, 504) or closes the
            connection, within the time limit.
        backoff: seconds before the first retry, twice as many before each further one, unless the server says when
            (``Retry-After``).
        robots: ask for the ``robots.txt`` of each site, and fetch nothing that it disallows.

    >>> Requests(headers={"Accept-Language": "fr"}, cookies={"a": "1", "b": "2"}).all_headers()["Cookie"]
    'a=1; b=2'
    """

    user_agent: str = USER_AGENT
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    proxy: str | None = None
    retries: int = 2
    backoff: float = 0.5
    robots: bool = False

    def __post_init__(self) -> None:
        texts = [self.user_agent, *self.headers, *self.headers.values(), *self.cookies, *self.cookies.values()]
        if any(char in text for text in texts for char in "\r\n\0"):
            raise OptionError("a request header or a cookie has a line break in it")
        if self.proxy not in {None, "env"} and not str(self.proxy).startswith(("http://", "https://")):
            raise OptionError(f"a proxy is a URL (http://host:port) or env, not {self.proxy!r}")

    def all_headers(self) -> dict[str, str]:
        """Return the headers and the cookies."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {**self.headers, **({"Cookie": cookies} if cookies else {})}

    def proxy_for(self, scheme: str, host: str) -> str | None:
        """Return the proxy for a URL."""
        if self.proxy != "env":
            return self.proxy
        return None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(scheme)


class Fetcher:
    """Downloads pages concurrently, within a policy and limits. Close it when done, or use ``async with``.

    Proxies and credentials from the environment are ignored unless asked for, and no cookies are kept.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        limits: FetchLimits | None = None,
        resolver: "AbstractResolver | None" = None,
        requests: Requests | None = None,
    ) -> None:
        self.policy, self.limits, self._requests = policy or Policy(), limits or FetchLimits(), requests or Requests()
        self._robots: dict[str, asyncio.Task[_Robots]] = {}
        self._session = self._open_session(self.policy, resolver)
        # A proxy is where a person says it is; what lies behind it is checked by its URL.
        self._proxied = (
            None
            if self._requests.proxy is None
            else self._open_session(Policy(NetworkScope.ANY, ports=None), resolver)
        )

    def _open_session(self, policy: Policy, resolver: "AbstractResolver | None") -> "ClientSession":
        aiohttp = _import_aiohttp()
        session: ClientSession = aiohttp.ClientSession(
            # The policy checks sockets, not the resolver's results, so it does not matter which resolver is used.
            connector=aiohttp.TCPConnector(
                socket_factory=policy.socket,
                limit_per_host=self.limits.connections_per_host,
                resolver=resolver or ThreadResolver(),
            ),
            timeout=aiohttp.ClientTimeout(total=self.limits.timeout),
            headers={
                "User-Agent": self._requests.user_agent,
                "Accept": _ACCEPT,
                "Accept-Encoding": accepted_encodings(),
            },
            response_class=_response_class(),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,  # `Decoder` decodes bodies in bounded pieces
        )
        return session

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        for task in self._robots.values():
            task.cancel()
        await self._session.close()
        if self._proxied is not None:
            await self._proxied.close()

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
            RobotsError: the site's ``robots.txt`` disallows it, and `Requests.robots` is set.
            FetchTimeoutError: the page did not arrive in time.
            FetchError: the download failed otherwise.
        """
        seconds = min(timeout or self.limits.timeout, self.limits.timeout)
        try:
            async with asyncio.timeout(seconds) as limit:
                own = {**self._requests.all_headers(), **(headers or {})}
                return await self._try(url, own, limit.when() or 0.0)
        except TimeoutError as error:
            raise FetchTimeoutError(f"no response within {seconds:g} seconds; see --fetch-timeout") from error

    async def _try(self, url: str, headers: Mapping[str, str], deadline: float) -> Fetched:
        """Download a page; a server that is busy is asked again, after the time that it names or a growing one."""
        loop = asyncio.get_running_loop()
        for attempt in range(self._requests.retries + 1):
            try:
                return await self._get(url, headers)
            except _RetryError as error:
                wait = self._requests.backoff * 2**attempt if error.seconds is None else error.seconds
                if attempt == self._requests.retries or loop.time() + wait >= deadline:
                    raise error.reason from error.__cause__
                await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _get(self, url: str, headers: Mapping[str, str]) -> Fetched:
        aiohttp = _import_aiohttp()
        blocked: list[str] = []
        token = blocked_addresses.set(blocked)
        try:
            return await self._follow(url, headers)
        except (FetchError, BusyError, TimeoutError):
            raise
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError, ConnectionResetError) as error:
            raise _RetryError(FetchError(_describe(error))) from error
        except (aiohttp.ClientError, ValueError, OSError) as error:
            if blocked:
                raise BlockedURLError(self.policy.refusal(*blocked)) from error
            raise FetchError(_describe(error)) from error
        finally:
            blocked_addresses.reset(token)

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Fetched:
        target = first = self._check_url(url)
        credentials = bool(target.user or target.password or _CREDENTIALS & {name.lower() for name in headers})
        for _ in range(self.limits.max_redirects + 1):
            own = headers if target.origin() == first.origin() else {}
            if self._requests.robots and not (await self._robots_of(target)).allows(str(target)):
                raise RobotsError("robots.txt of the site disallows this page")
            proxy = self._requests.proxy_for(target.scheme, target.host or "")
            session = self._session if proxy is None else self._proxied
            assert session is not None
            async with session.get(target, headers=own, allow_redirects=False, proxy=proxy) as response:
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
        if self._requests.proxy is not None:
            address = written_address(target.host)
            if address is not None and not self.policy.allows(address):
                raise BlockedURLError(self.policy.refusal(address))  # the socket would be that of the proxy
        return target

    async def _robots_of(self, target: "yarl.URL") -> "_Robots":
        """Return the rules of a site, which are asked for once."""
        origin = str(target.origin())
        if origin not in self._robots:
            self._robots[origin] = asyncio.ensure_future(self._fetch_robots(target))
        return await asyncio.shield(self._robots[origin])

    async def _fetch_robots(self, target: "yarl.URL") -> "_Robots":
        agent = self._requests.user_agent
        name = _ROBOTS_NAME if agent == USER_AGENT else agent.partition("/")[0]
        limits = FetchLimits(self.limits.timeout, _MAX_ROBOTS, self.limits.max_redirects)
        plain = replace(self._requests, robots=False, headers={}, cookies={})
        async with Fetcher(self.policy, limits, requests=plain) as fetcher:
            try:
                page = await fetcher.get(str(target.origin() / "robots.txt"))
            except FetchError as error:
                # RFC 9309: without rules all is allowed; rules that cannot be had now disallow all.
                status = error.http_status
                return _Robots(None, name, is_closed=status is None or status >= _FIRST_SERVER_ERROR)
        return _Robots(page.body.decode("utf-8", "replace"), name)

    async def _read(self, response: "ClientResponse", *, credentials: bool) -> Fetched:
        if response.status >= _FIRST_ERROR_STATUS:
            response.close()
            error = FetchError(f"the server returned {_describe_status(response.status)}")
            error.http_status = response.status
            if response.status in _RETRY_STATUSES:
                seconds = _retry_after(response.headers.get("Retry-After", ""))
                if seconds:
                    error.args = (f"{error}; it asks to wait {seconds:.0f} s",)
                raise _RetryError(error, seconds)
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


class RequestKeywords(TypedDict, total=False):
    """The values of `Requests` as keywords."""

    user_agent: str
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    proxy: str | None
    retries: int
    robots: bool


class FetchKeywords(RequestKeywords, total=False):
    """The keywords of `fetch`, `afetch` and `afetch_many`: those of `RequestKeywords`, and what a page may cost.

    Attributes:
        timeout: seconds for a page in total: resolving, connecting, redirects, retries, reading.
        max_bytes: of the body, before and after decoding; 20 MB by default.
        allow_private: also connect to private and loopback addresses, and to any port.
        policy: which addresses and ports may be connected to, where ``allow_private`` is not set.
    """

    timeout: float
    max_bytes: int
    allow_private: bool
    policy: Policy


def open_fetcher(**keywords: Unpack[FetchKeywords]) -> Fetcher:
    """Return a fetcher with the keywords of `fetch`, inside a running event loop."""
    values: dict[str, Any] = dict(keywords)
    policy = values.pop("policy", None)
    if values.pop("allow_private", False):
        policy = Policy(scope=NetworkScope.ANY, ports=None)
    max_bytes = values.pop("max_bytes", _MAX_BYTES_OF_A_PERSON)
    limits = FetchLimits(values.pop("timeout", _DEFAULT_TIMEOUT), max_bytes)
    return Fetcher(policy, limits, requests=Requests(**values))


def fetch(url: str, **keywords: Unpack[FetchKeywords]) -> Fetched:
    """Download one page (extra ``fetch``), for `tamis.extract`.

    Connections into private networks and to unusual ports are refused, as in the service, because the URL may come
    from a page.

    This function blocks. It also works inside a running event loop, as in a notebook; an asynchronous program that
    must not block uses `afetch`.

    Args:
        url: an ``http`` or ``https`` URL.
        keywords: see `FetchKeywords`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(afetch(url, **keywords))
    with ThreadPoolExecutor(1, "tamis-fetch") as executor:  # a thread can run one event loop only
        return executor.submit(lambda: asyncio.run(afetch(url, **keywords))).result()


async def afetch(url: str, **keywords: Unpack[FetchKeywords]) -> Fetched:
    """Download one page, as `fetch` does, without blocking the event loop.

    Usage::

        extraction = tamis.extract(await tamis.afetch("https://example.org/"))
    """
    if not isinstance(url, str):
        raise InvalidURLError(f"a URL is a str, not {type(url).__name__}")
    async with open_fetcher(**keywords) as fetcher:
        return await fetcher.get(url)


async def afetch_many(
    urls: Iterable[str] | AsyncIterable[str], *, concurrency: int = 8, **keywords: Unpack[FetchKeywords]
) -> AsyncIterator[tuple[str, Fetched | FetchError]]:
    """Download many pages, and yield each URL with its page, or with the error in its place, as they arrive.

    Usage::

        async for url, page in tamis.afetch_many(urls):
            if isinstance(page, tamis.Fetched):
                print(tamis.extract(page).title)

    Args:
        urls: taken as needed, from an iterable or an asynchronous one.
        concurrency: downloads at a time. At most four go to one host.
        keywords: see `FetchKeywords`.
    """
    async with open_fetcher(**keywords) as fetcher:
        pending: set[asyncio.Task[tuple[str, Fetched | FetchError]]] = set()
        try:
            async for url in _each(urls):
                pending.add(asyncio.ensure_future(_outcome(fetcher, url)))
                while len(pending) >= max(1, concurrency):
                    done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        yield task.result()
            for next_done in asyncio.as_completed(pending):
                yield await next_done
        finally:
            for task in pending:
                task.cancel()


async def _each(urls: Iterable[str] | AsyncIterable[str]) -> AsyncIterator[str]:
    if isinstance(urls, AsyncIterable):
        async for url in urls:
            yield url
    else:
        for url in urls:
            yield url


async def _outcome(fetcher: Fetcher, url: str) -> tuple[str, Fetched | FetchError]:
    try:
        return url, await fetcher.get(url)
    except FetchError as error:
        return url, error


class _RetryError(Exception):
    """A page that may be there later, and after how many seconds, if the server said so."""

    def __init__(self, reason: FetchError, seconds: float | None = None) -> None:
        super().__init__(str(reason))
        self.reason, self.seconds = reason, seconds


def _retry_after(header: str) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for: a number, or a date.

    >>> _retry_after("120"), _retry_after("Fri, 31 Dec 1999 23:59:59 GMT"), _retry_after("soon")
    (120.0, 0.0, None)
    """
    text = header.strip()[:40]
    if text.isdecimal() and text.isascii():
        return float(text[:9])
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


class _Robots:
    """The rules of a ``robots.txt``, read by Protego (RFC 9309: the longest rule counts, with wildcards)."""

    def __init__(self, text: str | None, agent: str, *, is_closed: bool = False) -> None:
        with needs_extra("protego", "fetch"):
            from protego import Protego  # noqa: PLC0415 (an extra)
        self._rules = None if text is None else Protego.parse(text)
        self._agent, self._is_closed = agent, is_closed

    def allows(self, url: str) -> bool:
        """Return whether a page may be fetched."""
        return not self._is_closed and (self._rules is None or self._rules.can_fetch(url, self._agent))


def _import_aiohttp() -> Any:  # noqa: ANN401 (a module)
    with needs_extra("aiohttp", "fetch"):
        import aiohttp  # noqa: PLC0415 (an extra)
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
