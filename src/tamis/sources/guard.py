"""Which IP addresses may be connected to, and how names are resolved to them."""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tamis.errors import BlockedURLError, BusyError, InvalidURLError

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult

# Protection against server-side request forgery (SSRF): which IP addresses may be connected to.
#
# The check is on the IP address of the socket, never on the spelling of a URL. A name, ``0177.0.0.1``,
# ``2130706433``, ``0x7f.1`` and full-width digits all end at an IP address, and a socket is made for it: the HTTP
# client calls `Policy.socket` there, on every redirect, with exactly the address it will connect to. So no spelling
# has to be parsed here, and a name cannot be rebound between the check and the connection.

Network = IPv4Network | IPv6Network
AddressInfo = tuple[int, int, int, str, tuple[Any, ...]]  #: as `socket.getaddrinfo` returns it

#: Blocked although Python calls some of them global, because they lead into other networks or because Python
#: versions disagree: IANA's special-purpose registries and the RFC of each.
BLOCKED_NETWORKS: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocol assignments, RFC 6890
            "192.88.99.0/24",  # 6to4 relays, RFC 7526
            "::/96",  # IPv4-compatible ::a.b.c.d, RFC 4291
            "::ffff:0:0/96",  # IPv4-mapped: the kernel connects to the IPv4 address inside
            "64:ff9b::/96",  # NAT64, RFC 6052: an IPv4 address inside
            "64:ff9b:1::/48",  # local NAT64, RFC 8215
            "2001::/32",  # Teredo, RFC 4380: an IPv4 address inside
            "2002::/16",  # 6to4, RFC 3056: an IPv4 address inside
            "3fff::/20",  # documentation, RFC 9637
            "5f00::/16",  # segment routing, RFC 9602
            "fec0::/10",  # site-local, RFC 3879
        ),
    )
)
#: Private networks and loopback, without what `METADATA_NETWORKS` closes.
PRIVATE_NETWORKS: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7"),
    )
)
#: Where cloud platforms keep the credentials of a machine. Closed always, whatever else is allowed.
METADATA_NETWORKS: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            "169.254.0.0/16",  # link-local: AWS, Azure, Google, Oracle and others at 169.254.169.254
            "168.63.129.16/32",  # Azure's wire server, a public address
            "100.100.100.200/32",  # Alibaba
            "192.0.0.192/32",  # Oracle
            "fd00:ec2::254/128",  # AWS
            "fd20:ce::254/128",  # Google
            "fd00:42::42/128",  # Scaleway
        ),
    )
)
_MAX_PIECE: Final = 32_768  #: bytes that are read from a socket at a time
_NAT64: Final = ip_network("64:ff9b::/96")
BLOCKED_MESSAGE: Final = (
    "the URL leads to a network that is not allowed; see --allow-private, --allow-cidr and --allow-port"
)
_ALWAYS_BLOCKED_MESSAGE: Final = (
    "the URL leads to a network that is not allowed: a metadata service of a cloud, or a link-local address"
)
#: IP addresses that were blocked while a page was fetched. The HTTP client hides the errors of single addresses.
blocked_addresses: ContextVar[list[str] | None] = ContextVar("blocked_addresses", default=None)


class NetworkScope(IntEnum):
    """How far connections may go."""

    PUBLIC = 0
    PRIVATE = 1  #: public and private networks
    ANY = 2  #: whatever the machine can reach but metadata services: for a person at a command line


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be connected to.

    Attributes:
        scope: the public network, private networks too, or anything.
        networks: networks that are allowed in addition.
        ports: the allowed ports; None allows all.

    >>> policy = Policy()
    >>> [policy.allows(ip) for ip in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False]
    >>> policy = Policy(scope=NetworkScope.PRIVATE)
    >>> policy.allows("127.0.0.1"), policy.allows("169.254.169.254")
    (True, False)
    """

    scope: NetworkScope = NetworkScope.PUBLIC
    networks: tuple[Network, ...] = ()
    ports: frozenset[int] | None = frozenset({80, 443})

    def allows(self, ip: str) -> bool:
        """Return whether a socket may connect to an IP address."""
        try:
            address = ip_address(ip)
        except ValueError:
            return False
        if _is_metadata(ip):
            return False
        if self.scope is NetworkScope.ANY:
            return True
        if _in_any(address, self.networks):
            return True
        if self.scope is NetworkScope.PRIVATE and _in_any(address, PRIVATE_NETWORKS):
            return True
        special = address.is_multicast or address.is_reserved or _in_any(address, BLOCKED_NETWORKS)
        return address.is_global and not special

    def with_port_of(self, url: str) -> "Policy":
        """Return the policy with the port of a URL allowed. Its address is not.

        >>> sorted(Policy().with_port_of("http://example.org:8080/").ports)
        [80, 443, 8080]
        """
        try:
            port = urlsplit(url).port
        except ValueError:
            return self  # an invalid URL is refused where it is opened
        return self if port is None or self.ports is None else replace(self, ports=self.ports | {port})

    def check_url(self, scheme: str, port: int | None) -> None:
        """Raise an error if the scheme or the port of a URL is not allowed."""
        if scheme not in {"http", "https"}:
            raise InvalidURLError(f"only http and https URLs are allowed, not {scheme or 'one without a scheme'}")
        if self.ports is not None and port not in self.ports:
            allowed = ", ".join(map(str, sorted(self.ports)))
            raise InvalidURLError(f"port {port} is not allowed; allowed: {allowed}; see --allow-port")

    def refusal(self, *ips: str) -> str:
        """Return why none of some addresses may be connected to, and which options allow it, if one does.

        >>> Policy().refusal("169.254.169.254")
        'the URL leads to a network that is not allowed: a metadata service of a cloud, or a link-local address'
        """
        if ips and all(map(_is_metadata, ips)):
            return _ALWAYS_BLOCKED_MESSAGE
        return BLOCKED_MESSAGE

    def socket(self, info: AddressInfo) -> socket.socket:
        """Return a socket for an address that is allowed. The HTTP client calls this before it connects."""
        family, socket_type, protocol, _, (ip, port, *_) = info
        if not self.allows(str(ip)) or (self.ports is not None and int(port) not in self.ports):
            blocked = blocked_addresses.get()
            if blocked is not None:
                blocked.append(str(ip))
            raise BlockedURLError(self.refusal(str(ip)))
        return _PiecewiseSocket(family, socket_type, protocol)


class _PiecewiseSocket(socket.socket):
    """A socket that reads small pieces, so that a server that sends fast does not keep the event loop from others."""

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        return super().recv(min(size, _MAX_PIECE), flags)


def written_address(host: str) -> str | None:
    """Return the IP address that a host is written as, in any spelling; None for a name other than localhost.

    >>> [written_address(host) for host in ("127.0.0.1", "0x7f.1", "2130706433", "::1", "localhost", "example.org")]
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', '::1', '127.0.0.1', None]
    """
    with suppress(ValueError):
        return str(ip_address(host.strip("[]")))
    with suppress(OSError, ValueError):
        return socket.inet_ntoa(socket.inet_aton(host))
    return "127.0.0.1" if host.rstrip(".").lower().endswith("localhost") else None


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address inside a mapped, a NAT64 or a 6to4 address; any other address as it is."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        return inner or address
    return address


def _is_metadata(ip: str) -> bool:
    try:
        return _in_any(_embedded(ip_address(ip)), METADATA_NETWORKS)
    except ValueError:
        return False


def _in_any(address: IPv4Address | IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


# Names to IP addresses, each lookup in a thread of its own, so that names that never resolve hold up no others.
#
# The system's resolver blocks, for half a minute if a name server does not answer. In a small pool of threads a few
# such names stop all lookups. Here a lookup has its own thread, lookups of one name are shared, and their number is
# bounded:
# beyond it a lookup fails at once.

#: Lookups at a time. A waiting thread costs some 50 kB; four times the requests that the service takes by default.
MAX_LOOKUPS: Final = 256
#: Seconds for one lookup. The system gives up after 5 seconds for each attempt and name server, by default.
LOOKUP_TIMEOUT: Final = 8.0

Lookup = Callable[..., Sequence[tuple[Any, ...]]]  #: called as `socket.getaddrinfo` is


class ThreadResolver:
    """A resolver for aiohttp.

    Args:
        lookup: resolves a name, called as `socket.getaddrinfo` is.
        max_lookups: lookups at a time. The next one raises `BusyError`.
        timeout: seconds for one lookup. Its thread goes on until the system gives up, and counts until then.
    """

    def __init__(
        self,
        lookup: Lookup = socket.getaddrinfo,
        *,
        max_lookups: int = MAX_LOOKUPS,
        timeout: float = LOOKUP_TIMEOUT,
    ) -> None:
        self._lookup, self._max_lookups, self._timeout = lookup, max_lookups, timeout
        self._lock = threading.Lock()
        self._running: dict[tuple[str, int, int], Future[Sequence[tuple[Any, ...]]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> "list[ResolveResult]":
        """Return the addresses of a name."""
        future = self._start((host, port, int(family)))
        try:
            async with asyncio.timeout(self._timeout):
                # Shielded: others may wait for the same lookup.
                infos = await asyncio.shield(asyncio.wrap_future(future))
        except TimeoutError as error:
            raise OSError(None, "the name was not resolved in time") from error
        return [
            {
                "hostname": host,
                "host": str(info[4][0]),
                "port": int(info[4][1]),
                "family": info[0],
                "proto": info[2],
                "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            }
            for info in infos
            if info[0] in {socket.AF_INET, socket.AF_INET6}
        ]

    async def close(self) -> None:
        """Leave running lookups to end by themselves."""

    def _start(self, key: tuple[str, int, int]) -> "Future[Sequence[tuple[Any, ...]]]":
        with self._lock:
            if key in self._running:
                return self._running[key]
            if len(self._running) >= self._max_lookups:
                raise BusyError("too many names are being resolved; retry later")
            future = self._running[key] = Future()
        threading.Thread(target=self._run, args=(key, future), name="tamis-resolve", daemon=True).start()
        return future

    def _run(self, key: tuple[str, int, int], future: "Future[Sequence[tuple[Any, ...]]]") -> None:
        host, port, family = key
        try:
            result = self._lookup(host, port, type=socket.SOCK_STREAM, family=family, flags=socket.AI_ADDRCONFIG)
        except Exception as error:  # noqa: BLE001 (who waits gets it)
            self._forget(key)
            with suppress(Exception):
                future.set_exception(error)
        else:
            self._forget(key)
            with suppress(Exception):  # nobody waits any more
                future.set_result(result)

    def _forget(self, key: tuple[str, int, int]) -> None:
        with self._lock:
            self._running.pop(key, None)
